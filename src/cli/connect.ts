import { beginWithProvider, openDataKeys, proveProvider } from '../api/key-provider.ts';
import { createWithSealingKey, requireKeys } from '../api/sealing-key.ts';
import type { Config } from '../config.ts';
import { openConnections } from '../db/connections.ts';
import { type Db, openDatabase } from '../db/database.ts';
import { bindInstallation } from '../db/installation.ts';
import { readSealingKey } from '../db/master-keys.ts';
import { migrate } from '../db/migrate.ts';
import { sessionName } from '../db/session-names.ts';
import type { Deps } from '../deps.ts';
import { newestProcessedLedger } from '../ledgers/both-cursors.ts';
import { systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { watchPools } from '../lib/metrics/process-metrics.ts';
import { createMetrics, type Metrics } from '../lib/metrics.ts';
import { NO_TRACES, type Traces } from '../lib/traces.ts';
import { createMailer } from '../outgoing/mailer.ts';
import { resolveByDns } from '../outgoing/resolve-host.ts';
import { createHomeDomains, NO_LOOKUPS } from '../stellar/home-domains/home-domains.ts';
import { createStellar } from '../stellar/sources/create-stellar.ts';
import { type KeyJournal, NO_KEY_JOURNAL, openKeyJournal } from '../vault/key-journal.ts';
import { createKeys, type Keys } from '../vault/keys.ts';
import type { KeyRing } from '../vault/master-keys/key-ring.ts';
import { loadKey, loadMasterKey } from '../vault/master-keys/master-key.ts';
import type { DataKeys } from '../vault/providers/data-keys.ts';
import { showChangedLines } from '../withdrawals/trust-lines/told-assets.ts';
import { protectMemory } from './protect-memory.ts';

/** For each started component a function that stops it, in the order of the starts. */
export type Stops = (() => Promise<void> | void)[];

/**
 * Makes the dependencies of all slices for this database and this network. `generated_file`: the file of a new master
 * key, or null. @throws InstallationMismatch when database, network and master key do not belong together; the reason of
 * `stopping`, which ends the wait for a lock.
 */
export async function connect(
  config: Config,
  at: { url: string; rpc_urls: string[] },
  { log, stops, stopping }: { log: Log; stops: Stops; stopping?: AbortSignal | undefined },
) {
  await migrate(at.url, { owner_url: config.migration_database_url, log, signal: stopping });
  stopping?.throwIfAborted();
  const metrics = createMetrics();
  const data_keys = await openDataKeys(config, log, metrics);
  stops.push(() => data_keys?.close());
  const { keys, generated_file } = loadKeys(config, { is_bound: await isBound(at.url, log), data_keys }, log);
  const { key_ring } = keys;
  const named = sessionName(
    key_ring.keys.map(({ id }) => id),
    data_keys?.provider.kind ?? null,
  );
  const { connections, pools, close } = openConnections(at.url, log, named);
  stops.push(close);
  const { horizon_urls, passphrase } = config;
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
  const { db } = connections;
  await requireKeys({ db, key_ring, data_keys, log });
  const key_journal = await openJournal(config, db, key_ring);
  stops.push(() => key_journal.close());
  const deps: Deps = {
    config,
    ...connections,
    stellar,
    home_domains,
    showChangedLines: (changed) => showChangedLines(deps, changed),
    mailer: config.mail && createMailer(config.mail, systemClock),
    ...keys,
    withSealingKey: createWithSealingKey({ db, key_ring, data_keys, log }),
    key_journal,
    clock: systemClock,
    log,
    metrics,
    traces,
  };
  const { network } = config;
  const { check: key_check } = key_ring.sealing();
  await bindInstallation(db, { network, passphrase, key_check }, () => stellar.latestLedger());
  await beginWithProvider({ db, key_ring, data_keys, log });
  await requireKeys({ db, key_ring, data_keys, log }); // another process may have bound it with another key
  await proveProvider({ db, key_ring, data_keys, log });
  return { deps, generated_file };
}

/** Starts to send traces, where somebody wants them. Only there the packages that send traces are loaded. */
async function startTraces({ traces }: Config, log: Log, metrics: Metrics): Promise<Traces> {
  if (traces === null) return NO_TRACES;
  const { createOtelTraces } = await import('../lib/traces/otel-traces.ts');
  return createOtelTraces(traces, { log, metrics });
}

/** Returns true when the database has had its first start, which makes the master key. */
async function isBound(url: string, log: Log): Promise<boolean> {
  const database = openDatabase(url, log);
  try {
    return (await readSealingKey(database.db)) !== null;
  } finally {
    await database.close();
  }
}

/**
 * Loads the master keys into locked memory. `is_bound`: the installation has had its first start, so no key is made.
 * `generated_file`: the file of a key that was made now, or null.
 * @throws OperatorError when a key is missing or unreadable, or both are the same
 */
function loadKeys(
  config: Config,
  { is_bound, data_keys }: { is_bound: boolean; data_keys: DataKeys | null },
  log: Log,
): { keys: Keys; generated_file: string | null } {
  protectMemory(config.network, log);
  const { key, generated_file, exposed } = loadMasterKey({ ...config, may_create: !is_bound });
  const previous = config.master_key_previous && loadKey(config.master_key_previous);
  if (previous?.key.equals(key))
    throw new OperatorError(
      'MASTER_KEY_PREVIOUS is the same key as MASTER_KEY. A rotation needs a new MASTER_KEY.',
    );
  if (exposed || previous?.exposed)
    log.warn('MASTER_KEY stays readable in the environment of this process: use MASTER_KEY_FILE');
  return { keys: createKeys(previous ? [key, previous.key] : [key], data_keys), generated_file };
}

/**
 * Loads the keys and opens the key journal of an installation, for a command.
 * @throws OperatorError when a key is missing; InstallationMismatch when it is not the one of this database
 */
export async function connectKeys(
  config: Config,
  db: Db,
  log: Log,
): Promise<Keys & { key_journal: KeyJournal }> {
  const data_keys = await openDataKeys(config, log, null);
  try {
    const { keys } = loadKeys(config, { is_bound: (await readSealingKey(db)) !== null, data_keys }, log);
    await requireKeys({ db, ...keys, log });
    await proveProvider({ db, ...keys, log }); // with another key every seed would look broken
    return { ...keys, key_journal: await openJournal(config, db, keys.key_ring) };
  } catch (error) {
    await data_keys?.close(); // the process of a PKCS#11 module would keep the command alive
    throw error;
  }
}

async function openJournal({ key_journal }: Config, db: Db, ring: KeyRing): Promise<KeyJournal> {
  if (!key_journal) return NO_KEY_JOURNAL;
  return openKeyJournal(key_journal, ring, () => newestProcessedLedger(db));
}
