/** Everything that a simulation consists of, on a database of its own and virtual time, made from a seed. */
import { type Config, readConfig } from '../../src/config.ts';
import { compareBooks } from '../../src/deposits/reconcile/compare-books.ts';
import { createLog } from '../../src/lib/log.ts';
import { assetText } from '../../src/stellar/asset.ts';
import { createKeys } from '../../src/vault/keys.ts';
import { createWalletAccess } from '../../src/wallets/access.ts';
import { fullChannelStroops } from '../../src/withdrawals/engine/channel-fees.ts';
import type { EngineDeps } from '../../src/withdrawals/engine/hooks.ts';
import { listPayouts } from '../../src/withdrawals/payouts/payout-store.ts';
import { showPayouts } from '../../src/withdrawals/payouts/show-payouts.ts';
import { listAssets } from '../../src/withdrawals/trust-lines/assets.ts';
import type { Ask } from '../oracle/ask.ts';
import { audit, remember } from '../oracle/audit.ts';
import type { Evidence } from '../oracle/evidence.ts';
import type { PayoutEvidence } from '../oracle/payout-evidence.ts';
import { readEvidence } from '../oracle/read-database.ts';
import { countDue, readWebhooks } from '../oracle/read-webhooks.ts';
import { violations } from '../oracle/violations.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { createAccounts } from './accounts.ts';
import { type KillableOwner, SimDatabase } from './database.ts';
import type { Desk } from './desk.ts';
import type { DisasterContext } from './disaster-context.ts';
import type { Faults, Tally } from './faults.ts';
import { Fleet } from './fleet.ts';
import type { NetworkFault } from './network-faults.ts';
import type { Office } from './operator.ts';
import { depsOf, type Machine, type Roles } from './process.ts';
import { Receivers } from './receivers.ts';
import { Scheduler } from './scheduler.ts';
import { useSeed } from './seeded-keys.ts';
import { SimulatedNetwork } from './simulated-network.ts';
import { RPC_URLS, transportOf } from './transport.ts';
import type { TreasuryPays } from './treasury-disasters.ts';

export type Report = {
  seed: string;
  /** The same for the same seed, byte for byte of what happened. */
  digest: string;
  violations: string[];
  evidence: Evidence;
  tally: Tally;
  leadership: { takeovers: number; overtaken: number };
  simulated_ms: number;
};

export type SimulationSetting = {
  seed: string;
  faults: Faults;
  tally: Tally;
  print: ((line: string) => void) | null;
  /** Of the service. */
  env: Record<string, string>;
  nodes: number;
  wallets: number;
  /** Of those, how many have no account on the ledger yet. */
  unborn: number;
  channels: number;
  /** Whether wallets are of teams with members, whose approvals they may need. */
  teams: boolean;
  roles: Roles;
  processes: number;
  skewed: boolean;
  /** Nothing goes wrong. */
  fair: boolean;
  alterDeps?: (deps: EngineDeps) => EngineDeps;
  /** As whom the service sees who asks for a withdrawal. */
  seenAs?: Desk['seenAs'];
};

export type SimulatedService = Omit<DisasterContext, 'random'> & {
  random: Random;
  desk: Desk;
  config: Config;
  office: Office;
  /** Runs the world for so long, beside the days that are skipped. */
  elapse(ms: number): Promise<void>;
  /** Withdrawals without an outcome. */
  undecided(): Promise<number>;
  /** Payouts that run, and rows whose withdrawals have their outcomes without them. */
  unpaid(): Promise<number>;
  /** Withdrawals and payouts that await approvals. */
  awaiting(): Promise<AwaitingRequest[]>;
  /** Ledgers with transactions that the ingester has not come to. */
  unread(): Promise<number>;
  /** Transactions that it could not read. */
  quarantined(): Promise<number>;
  /** Deliveries that are claimed, or that some process should have claimed by now. */
  due(): Promise<number>;
  /** As the service does by itself, slowly; while the world runs. */
  compareBooks(): Promise<void>;
  /** Asks for the assets of every wallet; while the world runs. */
  listAssets(): Promise<void>;
  /** Asks for the payouts of every wallet; while the world runs. */
  showPayouts(): Promise<void>;
  /** As it is now. */
  evidence(): Promise<Evidence>;
  report(): Promise<Report>;
  close(): Promise<void>;
};

export type AwaitingRequest = { id: string; wallet_id: string; order_hash: string; ends_ms: number };

const MOST_SHOWN = 10_000;
const MASTER_KEY = Buffer.alloc(32, 7);

