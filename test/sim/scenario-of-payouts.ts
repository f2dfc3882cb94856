/** Files that are paid, retried and cancelled. An endpoint has chosen to be told of their ends. */
import { strict as assert } from 'node:assert';
import { Operation } from '@stellar/stellar-sdk/base';
import { parseAddress } from '../../src/stellar/address.ts';
import { registerEndpoint } from '../../src/webhooks/endpoints/endpoints.ts';
import { changePolicy } from '../../src/withdrawals/policies/policy-changes.ts';
import { amountOf } from '../oracle/evidence.ts';
import type { PayoutFile, PayoutVerb } from '../oracle/payout-evidence.ts';
import { onId } from '../support/acting.ts';
import type { SimulatedWallet } from './accounts.ts';
import { pastAllGates, type Scenario, SMALLEST } from './exhaustive.ts';
import { actorOf, teamOf } from './members.ts';
import { newOrder } from './orders.ts';
import { changePayout, upload } from './payout-users.ts';
import type { SimulatedService } from './simulated-service.ts';

const MOST_TRIES = 20;
const PAUSE_MS = 3_000;
/** Every wallet has so much for each row, and an account can be made with it. */
const LITTLE_STROOPS = 20_000_000;
const ENDED = ['completed', 'cancelled'];
const ENV = { CHANNELS_MAX: '0', WITHDRAW_VALID_SECONDS: '30', WITHDRAW_WAIT_SECONDS: '60' };

/** One file of two rows, of which the ledger fails one, that is paused, resumed and retried; and one that is cancelled. */
export const scenarioOfPayouts: Scenario = {
  name: 'payouts',
  setting: { ...SMALLEST, env: ENV, roles: ['settler', 'payouts'] },
  async play(world) {
    const [wallet] = world.accounts.wallets;
    assert(wallet);
    await choose(world, wallet);
    await Promise.all([playRetried(world, wallet), playCancelled(world, wallet)]);
  },
};

/** So many ledgers that the endpoint is surely there when a payout ends: see choice-checks.ts. */
const LONG_BEFORE_MS = 250_000;

/** The same, and a file that two members approve: everything that can be falsified. */
export const storyOfPayouts: Scenario = {
  name: 'payouts with approvals',
  setting: { ...SMALLEST, wallets: 2, teams: true, env: ENV, roles: ['settler', 'payouts', 'ingester'] },
  async play(world) {
    const [wallet, approving] = world.accounts.wallets;
    assert(wallet && approving);
    await choose(world, wallet);
    await world.scheduler.sleep(world.world, LONG_BEFORE_MS);
    await Promise.all([
      playRetried(world, wallet),
      playCancelled(world, wallet),
      playApproved(world, approving),
    ]);
  },
};

async function choose(world: SimulatedService, { id }: SimulatedWallet): Promise<void> {
  const url = 'https://93.184.216.34/ends';
  await pastAllGates(world, (deps) =>
    registerEndpoint(deps, onId(id), { url, description: null, events: ['payout.completed'] }),
  );
}

async function playRetried(world: SimulatedService, wallet: SimulatedWallet): Promise<void> {
  const file = fileOf(world, wallet, ['create', 'nowhere']);
  const last = file.rows[1]?.destination;
  assert(last);
  const id = await insist(world, file);
  if (id === null) return;
  await until(world, id, 'start', ['running', 'completed']);
  await until(world, id, 'pause', ['paused', 'completed']);
  await until(world, id, 'resume', ['running', 'completed']);
  await until(world, id, null, ENDED);
  makeAccountOf(world, last);
  for (let tries = MOST_TRIES; tries > 0; tries--) {
    const [retry] = await world.office.ask('select id from payouts where retry_of = $1', [id]);
    if (retry) return until(world, retry.id, 'start', ENDED);
    await changePayout(world.desk, { payout_id: id, wallet_id: wallet.id, verb: 'retry', order_hash: null });
    await world.scheduler.sleep(world.world, PAUSE_MS);
  }
}

/** Somebody else makes the account that a row could not pay, so its retry is paid. */
function makeAccountOf({ accounts, network }: SimulatedService, address: string): void {
  const destination = parseAddress(address)?.account;
  assert(destination);
  const operations = [Operation.createAccount({ destination, startingBalance: '5' })];
  network.submit(network.build(accounts.rival, { operations }, { fee: '1000000' }));
}

async function playCancelled(world: SimulatedService, wallet: SimulatedWallet): Promise<void> {
  const id = await insist(world, fileOf(world, wallet, ['memo']));
  if (id === null) return;
  await until(world, id, 'start', ['running', 'completed']);
  await until(world, id, 'cancel', ENDED);
}

async function playApproved(world: SimulatedService, wallet: SimulatedWallet): Promise<void> {
  const { desk, office } = world;
  const team = teamOf(desk, wallet.owner.id);
  const [owner] = team;
  assert(owner);
  const by = { actor: actorOf(owner), wallet: { id: wallet.id, owner_id: owner.team_id } };
  const approvals = { required: 2, above: [], for: ['withdrawals' as const], without_factor: true };
  await pastAllGates(world, (deps) => changePolicy(deps, by, (target) => ({ ...target, approvals })));
  const id = await insist(world, fileOf(world, wallet, ['plain', 'memo']));
  if (id === null) return;
  await until(world, id, 'start', ['awaiting_approval']);
  const [{ order_hash }] = await office.ask('select order_hash from payouts where id = $1', [id]);
  // The first approver knows the credential of the program, which may be the one that has started it.
  for (const member of team.filter(({ role }) => role === 'approver').slice(1)) {
    const said = { actor: actorOf(member), asked_by: member.id };
    await changePayout(desk, { payout_id: id, wallet_id: wallet.id, verb: 'approve', order_hash, by: said });
  }
  await until(world, id, null, ENDED);
}

function fileOf(
  { desk, accounts }: SimulatedService,
  wallet: SimulatedWallet,
  kinds: Parameters<typeof newOrder>[1],
): PayoutFile {
  const own = { ...desk, accounts: { ...accounts, wallets: [wallet] } };
  const rows = kinds.map((kind) => {
    const order = newOrder(own, [kind], desk.serial++);
    return { ...order, amount_stroops: amountOf(LITTLE_STROOPS, order.serial) };
  });
  return { name: `file ${desk.serial++}`, wallet_id: wallet.id, confirm_duplicates: false, rows };
}

/** Uploads the file until the service has it: a lost answer may be that of a payout that was made. */
async function insist(
  { desk, office, scheduler, world }: SimulatedService,
  file: PayoutFile,
): Promise<string | null> {
  for (let tries = MOST_TRIES; tries > 0; tries--) {
    const [made] = await office.ask('select id from payouts where name = $1 order by id', [file.name]);
    if (made) return made.id;
    const answer = await upload(desk, file);
    if (answer?.status !== 201) await scheduler.sleep(world, PAUSE_MS);
  }
  return null;
}

/** Asks again until the payout has one of the statuses. */
async function until(
  { desk, office, scheduler, world }: SimulatedService,
  payout_id: string,
  verb: PayoutVerb | null,
  statuses: string[],
): Promise<void> {
  for (let tries = MOST_TRIES; tries > 0; tries--) {
    const [payout] = await office.ask('select status, wallet_id from payouts where id = $1', [payout_id]);
    if (statuses.includes(payout.status)) return;
    const wish = verb && { payout_id, wallet_id: payout.wallet_id, verb, order_hash: null };
    const answer = wish && (await changePayout(desk, wish));
    if (answer?.status !== 200) await scheduler.sleep(world, PAUSE_MS);
  }
}
