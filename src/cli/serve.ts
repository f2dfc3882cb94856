/**
 * `teller serve`: starts the components of the service in the order of their dependencies, and stops them in reverse
 * order.
 */
import type { AddressInfo } from 'node:net';
import { startAlerts } from '../alerts/alert-loop.ts';
import { LEASE_MS as ALERT_LEASE_MS } from '../alerts/alert-sender.ts';
import { endLeases as endAlertLeases } from '../alerts/alert-store.ts';
import { buildApp } from '../api/app.ts';
import { createDatabaseGauges } from '../api/database-gauges.ts';
import { watchKeyProvider } from '../api/key-provider.ts';
import { watchProtocols } from '../api/known-sources.ts';
import { startMetricsServer } from '../api/metrics-server.ts';
import { completeJournal, missingKeys } from '../api/missing-keys.ts';
import { followSealingKey } from '../api/sealing-key.ts';
import { createReadiness } from '../api/service-routes.ts';
import { canChangeEntries } from '../audit/audit-store.ts';
import type { Config } from '../config.ts';
import { deleteOldRequests } from '../db/idempotent-requests.ts';
import { InstallationMismatch } from '../db/installation.ts';
import { listen } from '../db/listen.ts';
import { schemaCheck } from '../db/schema-check.ts';
import { startIngester } from '../deposits/ingest/ingest-deposits.ts';
import { startReconcileLoop } from '../deposits/reconcile/reconcile-loop.ts';
import type { Deps } from '../deps.ts';
import { dataDirRefused, lockDataDir } from '../embedded-postgres/server/data-dir-lock.ts';
import type { HttpApp } from '../http/http-app.ts';
import { systemClock } from '../lib/clock.ts';
import { AppError, type ErrorCode, OperatorError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { startLoop } from '../lib/loop.ts';
import { watchProcess } from '../lib/metrics.ts';
import type { AloneOptions } from '../sandbox/sandbox-network.ts';
import { startDeliverer } from '../webhooks/delivery/deliverer.ts';
import { endLeases as endDeliveryLeases } from '../webhooks/store/delivery-store.ts';
import { startUpkeep } from '../webhooks/upkeep.ts';
import { startExpiry } from '../withdrawals/approvals/expiry.ts';
import { requireTreasury, usesTreasury } from '../withdrawals/channels/treasury-pays.ts';
import { startTreasuryWatch } from '../withdrawals/channels/treasury-watch.ts';
import { createWithdrawalEngine } from '../withdrawals/engine/engine.ts';
import { endLeases as endWithdrawalLeases } from '../withdrawals/engine/leases.ts';
import { OUTCOMES_CHANNEL } from '../withdrawals/engine/store.ts';
import { ENGINE_HOOKS } from '../withdrawals/engine-hooks.ts';
import { startPayouts } from '../withdrawals/payouts/payout-loop.ts';
import { banner, describeNetwork } from './banner.ts';
import { beginAtZero } from './begin-at-zero.ts';
import { connect, type Stops } from './connect.ts';
import { ensureFirstUser } from './first-user.ts';
import { giveBackMemory } from './give-back-memory.ts';
import { requireOpenFiles } from './open-files.ts';
import type { Role } from './roles.ts';
import { openStorage } from './storage.ts';
import { watchArchive } from './watch-archive.ts';
import { watchDisks } from './watch-disks.ts';

export type Service = {
  url: string | null;
  /** Resolves with the reason when the service cannot continue, and must be stopped. */
  failed: Promise<OperatorError>;
  stop(): Promise<void>;
};

/** How the bundled sandbox behaves. `stopping` ends a start at its next wait for a lock, or at the next step. */
export type ServeOptions = Pick<AloneOptions, 'faults' | 'rpc_like' | 'protocol'> & {
  stopping?: AbortSignal;
};

/** A load balancer learns from the answers of this time that the service stops. */
const DRAIN_MS = 500;
/** Time for open requests to finish during a stop. Another process continues the open withdrawals. */
const STOP_GRACE_MS = 10_000;
/** Time to send the responses to requests that did not finish in STOP_GRACE_MS. */
const LAST_ANSWERS_MS = 2_000;
const OLD_REQUESTS_LOOK_MS = 60_000;
const SCHEMA_LOOK_MS = 5_000;
const SEALING_KEY_LOOK_MS = 2_000;
const JOURNAL_LOOK_MS = 600_000;

/**
 * Starts the service and prints the banner. After a failure, stops the components that were started.
 * @throws OperatorError for faults that the operator can fix; any other error of a component; the reason of `stopping`.
 */
export async function serve(
  config: Config,
  roles: ReadonlySet<Role>,
  log: Log,
  options: ServeOptions = { faults: false },
): Promise<Service> {
  const stops: Stops = [];
  const stopAll = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    const { url, failed } = await start(config, roles, log, { ...options, stops });
    return { url, failed, stop: stopAll };
  } catch (error) {
    await stopAll();
    throw dataDirRefused(config.data_dir, error) ?? error;
  }
}