export async function openSimulation(setting: SimulationSetting): Promise<SimulatedService> {
  const { seed, faults, print, tally } = setting;
  const random = seededRandom(seed);
  const scheduler = new Scheduler(random.fork('order'), print);
  const owner = { name: 'world', alive: true };
  const log = createLog('silent', false);
  const { keyOf } = useSeed(seed);
  const storage = await createTestDatabase();
  const database = await SimDatabase.open(storage.url, log, {
    scheduler,
    random: random.fork('database'),
    faults,
  });
  const network = new SimulatedNetwork(scheduler, owner, log, (account) => keyOf(account) !== undefined);
  const ask: Ask = (sql, values) => database.ask(sql, values);
  await audit(ask);
  await remember(ask);
  const config = readConfig({
    DATABASE_URL: storage.url,
    MASTER_KEY: MASTER_KEY.toString('base64'),
    STELLAR_RPC_URL: RPC_URLS.slice(0, setting.nodes).join(','),
    ...setting.env,
  });
  const keys = createKeys([MASTER_KEY]);
  const accounts = await createAccounts({
    key_check: keys.key_ring.sealing().check,
    seed,
    network,
    vault: keys.vault,
    config,
    keyOf,
    count: setting.wallets,
    unborn: setting.unborn,
    channels: setting.channels,
    teams: setting.teams,
    db: database.direct(),
    random: random.fork('stage'),
    now: new Date(scheduler.now_ms),
  });
  scheduler.now_ms = Number(network.latest.close_time) * 1000; // setting the accounts took its time
  const began_ms = scheduler.now_ms;
  network.start(random.fork('ledgers'), tally);
  const sent: string[] = [];
  const standing = new Map<string, NetworkFault>();
  const way = { scheduler, network, random: random.fork('network'), faults, sent, standing };
  const receivers = new Receivers({ scheduler, faults, world: owner, random: random.fork('receivers') });
  const machine: Machine = {
    scheduler,
    database,
    config,
    keys,
    log,
    roles: setting.roles,
    transport: (process: KillableOwner) => transportOf(way, process),
    pools: (process: KillableOwner) => receivers.poolsOf(process),
    jitter: random.fork('jitter'),
    alterDeps: setting.alterDeps ?? ((deps: EngineDeps) => deps),
  };
  const fleet = new Fleet(machine, owner, random.fork('fleet'), {
    count: setting.processes,
    skewed: setting.skewed,
  });
  const calls: Evidence['calls'] = [];
  const inbox: Evidence['inbox'] = [];
  const desk: Desk = {
    scheduler,
    world: owner,
    accounts,
    seed,
    calls,
    serial: 1,
    closing: false,
    addresses: [],
    endpoints: [],
    endpoint_calls: [],
    asset_calls: [],
    limits: [],
    payout_uploads: [],
    payout_calls: [],
    decisions: [],
    approving: [],
    seenAs: setting.seenAs ?? ((actor) => actor),
    inbox,
    random: random.fork('customers'),
    process: () => fleet.any(),
    lineOf: (account, asset) => network.lineOf(account, asset),
  };
  const foreign: string[] = [];
  const settings: TreasuryPays[] = [config.treasury_pays];
  const treasuryNow = (): Evidence['treasury'] => {
    const account = accounts.treasury.publicKey();
    return {
      account,
      pays: settings.length === 1 ? config.treasury_pays : null,
      channel_stroops: config.channel_fees === 'channel' ? fullChannelStroops(config) : null,
      balance_stroops: network.balanceOf(accounts.treasury.rawPublicKey()),
      sponsoring: network.sponsoringOf(account),
      daily_stroops: config.treasury_team_daily_stroops,
    };
  };
  const operator = { name: 'operator', alive: true, kill: () => undefined };
  const office = {
    ask: (sql: string, values?: unknown[]) => scheduler.turn(operator, () => database.ask(sql, values)),
    uploads: desk.payout_uploads,
    calls,
    deps: depsOf(machine, operator, 0),
    transactions: network.transactions,
    note: (what: string) => scheduler.history.record(operator.name, what.trim()),
  };
  const history = { restored: false };
  const shown: { assets: Evidence['shown_assets']; payouts: PayoutEvidence['shown'] } = {
    assets: null,
    payouts: null,
  };
  let compared = false;
  const evidence = async (): Promise<Evidence> => {
    const { restored } = history;
    const { skews_ms } = fleet;
    const skews = { least: Math.min(...skews_ms), most: Math.max(...skews_ms) };
    const webhooks = await readWebhooks(ask, keys.secrets, {
      faultless: setting.fair,
      leases_ended: false,
      days_passed: scheduler.skipped_ms > 0,
      delivering: setting.roles.includes('deliverer'),
      retry_seconds: config.webhook_retry_seconds,
      now_ms: scheduler.now_ms,
      skews_ms: skews,
      receipts: receivers.receipts,
      calls: desk.endpoint_calls,
    });
    return readEvidence(ask, {
      transactions: network.transactions,
      calls,
      inbox,
      foreign,
      restored,
      webhooks,
      limits: desk.limits,
      asset_calls: desk.asset_calls,
      shown_assets: shown.assets,
      decisions: desk.decisions,
      paying: { uploads: desk.payout_uploads, calls: desk.payout_calls, shown: shown.payouts },
      approving: { passphrase: config.passphrase, skew_ms: Math.max(...skews_ms.map(Math.abs)) },
      treasury: treasuryNow(),
      latest_ledger: network.latest.sequence,
      latest_close_time: network.latest.close_time,
      returned_addresses: desk.addresses,
      opening: accounts.opening,
      compared,
      accountState: async (account) =>
        network.accountState(
          account,
          accounts.issues.map(({ asset }) => asset),
        ),
    });
  };
  return {
    scheduler,
    world: owner,
    tally,
    network,
    database,
    fleet,
    accounts,
    standing,
    sent,
    foreign,
    keyOf,
    random,
    desk,
    config,
    receivers,
    office,
    history,
    payAnew(treasury_pays) {
      settings.push(treasury_pays);
      machine.config = { ...machine.config, treasury_pays };
    },
    async elapse(ms) {
      const until_ms = scheduler.now_ms - scheduler.skipped_ms + ms;
      let skipped_ms: number;
      do {
        skipped_ms = scheduler.skipped_ms;
        await scheduler.run(() => false, until_ms + skipped_ms);
      } while (scheduler.skipped_ms > skipped_ms);
    },
    async undecided() {
      const sql = "select count(*)::int as open from withdrawals where status in ('queued', 'signed')";
      return (await database.ask(sql))[0].open;
    },
    async unpaid() {
      const sql = `select count(*)::int as open from payouts where status = 'running' or exists (
                     select from payout_rows where payout_id = payouts.id and payout_rows.status = 'pending')`;
      return (await database.ask(sql))[0].open;
    },
    async awaiting() {
      const sql = `select id, wallet_id, order_hash, extract(epoch from approval_expires_at)::float8 * 1000 as ends_ms
                     from (select id, wallet_id, order_hash, approval_expires_at, status from withdrawals
                           union all select id, wallet_id, order_hash, approval_expires_at, status from payouts) asked
                    where status = 'awaiting_approval' order by id`;
      return (await database.ask(sql)) as AwaitingRequest[];
    },
    async unread() {
      const [cursor] = await database.ask('select ledger from deposit_cursor');
      const last = network.transactions.at(-1)?.ledger ?? 0;
      return Math.max(0, last - (cursor?.ledger ?? 0));
    },
    async quarantined() {
      const sql = 'select count(*)::int as open from quarantined_transactions where resolved_at is null';
      return (await database.ask(sql))[0].open;
    },
    due: () => countDue(ask, scheduler.now_ms + Math.max(...fleet.skews_ms)),
    async compareBooks() {
      const wallets = await database.ask('select id, account from wallets order by id');
      compared = true;
      await compareBooks(office.deps, wallets as { id: string; account: string }[]);
    },
    async listAssets() {
      shown.assets = await shownAssets(database, office.deps);
    },
    async showPayouts() {
      shown.payouts = await shownPayouts(database, office.deps);
    },
    evidence,
    async report() {
      const known = await evidence();
      return {
        seed,
        evidence: known,
        tally,
        digest: scheduler.history.digest(),
        leadership: { takeovers: database.locks.takeovers, overtaken: database.overtaken },
        violations: [...database.violations, ...violations(known)],
        simulated_ms: scheduler.now_ms - scheduler.skipped_ms - began_ms,
      };
    },
    async close() {
      await database.close();
      network.closeStore();
      await storage.drop();
    },
  };
}

/** As the service shows them to an integration. */
async function shownAssets(database: SimDatabase, deps: EngineDeps): Promise<Evidence['shown_assets']> {
  const requireWallet = createWalletAccess(deps.db);
  const shown: NonNullable<Evidence['shown_assets']> = [];
  for (const { id: wallet_id } of await database.ask('select id from wallets order by id')) {
    const wallet = await requireWallet({ kind: 'api_key', wallet_id }, wallet_id);
    for (const { status, ...asset } of await listAssets(deps, wallet))
      shown.push({ wallet_id, asset: assetText(asset), status });
  }
  return shown;
}

/** As the service lists them. */
async function shownPayouts(
  database: SimDatabase,
  { db, clock }: EngineDeps,
): Promise<PayoutEvidence['shown']> {
  const found: NonNullable<PayoutEvidence['shown']> = [];
  for (const { id: wallet_id } of await database.ask('select id from wallets order by id')) {
    const payouts = await listPayouts(db, wallet_id, { limit: MOST_SHOWN, before: undefined });
    found.push(...(await showPayouts(db, { wallet_id, payouts }, clock.now())));
  }
  return found;
}
