/** One seed: customers, faults and disasters, then a time without faults, then the check whether every promise was kept. */
import type { EngineDeps } from '../../src/withdrawals/engine/hooks.ts';
import type { Approvals } from '../../src/withdrawals/policies/approval-rules.ts';
import type { Evidence } from '../oracle/evidence.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { decideAboutAll, decideAboutRequests } from './approvers.ts';
import { changeAssets } from './asset-users.ts';
import { serve } from './clients.ts';
import type { Desk } from './desk.ts';
import { brew } from './disasters.ts';
import { lookAfterEndpoints, startAgain } from './endpoint-owners.ts';
import { Tally } from './faults.ts';
import { workThroughInbox } from './inbox-users.ts';
import { integrate } from './integrators.ts';
import { useThePowerOf } from './issuers.ts';
import { setLimits } from './limits.ts';
import { lookAfter } from './operator.ts';
import { payIn, type Street } from './payers.ts';
import { endPayouts, payFiles } from './payout-users.ts';
import type { Roles } from './process.ts';
import { RandomFaults } from './random-faults.ts';
import { openSimulation, type Report, type SimulatedService } from './simulated-service.ts';
import { changeTeams, setRules, unfreezeAll } from './team-changes.ts';
import { OF_TREASURY } from './treasury-disasters.ts';
import { aDayPasses } from './webhook-disasters.ts';

const STORM_MS = { shortest: 40_000, longest: 200_000 };
/** Without faults: processes start again, leases run out, and who signed last waits for the next ledgers. */
const CALM_MS = 120_000;
const CALM_PER_WITHDRAWAL_MS = 10_000;
/** Leases end, and in the meantime steps of the schedule come due. */
const DELIVERED_MS = 600_000;
/** After so long what could not be read is tried again by itself: see src/deposits/ingest/ingest-deposits.ts. */
const QUARANTINE_MS = 320_000;
const LOOK_MS = 5_000;
/** Between two looks whether a run has what it is to have, and how many there are. */
const UNTIL_MS = 5_000;
const MOST_LOOKS = 100;
const COMPANIES = 2;
/** Of webhook endpoints. */
const OWNERS = 2;
const ASSET_USERS = 2;
/** Of all teams, at a time. */
const MEMBERS = 6;
const APPROVALS_SHARE = 0.35;
const PAYOUTS_SHARE = 0.4;
const PAYERS_OF_FILES = 3;
/** A request ends a day after it was made, by the clock of its process. */
const MOST_DAYS = 3;
/** Given up within the storm, after it, or days later. */
const SCHEDULES = [{ WEBHOOK_RETRY_SECONDS: '1,2,4' }, { WEBHOOK_RETRY_SECONDS: '2,10,60' }, {}];
/** One is drawn: where they keep the transaction sources busy, other things happen less. */
const INBOX_USERS = [0, 2, 8];
/** So long something that strangers have sent may still be applied, and one ledger. */
const PAYERS_MS = 65_000;

export type Options = {
  /** For a trace: every line of the history as it happens. */
  print?: (line: string) => void;
  /** What is wrong with the processes, to see whether it is found out. */
  alterDeps?: (deps: EngineDeps) => EngineDeps;
  storm_ms?: number;
  /** How many look through the inboxes; drawn if absent. */
  inbox_users?: number;
  /** Nothing goes wrong. */
  fair?: boolean;
  /** A disaster that strikes whether or not it is drawn. */
  disaster?: string;
  /** Whether some wallets need approvals; drawn if absent. */
  approvals?: boolean;
  /** What wallets need approvals for at first; drawn of all rules if absent. */
  rules?: readonly Approvals[];
  /** Whether people pay files; drawn if absent. */
  payouts?: boolean;
  /** How many ask for withdrawals; drawn if absent. */
  customers?: number;
  /** As whom the service sees who asks for a withdrawal. */
  seenAs?: Desk['seenAs'];
  /** Drawn where it names nothing else. */
  env?: Record<string, string>;
  /** The storm goes on until it is so, besides for its time. */
  until?: (evidence: Evidence) => boolean;
};

const NONE = { isOn: () => false };
/** A third of the seeds has a treasury that pays for wallets. */
const TREASURY_SHARE = 1 / 3;
const PAID_BY_TREASURY = ['fees,reserves', 'fees,reserves', 'fees', 'reserves'];
/** The default refuses nearly every transfer to a contract: the first one of an asset declares about 450,000 stroops. */
const FEES_MAX_STROOPS = ['100000', '1000000', '1000000', '1000000'];
/** Of a team in a day. The customers of a simulation ask for more than a team does: mostly they get it. */
const BUDGETS_STROOPS = ['1000000000000', '1000000000000', '10000000', '20000'];

