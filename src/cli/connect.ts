import type { Config } from '../config.ts';
import { openConnections } from '../db/connections.ts';
import type { Db } from '../db/database.ts';
import { bindInstallation, findKeyCheck, requireSameKey } from '../db/installation.ts';
import { migrate } from '../db/migrate.ts';
import type { Deps } from '../deps.ts';
import { readWithdrawalCursor } from '../ledgers/withdrawal-cursor.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { watchPools } from '../lib/metrics/process-metrics.ts';
import { createMetrics, type Metrics } from '../lib/metrics.ts';
import { NO_TRACES, type Traces } from '../lib/traces.ts';
import { createMailer } from '../outgoing/mailer.ts';
import { resolveByDns } from '../outgoing/resolve-host.ts';
import { createStellar } from '../stellar/create-stellar.ts';
import { createHomeDomains, NO_LOOKUPS } from '../stellar/home-domains/home-domains.ts';
import { deriveKey } from '../vault/derive-key.ts';
import { NO_KEY_JOURNAL, openKeyJournal } from '../vault/key-journal.ts';
import { loadMasterKey } from '../vault/master-key.ts';
import { createSecrets } from '../vault/secrets.ts';
import { createVault } from '../vault/vault.ts';
import { showChangedLines } from '../withdrawals/trust-lines/told-assets.ts';
import { protectMemory } from './protect-memory.ts';

/** For each started component a function that stops it, in the order of the starts. */
export type Stops = (() => Promise<void> | void)[];

/**
 * Makes the dependencies of all slices for this database and this network. `generated_file`: the file of a new master
 * key, or null. @throws InstallationMismatch when database, network and master key do not belong together.
 */
export async function connect(
  config: Config,
  at: { url: string; rpc_urls: string[] },
  log: Log,
  stops: Stops,
) {
  await migrate(at.url, config.migration_database_url);
  const { connections, pools, close } = openConnections(at.url, log);
  stops.push(close);
  const { horizon_urls, passphrase } = config;
  const metrics = createMetrics();
  watchPools(metrics, pools);
  const traces = await startTraces(config, log, metrics);
  stops.push(() => traces.close());
  const stellar = createStellar({
    rpc_urls: at.rpc_urls,
    horizon_urls,
    passphrase,
    clock: systemClock,
    log,
    metrics,
  });
  stops.push(() => stellar.close());
  const home_domains = config.issuer_lookups
    ? createHomeDomains({ clock: systemClock, log, resolve: resolveByDns })
    : NO_LOOKUPS;
  stops.push(() => home_domains.close());
  const { key_check, generated_file, ...keys } = await connectKeys(config, connections.db, log);
  stops.push(() => keys.key_journal.close());
  const deps: Deps = {
    config,
    ...connections,
    stellar,
    home_domains,
    showChangedLines: (changed) => showChangedLines(deps, changed),
    mailer: config.mail && createMailer(config.mail, systemClock),
    ...keys,
    clock: systemClock,
    log,
    metrics,
    traces,
  };
  await bindInstallation(
    connections.db,
    { network: config.network, passphrase: config.passphrase, key_check },
    () => stellar.latestLedger(),
  );
  return { deps, generated_file };
}

/** The packages that send traces are loaded only where somebody wants them. */
async function startTraces({ traces }: Config, log: Log, metrics: Metrics): Promise<Traces> {
  if (traces === null) return NO_TRACES;
  const { createOtelTraces } = await import('../lib/traces/otel-traces.ts');
  return createOtelTraces(traces, { log, metrics });
}

/**
 * Opens the vault and the key journal with the master key, which only the first start of an installation makes.
 * `generated_file`: its file then.
 * @throws OperatorError when the master key is missing, or is not the one of this database.
 */
export async function connectKeys(config: Config, db: Db, log: Log) {
  protectMemory(config.network, log);
  const bound = await findKeyCheck(db);
  const { key, generated_file, exposed } = loadMasterKey({ ...config, may_create: bound === null });
  if (exposed) log.warn('MASTER_KEY stays readable in the environment of this process: use MASTER_KEY_FILE');
  const key_check = deriveKey(key, 'key check');
  if (bound) requireSameKey(bound, key_check);
  const processedLedger = async () => (await readWithdrawalCursor(db))?.ledger ?? null;
  return {
    key_check,
    generated_file,
    vault: createVault(key),
    secrets: createSecrets(key),
    key_journal: config.key_journal
      ? await openKeyJournal(config.key_journal, key_check, processedLedger)
      : NO_KEY_JOURNAL,
    jwt_key: deriveKey(key, 'login tokens'),
    device_key: deriveKey(key, 'known devices'),
  };
}
