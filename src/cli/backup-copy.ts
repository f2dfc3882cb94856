/** A backup as a database aside: unpacked, started, and connected to as the service connects to its own. */
import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { knowsMigration } from '../db/migrate.ts';
import type { Deps } from '../deps.ts';
import {
  type Aside,
  makeAsideFolder,
  type Recovery,
  removeAside,
  startAside,
} from '../embedded-postgres/backup/aside.ts';
import { type Description, readDescription } from '../embedded-postgres/backup/description.ts';
import { type Cluster, MAJOR_VERSION } from '../embedded-postgres/server/cluster.ts';
import { OperatorError } from '../lib/errors.ts';
import { whyRefused } from '../lib/folders.ts';
import type { Log } from '../lib/log.ts';
import { networkUrls } from './command-line.ts';
import { connect, type Stops } from './connect.ts';
import { endProcess } from './end-process.ts';
import { socketUrl } from './storage.ts';

export type CopyOrder = {
  dir: string;
  description: Description;
  identities: string[] | null;
  /** The folder for the copy, which must not exist, and who runs its server. */
  folder: string;
  user: Cluster['user'];
  recovery: Recovery;
  /** The copy is to be used afterwards. */
  durable: boolean;
};

export type Copy = { deps: Deps; cluster_dir: string };

/**
 * Reads the description, and refuses what this version and this configuration cannot use. Unpacks nothing.
 * @throws OperatorError that says which version, network or program it takes
 */
export function readUsableDescription(dir: string, { network, passphrase }: Config): Description {
  const description = readDescription(dir);
  const { schema, service_version, postgres_version } = description;
  const [major] = postgres_version.split('.');
  if (major !== MAJOR_VERSION)
    throw new OperatorError(
      `The backup is of PostgreSQL ${postgres_version}, and this release embeds PostgreSQL ${MAJOR_VERSION}. Use Stellar Teller ${service_version}, which made it.`,
    );
  if (!knowsMigration(schema))
    throw new OperatorError(
      `The backup has the newer schema ${schema}: use Stellar Teller ${service_version}, which made it, or a newer version.`,
    );
  if (description.network !== network || description.passphrase !== passphrase)
    throw new OperatorError(
      `The backup belongs to the network "${description.network}" (${description.passphrase}), but the configuration says ` +
        `"${network}" (${passphrase}). Set STELLAR_NETWORK and NETWORK_PASSPHRASE as they were.`,
    );
  return description;
}

export async function identitiesOf(path: string | undefined): Promise<string[] | null> {
  if (path === undefined) return null;
  const { readIdentities } = await import('../embedded-postgres/backup/sealed-file.ts');
  return readIdentities(path);
}

/**
 * Calls `work` with the database of the backup, migrated to this version. The server has ended when this returns or throws. The
 * folder is removed, unless `work` returns `keep`: then the caller takes the cluster out of it.
 * @throws OperatorError when the backup cannot be used, with the reason; InstallationMismatch for another master key
 */
export async function withCopy(
  order: CopyOrder,
  config: Config,
  log: Log,
  work: (copy: Copy) => Promise<'keep' | 'remove'>,
): Promise<void> {
  const stops: Stops = [];
  let kept = false;
  const stopAll = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
    if (!kept) await removeAside(order.folder); // a signal may come while its server starts
  };
  const unwatch = stopOnSignals(stopAll);
  try {
    const cluster_dir = makeAsideFolder(order.folder);
    const { unpackBackup } = await import('../embedded-postgres/backup/unpack-backup.ts');
    await unpackBackup(order.dir, cluster_dir, order);
    const server = await startAside({ dir: cluster_dir, user: order.user }, { ...order, log });
    stops.push(() => server.stop());
    const deps = await connectTo(server, config, log, stops);
    kept = (await work({ deps, cluster_dir })) === 'keep';
  } catch (error) {
    const reason = whyRefused(error);
    if (reason === null) throw error;
    throw new OperatorError(`Cannot make a copy of the backup in ${order.folder}: ${reason}.`, {
      cause: error,
    });
  } finally {
    await stopAll();
    unwatch();
  }
}

/**
 * Connects to the copy. Nothing but the copy changes: the servers of the configuration are left alone (as the owner of its tables the
 * database of production would be migrated), no trace is sent, and a journal that is not there is not made. The log of the copy is
 * archived nowhere.
 */
async function connectTo(server: Aside, config: Config, log: Log, stops: Stops): Promise<Deps> {
  const key_journal = config.key_journal && existsSync(config.key_journal) ? config.key_journal : undefined;
  const rpc_urls = await networkUrls(config).catch(() => []); // no sandbox runs: nobody is asked
  const own = {
    ...config,
    key_journal,
    database_url: undefined,
    migration_database_url: undefined,
    traces: null,
  };
  const { deps } = await connect(own, { url: socketUrl(server), rpc_urls }, { log, stops });
  return deps;
}

/** Ends the server of the copy before the process, when a signal comes. Returns a function that ends the watch. */
function stopOnSignals(stopAll: () => Promise<void>): () => void {
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = () => void stopAll().finally(() => endProcess(1));
  for (const name of names) process.once(name, onSignal);
  return () => {
    for (const name of names) process.off(name, onSignal);
  };
}