export async function simulate(seed: string, options: Options = {}): Promise<Report> {
  const random = seededRandom(`${seed}/setting`);
  const tally = new Tally();
  const randomFaults = new RandomFaults(seed, tally);
  const { fair = false } = options;
  const ofApprovals = seededRandom(`${seed}/approvals`);
  const { approvals = ofApprovals.chance(APPROVALS_SHARE) } = options;
  const ofPayouts = seededRandom(`${seed}/payouts`);
  const { payouts = ofPayouts.chance(PAYOUTS_SHARE) } = options;
  const world = await openSimulation({
    seed,
    tally,
    faults: randomFaults,
    print: options.print ?? null,
    ...(options.alterDeps && { alterDeps: options.alterDeps }),
    ...(options.seenAs && { seenAs: options.seenAs }),
    env: {
      CHANNELS_MAX: random.pick(['0', '30']),
      WITHDRAW_VALID_SECONDS: random.pick(['30', '60', '90']),
      WITHDRAW_WAIT_SECONDS: random.pick(['10', '45', '120']),
      ...random.pick(SCHEDULES),
      ...feesOf(random.fork('fees')),
      ...(approvals && { POLICY_DELAY_SECONDS: ofApprovals.pick(['5', '20', '300']) }),
      ...options.env,
    },
    nodes: random.integer(1, 2),
    wallets: random.integer(2, 5),
    unborn: random.integer(0, 1),
    channels: random.pick([0, 1, 5, 19, 19]),
    roles: rolesOf(payouts),
    processes: random.integer(1, 3),
    teams: approvals,
    fair,
    skewed: random.chance(0.5) && !fair, // S11
  });
  try {
    if (random.chance(0.3)) world.desk.limits.push(...(await setLimits(world, random.fork('limits'))));
    if (approvals) await setRules(world, ofApprovals, options.rules);
    const members = approvals ? MEMBERS : 0;
    const { customers = random.integer(5, 20 + 3 * world.accounts.channels.length) } = options;
    const pause_ms = random.pick([500, 2_000, 8_000]);
    const inbox_users = options.inbox_users ?? random.pick(INBOX_USERS);
    const served = Promise.all([
      ...Array.from({ length: customers }, () => serve(world.desk, pause_ms)),
      ...Array.from({ length: COMPANIES }, () => integrate(world.desk, random.pick([2_000, 10_000]))),
      ...Array.from({ length: OWNERS }, () => lookAfterEndpoints(world.desk, random.pick([2_000, 10_000]))),
      ...Array.from({ length: inbox_users }, () =>
        workThroughInbox(world.desk, random.pick([1_000, 5_000, 20_000])),
      ),
      ...Array.from({ length: ASSET_USERS }, () => changeAssets(world.desk, random.pick([5_000, 20_000]))),
      ...Array.from({ length: members }, () =>
        decideAboutRequests(world.desk, ofApprovals.pick([1_000, 4_000])),
      ),
      ...Array.from({ length: Math.sign(members) }, () =>
        changeTeams(world.desk, ofApprovals.pick([10_000, 40_000])),
      ),
      ...(payouts ? filesOf(world, ofPayouts) : []),
      ...world.accounts.issues
        .filter(({ power }) => power !== 'none')
        .map((issue) => useThePowerOf(world, issue, random.pick([10_000, 40_000]))),
      ...world.accounts.payers.map((payer) => payIn(streetOf(world, random), payer)),
    ]).then(() => world.scheduler.sleep(world.world, PAYERS_MS));
    const kinds = fair ? NONE : kindsOf(world, randomFaults, options.disaster);
    const disasters = brew({ ...world, random: random.fork('disasters') }, kinds, () => world.desk.closing);
    randomFaults.raging = !fair;
    await world.elapse(options.storm_ms ?? random.integer(STORM_MS.shortest, STORM_MS.longest));
    for (let looks = MOST_LOOKS; options.until && looks > 0; looks--) {
      if (options.until(await world.evidence())) break;
      await world.elapse(UNTIL_MS);
    }
    randomFaults.raging = false;
    world.desk.closing = true;
    while (disasters.striking()) await world.elapse(LOOK_MS);
    disasters.clearUp();
    await untilQuiet(world, served);
    if (approvals) await untilDecided({ ...world, random: ofApprovals });
    await untilPaid(world);
    if (random.chance(0.5)) await passTimeDuring(world, startAgain(world.desk, world.office.deps));
    await passTimeDuring(world, world.compareBooks());
    await passTimeDuring(world, world.listAssets());
    await passTimeDuring(world, world.showPayouts());
    await untilDelivered(world);
    return await world.report();
  } finally {
    await world.close();
  }
}

/** Who pays fees, and how much at most. */
function feesOf(random: Random): Record<string, string> {
  const TREASURY_PAYS = random.chance(TREASURY_SHARE) ? random.pick(PAID_BY_TREASURY) : '';
  const FEE_MAX_STROOPS = random.pick(FEES_MAX_STROOPS);
  return {
    TREASURY_PAYS,
    CHANNEL_FEES: random.fork('channels').pick(['wallet', 'channel']),
    FEE_MAX_STROOPS,
    CONTRACT_FEE_MAX_STROOPS: FEE_MAX_STROOPS,
    TREASURY_TEAM_DAILY_STROOPS: random.pick(BUDGETS_STROOPS),
  };
}