function refuseSandboxOptions({ faults, rpc_like, protocol }: ServeOptions): void {
  const option = (faults && '--faults') || (rpc_like && '--rpc-like') || (protocol && '--protocol');
  if (option) throw new OperatorError(`${option} is for the bundled sandbox only.`);
}

async function start(
  config: Config,
  roles: ReadonlySet<Role>,
  log: Log,
  { stops, ...options }: ServeOptions & { stops: Stops },
) {
  const ownSandbox =
    config.network === 'sandbox' && config.rpc_urls.length + config.horizon_urls.length === 0;
  if (!ownSandbox) refuseSandboxOptions(options);
  requireOpenFiles();
  warnAboutRoot(log);
  if (ownSandbox || !config.database_url) {
    const lock = lockDataDir(config.data_dir);
    stops.push(() => lock.release());
  }
  const [storage, rpc_urls] = await both(
    openStorage(config, log).then((opened) => {
      stops.push(() => opened.close());
      return opened;
    }),
    ownSandbox ? startNetwork(config, log, { ...options, stops }) : Promise.resolve(config.rpc_urls),
  );
  const { stopping } = options;
  stopping?.throwIfAborted();
  const at = { url: storage.url, rpc_urls };
  const { deps, generated_file } = await connect(config, at, { log, stops, stopping });
  await requireTreasury(deps);
  await tellAuditRights(deps);
  const demo_login = await ensureFirstUser(deps);
  await checkKeyJournal(deps);
  keepJournalComplete(deps, stops);
  await watchDisks(deps, stops);
  const provider_watch = watchKeyProvider(deps);
  stops.push(() => provider_watch?.stop());
  // The lock of DATA_DIR proves that no other process uses its database: every process that held a lease has ended.
  if (!config.database_url) await endLeases(deps);
  watchArchive(deps, stops);
  watchProcess(deps.metrics);
  beginAtZero(deps.metrics);
  if (usesTreasury(config)) {
    const watch = startTreasuryWatch(deps);
    stops.push(() => watch.stop());
  }
  const protocols = watchProtocols(deps);
  stops.push(() => protocols.stop());
  stopping?.throwIfAborted(); // before any work begins
  const refresh = createDatabaseGauges(deps);
  const metrics = await startMetricsServer(config, deps.metrics, createReadiness(deps), refresh);
  stops.push(() => metrics.stop());
  const failed = Promise.race([storage.lost, schemaOutgrown(deps, stops), sealingKeyLost(deps, stops)]);
  const url = await startRoles(deps, roles, { stops, failed });
  giveBackMemory();

  const warnings = [
    ...(config.network === 'public' && deps.key_journal.path === null ? [NO_JOURNAL] : []),
    ...(generated_file
      ? [`A new master key is in ${generated_file}. Keep a copy: without this key every wallet is lost.`]
      : []),
    ...(config.database_url
      ? []
      : [
          'The embedded database is for trials and small installations. Set DATABASE_URL to use your own PostgreSQL.',
        ]),
  ];
  // On other networks only JSON lines go to a log; the banner with the demo password is for people.
  if (config.network === 'sandbox' || process.stdout.isTTY) {
    const network = ownSandbox ? `${config.network} (${rpc_urls})` : describeNetwork(config);
    process.stdout.write(
      banner({
        url: url ?? '(no api role)',
        network,
        database: storage.description,
        metrics: metrics.url,
        demo_login,
        warnings,
      }),
    );
  }
  log.info({ url, network: config.network, database: storage.description, roles: [...roles] }, 'started');
  return { url, failed };
}

