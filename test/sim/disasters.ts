/** What befalls the whole world now and then: the network, the database, the machines. Numbers S… are the list of known ways to pay twice. */
import { Asset, Operation, Transaction, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { timeBoundsOf } from '../../sandbox/ledger/transaction.ts';
import { UP_TO_DATE } from '../../sandbox/node.ts';
import { SANDBOX_PASSPHRASE } from '../../sandbox/passphrase.ts';
import { maxLagSeconds } from '../../src/ledgers/signing-allowed.ts';
import { type DisasterContext, pause } from './disaster-context.ts';
import { type NetworkFault, SILENT, SLOW, TOO_MANY_REQUESTS, UNREACHABLE } from './network-faults.ts';
import { markPromoted, putBack, takeCopy } from './older-copy.ts';
import type { SimProcess } from './process.ts';
import { NODES } from './simulated-network.ts';
import { treasury_pays_anew, treasury_short } from './treasury-disasters.ts';
import { days_pass, receivers_ill } from './webhook-disasters.ts';

type Disaster = (context: DisasterContext) => Promise<void> | void;

const DISASTERS: Record<string, Disaster> = {
  halt,
  core_restart: ({ network }) => network.network.restart(), // S7
  node_behind: (context) => condition(context, { lag_ledgers: context.random.integer(3, 15) }), // S8
  node_forgets: (context) => condition(context, { oldest_ledger: context.network.latest.sequence }), // S9
  gap,
  validators_skewed,
  surge,
  database_out: async (context) => {
    context.database.down = true;
    await pause(context, 100, 60_000);
    context.database.down = false;
  },
  database_restart: async (context) => {
    context.database.breakConnections();
    context.database.down = true;
    await pause(context, 100, 5_000);
    context.database.down = false;
  },
  cut_off: (context) => stand(context, context.fleet.any()?.name, UNREACHABLE, 120_000),
  requests_limited: (context) => stand(context, context.random.pick(NODES), TOO_MANY_REQUESTS, 60_000),
  node_silent: (context) => stand(context, context.random.pick(NODES), SILENT, 60_000),
  leader_frozen,
  leader_slow,
  deploy: (context) => context.fleet.any()?.stop(),
  kill_all: (context) => {
    for (const process of context.fleet.running) process.kill();
  },
  bumped_by_others,
  closed_at_max_time,
  foreign_transaction,
  restored_copy,
  receivers_ill,
  days_pass,
  treasury_short,
  treasury_pays_anew,
};

/** Few besides deliverers notice the first; a treasury is seldom short, and an envelope in flight, just when it is needed. */
const OFTEN = new Set(['receivers_ill', 'treasury_short', 'closed_at_max_time']);

/** Starts each kind of disaster of this seed, again and again until `over`. Returns a question (is one under way?) and a repair. */
export function brew(
  context: DisasterContext,
  kinds: { isOn(name: string): boolean },
  over: () => boolean,
): { striking: () => boolean; clearUp: () => void } {
  let strikes = 0;
  for (const [name, strike] of Object.entries(DISASTERS))
    if (kinds.isOn(name)) void strikeOnAndOn(name, strike);

  async function strikeOnAndOn(name: string, strike: Disaster): Promise<void> {
    for (;;) {
      await pause(context, 1_000, OFTEN.has(name) ? 20_000 : 150_000);
      if (over()) return;
      context.scheduler.history.record('world', name);
      context.tally.add(`world_${name}`);
      strikes++;
      await strike(context);
      strikes--;
    }
  }
  function clearUp(): void {
    const { network, database, standing, receivers } = context;
    network.network.halted = false;
    network.network.clock.skew_seconds = 0;
    network.network.maxOperations = 1000;
    for (const name of NODES) network.conditions[name] = UP_TO_DATE;
    database.down = false;
    standing.clear();
    receivers.ill.clear();
  }
  return { striking: () => strikes > 0, clearUp };
}

/** Of a process or a node. */
async function stand(
  context: DisasterContext,
  name: string | undefined,
  fault: NetworkFault,
  most_ms: number,
): Promise<void> {
  if (name === undefined) return;
  context.standing.set(name, fault);
  await pause(context, 1_000, most_ms);
  context.standing.delete(name);
}

function leaderOf({ database, fleet }: DisasterContext): SimProcess | undefined {
  return fleet.running.find(({ name }) => database.locks.holders.includes(name)) ?? fleet.any();
}

/** Its machine stands still with what it was about to write, and its connections, the lock's among them, may be given up. */
function leader_frozen(context: DisasterContext): void {
  const { database, scheduler, random } = context;
  const leader = leaderOf(context);
  if (!leader) return;
  scheduler.freeze(leader, random.integer(1_000, 60_000));
  if (random.chance(0.7)) database.breakConnectionsOf(leader);
}

/** Lets the leader wait for ledgers while another process gets its lock and records them first. */
async function leader_slow(context: DisasterContext): Promise<void> {
  const leader = leaderOf(context);
  if (!leader) return;
  context.standing.set(leader.name, SLOW);
  for (let losses = context.random.integer(3, 10); losses > 0; losses--) {
    await pause(context, 500, 8_000);
    context.database.breakConnectionsOf(leader);
  }
  context.standing.delete(leader.name);
}

/** S10: no ledger for up to an hour, then one whose close time was agreed on long ago. */
async function halt(context: DisasterContext): Promise<void> {
  const { network, random, scheduler } = context;
  const began_ms = scheduler.now_ms;
  network.network.halted = true;
  await pause(context, 5_000, random.chance(0.03) ? 3_600_000 : 60_000);
  network.network.halted = false;
  const halted_seconds = Math.floor((scheduler.now_ms - began_ms) / 1000);
  network.network.clock.next_lag_seconds = random.integer(0, halted_seconds);
}

/** The service was away for so long that no node has the ledgers since; then their histories are whole again. */
async function gap(context: DisasterContext): Promise<void> {
  const { fleet, network } = context;
  fleet.held = true;
  for (const process of fleet.running) process.kill();
  await pause(context, 10_000, 40_000);
  for (const node of NODES)
    network.conditions[node] = { ...UP_TO_DATE, oldest_ledger: network.latest.sequence };
  fleet.held = false;
  await pause(context, 20_000, 90_000);
  for (const node of NODES) network.conditions[node] = UP_TO_DATE;
}

async function condition(context: DisasterContext, worse: Partial<typeof UP_TO_DATE>): Promise<void> {
  const node = context.random.pick(NODES);
  context.network.conditions[node] = { ...UP_TO_DATE, ...worse };
  await pause(context, 5_000, 120_000);
  context.network.conditions[node] = UP_TO_DATE;
}

/** Up to a minute ahead, as far as core lets them be. */
async function validators_skewed(context: DisasterContext): Promise<void> {
  const { clock } = context.network.network;
  clock.skew_seconds = context.random.integer(-60, 60);
  await pause(context, 5_000, 60_000);
  clock.skew_seconds = 0;
}

/** Few places in a ledger, and others who pay more. */
async function surge(context: DisasterContext): Promise<void> {
  const { network, random, accounts, scheduler, world } = context;
  network.network.maxOperations = random.integer(1, 4);
  for (let ledgers = random.integer(2, 15); ledgers > 0; ledgers--) {
    const bid = `${random.pick([100, 150, 400, 1_500, 5_000, 60_000])}`;
    for (const rival of accounts.rivals.slice(0, random.integer(1, accounts.rivals.length))) {
      const operation = Operation.bumpSequence({ bumpTo: '0' });
      network.submit(network.build(rival, { operations: [operation] }, { fee: bid }));
    }
    await scheduler.sleep(world, 5_000);
  }
  network.network.maxOperations = 1000;
}

/** S13: anybody may fee-bump what they see in the queue; then theirs and ours compete for one place. */
function bumped_by_others({ network, random, sent, accounts }: DisasterContext): void {
  const envelope = sent.at(-random.integer(1, 3));
  if (envelope === undefined) return;
  const parsed = TransactionBuilder.fromXDR(envelope, SANDBOX_PASSPHRASE);
  const inner = parsed instanceof Transaction ? parsed : parsed.innerTransaction;
  // No less for each operation than the inner transaction bids, or it is malformed (CAP-15).
  const fee = `${Math.max(Number(inner.fee), random.pick([100, 1_000, 20_000, 200_000]))}`;
  const bump = TransactionBuilder.buildFeeBumpTransaction(accounts.rival, fee, inner, SANDBOX_PASSPHRASE);
  bump.sign(accounts.rival);
  network.submit(bump);
}

/** No further do validators let each other's clocks be ahead (stellar-core, MAX_TIME_SLIP_SECONDS). */
const MOST_AHEAD_SECONDS = 60n;

/**
 * S12: the next ledger closes at the very second until which a transaction in flight is valid. So do those after it, until the
 * time of the network has come so far. Sometimes the set of the first one is dropped (CAP-83), and the second takes it.
 */
function closed_at_max_time({ network, sent, random, scheduler }: DisasterContext): void {
  const { clock } = network.network;
  const latest = BigInt(Math.floor(scheduler.now_ms / 1000)) + MOST_AHEAD_SECONDS;
  const bounds = sent
    .slice(-10)
    .map((envelope) => timeBoundsOf(network.network.parse(Buffer.from(envelope, 'base64')).tx)?.maxTime ?? 0n)
    .filter((time) => time > network.latest.close_time && time <= latest);
  if (bounds.length === 0) return;
  const max_time = random.pick(bounds);
  const drops = random.chance(0.7);
  const before = network.beforeClose;
  network.beforeClose = () => {
    clock.skew_seconds += Number(max_time - clock.now());
    const { queue } = network.network;
    if (drops) network.network.restart();
    network.beforeClose = () => {
      if (drops) network.network.queue = queue;
      clock.skew_seconds = 0;
      network.beforeClose = before;
      before();
    };
  };
}

/** S6: somebody uses a key of ours elsewhere, and with it a transaction source's sequence number. */
function foreign_transaction(context: DisasterContext): void {
  const { network, random, accounts, foreign, keyOf } = context;
  const account = random.pick([...accounts.wallets.map((wallet) => wallet.account), ...accounts.channels]);
  const key = keyOf(account);
  if (!key) return;
  const payment = { destination: accounts.rival.publicKey(), asset: Asset.native(), amount: '0.1' };
  const operation = accounts.channels.includes(account)
    ? Operation.bumpSequence({ bumpTo: '0' })
    : Operation.payment(payment);
  const inner = network.build(
    key,
    { operations: [operation] },
    { max_time: Number(network.latest.close_time) + 30 },
  );
  const bump = TransactionBuilder.buildFeeBumpTransaction(accounts.rival, '5000', inner, SANDBOX_PASSPHRASE);
  bump.sign(accounts.rival);
  foreign.push(Buffer.from(bump.hash()).toString('hex'));
  network.submit(bump);
}

/** S17: an older copy takes the place of the database, while all processes are down or under the eyes of some. */
async function restored_copy(context: DisasterContext): Promise<void> {
  const { config, database, fleet, network, random, history, scheduler, world } = context;
  await scheduler.turn(world, () => takeCopy(database));
  const taken = network.latest.close_time;
  await pause(context, 100, random.pick([3_000, 30_000, 150_000]));
  const alive = random.chance(0.5);
  fleet.held = !alive;
  if (!alive) for (const process of fleet.running) process.kill();
  await scheduler.turn(world, () => putBack(database));
  // By ledger time, as the service reckons: validators' clocks may be wrong, and set-up ledgers close faster than time goes by.
  const isYoung = network.latest.close_time - taken <= maxLagSeconds(config);
  // Such a copy is a standby that took over without the newest commits; PostgreSQL tells it from the server that is lost.
  if (isYoung || random.chance(0.5)) await scheduler.turn(world, () => markPromoted(database));
  history.restored = true;
  context.scheduler.history.record('world', `the copy is back, processes ${alive ? 'alive' : 'dead'}`);
  await pause(context, 0, 60_000);
  fleet.held = false;
}