/** What befalls a treasury befalls none that pays nothing. */
function kindsOf({ config }: SimulatedService, known: RandomFaults, sure?: string) {
  const pays = config.treasury_pays.fees || config.treasury_pays.reserves;
  return {
    isOn: (name: string) => name === sure || (known.isOn(name) && (pays || !OF_TREASURY.has(name))),
  };
}

function streetOf({ desk, network }: SimulatedService, random: Random): Street {
  const pause_ms = random.pick([2_000, 8_000, 20_000]);
  const operations = random.pick([
    [1, 1, 1, 2, 3, 10],
    [1, 2, 5, 30, 100],
  ]);
  return { desk, network, rates: { pause_ms, operations } };
}

/** Until every customer is gone and everything is decided, at the latest when it must be. */
export async function untilQuiet(world: SimulatedService, served: Promise<unknown>): Promise<void> {
  let gone = false;
  void served.then(() => {
    gone = true;
  });
  const look = async () => {
    let looked = false;
    void lookAfter(world.office).then(() => {
      looked = true;
    });
    do await world.elapse(LOOK_MS);
    while (!looked);
  };
  while (!gone) await look();
  const open = await world.undecided();
  const valid_ms = world.config.withdraw_valid_seconds * 1000;
  const again_ms = (await world.quarantined()) > 0 ? QUARANTINE_MS : 0;
  const deadline_ms =
    world.scheduler.now_ms + again_ms + CALM_MS + 2 * valid_ms + open * CALM_PER_WITHDRAWAL_MS;
  while (world.scheduler.now_ms < deadline_ms && (await isOpen(world))) await look();
  await world.elapse(LOOK_MS); // tx_sources are given back
}

/** Members decide about a half of what is left, and a day later the rest is over. */
async function untilDecided(world: SimulatedService): Promise<void> {
  await passTimeDuring(world, unfreezeAll(world.desk, world.office.deps));
  const decided = (await world.awaiting()).filter((_, index) => index % 2 === 1);
  await passTimeDuring(world, decideAboutAll(world.desk, decided));
  await untilQuiet(world, Promise.resolve());
  for (let days = MOST_DAYS; days > 0 && (await world.awaiting()).length > 0; days--) {
    const stop = async () => void (await Promise.all(world.fleet.running.map((process) => process.stop())));
    await passTimeDuring(world, aDayPasses(world, stop));
    await untilQuiet(world, Promise.resolve());
  }
}

/** Without payouts the loop for them does not run. */
function rolesOf(payouts: boolean): Roles {
  return payouts ? ['settler', 'payouts', 'ingester', 'deliverer'] : ['settler', 'ingester', 'deliverer'];
}

function filesOf({ desk }: SimulatedService, random: Random): Promise<void>[] {
  return Array.from({ length: PAYERS_OF_FILES }, () => payFiles(desk, random.pick([500, 1_000, 4_000])));
}

/** A half of what is paused goes on, and what is paused again ends. */
async function untilPaid(world: SimulatedService): Promise<void> {
  if (world.desk.payout_uploads.length === 0) return;
  await passTimeDuring(
    world,
    endPayouts(world.desk, (index) => (index % 2 === 0 ? 'resume' : 'cancel')),
  );
  await untilQuiet(world, Promise.resolve());
  await passTimeDuring(
    world,
    endPayouts(world.desk, () => 'cancel'),
  );
  await untilQuiet(world, Promise.resolve());
}

/** Nothing happens in the world unless time goes by. */
export async function passTimeDuring(world: SimulatedService, work: Promise<void>): Promise<void> {
  let done = false;
  const ended = work.finally(() => {
    done = true;
  });
  while (!done) await world.elapse(LOOK_MS);
  await ended;
}

/** To receivers that answer. */
async function untilDelivered(world: SimulatedService): Promise<void> {
  const deadline_ms = world.scheduler.now_ms + DELIVERED_MS;
  while (world.scheduler.now_ms < deadline_ms && (await world.due()) > 0) await world.elapse(LOOK_MS);
}

async function isOpen(world: SimulatedService): Promise<boolean> {
  const { undecided, unpaid, unread, quarantined, scheduler, fleet } = world;
  const late_ms = Math.max(...fleet.skews_ms.map(Math.abs));
  const over = (await world.awaiting()).some(({ ends_ms }) => ends_ms + late_ms < scheduler.now_ms);
  return (
    over ||
    (await unpaid()) > 0 ||
    (await undecided()) > 0 ||
    (await unread()) > 0 ||
    (await quarantined()) > 0
  );
}