function warnAboutRoot(log: Log): void {
  if (process.geteuid?.() === 0) log.warn(RUNS_AS_ROOT);
}

/** Waits for both, unlike Promise.all also when one fails, so that the other one can be stopped. */
async function both<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return [await a, await b];
}

/** Says at each start how much the audit log is worth against who has the rights of the service. */
async function tellAuditRights({ db, log }: Deps): Promise<void> {
  if (await canChangeEntries(db))
    log.info(
      'only triggers keep the audit log from changes: the database role of the service could remove them (see MIGRATION_DATABASE_URL)',
    );
  else log.info('the database role of the service cannot change the audit log');
}

/** Completes a journal that is new, and says what the database lacks. Without a journal, says what that means. */
async function checkKeyJournal(deps: Deps): Promise<void> {
  const { config, log, key_journal } = deps;
  if (key_journal.path === null) {
    if (config.network === 'public') log.warn(NO_JOURNAL);
    return;
  }
  try {
    const { added, resealed } = await completeJournal(deps);
    if (added > 0) log.info({ added }, 'keys that the key journal lacked are recorded in it');
    if (resealed > 0) log.info({ resealed }, RECORDED_AGAIN);
  } catch (error) {
    const passing = error instanceof AppError ? COMPLETED_LATER[error.code] : undefined;
    if (passing === undefined) throw error;
    log.warn({ err: error }, `${passing}, so the key journal is completed later`); // keepJournalComplete
  }
  const { length: missing } = await missingKeys(deps);
  if (missing > 0) log.error({ missing }, MISSING_KEYS);
}

/** A start works without the provider, and with a full journal: deposits must not stop. */
const COMPLETED_LATER: Partial<Record<ErrorCode, string>> = {
  key_provider_unavailable: 'the key provider is away',
  key_journal_unavailable: 'nothing can be written to it',
};

/** Completes the key journal from time to time: a process without KEY_JOURNAL may make keys beside this one. */
function keepJournalComplete(deps: Deps, stops: Stops): void {
  const { key_journal, clock, log, metrics } = deps;
  if (key_journal.path === null) return;
  const step = async () => {
    try {
      const { added, resealed } = await completeJournal(deps);
      if (resealed > 0) log.info({ resealed }, RECORDED_AGAIN);
      if (added > 0)
        log.warn({ added }, 'another process has made keys without recording them; now they are');
    } catch (error) {
      log.error({ err: error }, 'the key journal cannot be completed'); // the next look tries again
    }
    return false;
  };
  const loop = startLoop({ name: 'key journal', step, idle_ms: JOURNAL_LOOK_MS, clock, log, metrics });
  stops.push(() => loop.stop());
}

const RUNS_AS_ROOT =
  'Stellar Teller runs as root: a fault in it gives away the whole machine. Give it a user of its own, as the operating guide says.';
const NO_JOURNAL =
  'KEY_JOURNAL is not set. If the database is restored, wallets made after the backup are lost with their money; see the operating guide.';
const RECORDED_AGAIN =
  'keys of the key journal are recorded again, sealed with the master key that seals now';
const MISSING_KEYS =
  'The database lacks keys that the key journal has (was it restored?). "teller keys recover" brings them back; see the runbook.';

/** Resolves when a newer version has changed the schema so that this one cannot work with it. */
function schemaOutgrown(deps: Deps, stops: Stops): Promise<OperatorError> {
  const { clock, log, metrics } = deps;
  const outgrown = Promise.withResolvers<OperatorError>();
  const check = schemaCheck(deps.pool);
  const step = async () => {
    const reason = await check();
    if (reason) outgrown.resolve(new OperatorError(reason));
    return false;
  };
  const loop = startLoop({ name: 'schema', step, idle_ms: SCHEMA_LOOK_MS, clock, log, metrics });
  stops.push(() => loop.stop());
  return outgrown.promise;
}

/** Follows the master key that the database names. Resolves when a rotation has named one that this process lacks. */
function sealingKeyLost(deps: Deps, stops: Stops): Promise<OperatorError> {
  const { clock, log, metrics } = deps;
  const lost = Promise.withResolvers<OperatorError>();
  const step = async () => {
    try {
      await followSealingKey(deps);
    } catch (error) {
      if (!(error instanceof InstallationMismatch)) throw error;
      lost.resolve(error);
    }
    return false;
  };
  const loop = startLoop({ name: 'sealing key', step, idle_ms: SEALING_KEY_LOOK_MS, clock, log, metrics });
  stops.push(() => loop.stop());
  return lost.promise;
}

async function endLeases({ db, clock }: Deps): Promise<void> {
  await endWithdrawalLeases(db, clock.now());
  await endDeliveryLeases(db, clock.now());
  await endAlertLeases(db, { now: clock.now(), longest_lease_ms: ALERT_LEASE_MS });
}

/** Starts the bundled network. The service reaches it over HTTP, like any other network. */
async function startNetwork(
  config: Config,
  log: Log,
  { stops, ...options }: ServeOptions & { stops: Stops },
): Promise<string[]> {
  const { launchSandbox } = await import('../sandbox/sandbox-network.ts');
  const sandbox = await launchSandbox(config, log, options);
  stops.push(() => sandbox.stop());
  return [sandbox.rpc_url];
}

async function startRoles(
  deps: Deps,
  roles: ReadonlySet<Role>,
  { stops, failed }: { stops: Stops; failed: Promise<unknown> },
): Promise<string | null> {
  if (roles.has('ingester')) {
    const ingester = startIngester(deps);
    stops.push(() => ingester.stop());
    const reconcileLoop = startReconcileLoop(deps);
    stops.push(() => reconcileLoop.stop());
  }
  if (roles.has('deliverer')) {
    const deliverer = startDeliverer(deps);
    stops.push(() => deliverer.stop());
    const upkeep = startUpkeep(deps);
    stops.push(() => upkeep.stop());
    const alerts = startAlerts(deps);
    stops.push(() => alerts.stop());
  }
  const paying = { ...deps, hooks: ENGINE_HOOKS };
  // An api process runs the whole engine: withdrawals get their outcomes even when no settler runs.
  const engine = createWithdrawalEngine(paying);
  stops.push(() => engine.stop());
  if (roles.has('settler') || roles.has('api')) {
    engine.start();
    const listener = listen(deps, OUTCOMES_CHANNEL, () => engine.checkOutcomes());
    stops.push(() => listener.stop());
    const payouts = startPayouts(paying, engine);
    stops.push(() => payouts.stop());
  }
  if (roles.has('settler')) {
    const expiry = startExpiry(deps);
    stops.push(() => expiry.stop());
  }
  if (!roles.has('api')) return null;
  const old_requests = startLoop({
    ...deps,
    name: 'old requests',
    step: () => deleteOldRequests(deps.db, deps.clock.now()),
    idle_ms: OLD_REQUESTS_LOOK_MS,
  });
  stops.push(() => old_requests.stop());
  const app = await buildApp(deps, engine);
  stops.push(() => closeApp(app, engine.stop, failed));
  return listenOn(app, deps.config);
}

/**
 * Answers new requests with 503 for DRAIN_MS, because a closed listener would reset the connections that have just
 * come. Then closes the listener and waits STOP_GRACE_MS for the open requests. Then open withdrawals are answered with 504 and
 * left to another process: at once when the service has failed. A client that is still connected never ends its request or reads no response: it is cut off.
 */
async function closeApp(
  app: HttpApp,
  stopEngine: () => Promise<void>,
  failed: Promise<unknown>,
): Promise<void> {
  app.drain();
  await systemClock.sleep(DRAIN_MS);
  const closed = app.close();
  await waitFor(Promise.race([closed, failed]), STOP_GRACE_MS);
  await stopEngine();
  await waitFor(closed, LAST_ANSWERS_MS);
  app.server.closeAllConnections();
  await closed;
}

/** Waits for `work`, at most `ms` milliseconds. */
async function waitFor(work: Promise<unknown>, ms: number): Promise<void> {
  const done = new AbortController();
  await Promise.race([work, systemClock.sleep(ms, done.signal)]);
  done.abort();
}

async function listenOn(app: HttpApp, config: Config): Promise<string> {
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error;
    throw new OperatorError(`Port ${config.port} on ${config.host} is taken. Set PORT to another port.`, {
      cause: error,
    });
  }
  const { port } = app.server.address() as AddressInfo;
  // By its name: browsers allow no passkey at an address.
  const name = config.host === '127.0.0.1' ? 'localhost' : config.host;
  const host = name.includes(':') ? `[${name}]` : name;
  return `http://${host}:${port}`;
}
