/**
 * Brings the embedded database to the PostgreSQL of this release: a new cluster beside the old one gets a copy of all rows, and
 * takes its place. The old cluster is kept, and nothing is written to its tables.
 *
 * | killed                       | cluster | beside it                          | the next `teller db upgrade`                        |
 * |------------------------------|---------|------------------------------------|-----------------------------------------------------|
 * | before the copy              | old     | –                                  | begins                                              |
 * | while rows are copied        | old     | `.upgrading`, unfinished           | stops its server, deletes it, and begins again      |
 * | when the copy is whole       | old     | `.upgraded`                        | the same: the old cluster may have gone on since    |
 * | between the two renames      | –       | `.upgraded`; the old one as `.17`  | renames; so does a start of the service             |
 * | after them                   | new     | the old one as `.17`               | says that there is nothing to do                    |
 *
 * Until the renames a service of the release before starts on the old cluster as ever, and this release refuses to start.
 */
import { lstat, readdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { type EmbeddedPostgres, startCluster } from './embedded-postgres.ts';
import { binariesIn, exists, PACKAGE } from './server/binaries.ts';
import {
  type Cluster,
  finishUpgrade,
  locateAnyCluster,
  MAJOR_VERSION,
  majorOf,
  otherMajor,
  upgradedDir,
} from './server/cluster.ts';
import { syncDirectory } from './server/files.ts';
import { readPidFile, stopServer } from './server/server.ts';

/** The exact versions of the npm package whose programs were tried in an upgrade. */
const TRIED_VERSIONS: Record<string, string> = { 17: '17.10.0-beta.17' };
/** For the log of a server, and what indexes may take beyond those of the old cluster. */
const MARGIN_BYTES = 2 ** 30;
const LOG_NAME = 'postgres-upgrade.log';

export type UpgradeOptions = {
  data_dir: string;
  log: Log;
  /** Folder of the programs of the old PostgreSQL, or one where npm has installed them. */
  old_programs: string | undefined;
  fsync?: boolean;
  /** How many bytes the file system of a folder has left. */
  freeBytes?: (dir: string) => Promise<number>;
};

/** Both servers run. */
export type Upgrade = {
  /** Major version of the old cluster. */
  from: string;
  old: EmbeddedPostgres;
  fresh: EmbeddedPostgres;
  /** Stops both servers. The new cluster, whose rows the caller has compared, takes the place of the old one. */
  finish(tell: (step: string) => void): Promise<{ kept_dir: string }>;
  /** Stops both servers, and deletes the new cluster. */
  abandon(): Promise<void>;
};

/**
 * Starts the old server, and a new one without any table. Null when the cluster is of this release already. The caller holds
 * the lock of `data_dir`.
 * @throws OperatorError, with nothing changed: there is no cluster, or a newer one; the old programs are not there; the disk
 * has too little space; something is in the way
 */
export async function beginUpgrade(options: UpgradeOptions): Promise<Upgrade | null> {
  const { data_dir, log, fsync = true } = options;
  await finishUpgrade(data_dir);
  const cluster = await locateAnyCluster(data_dir, log);
  const from = await majorOf(cluster.dir);
  if (from === undefined) throw new OperatorError(`There is no database in ${cluster.dir}.`);
  if (from === MAJOR_VERSION) return null;
  if (Number(from) > Number(MAJOR_VERSION)) throw otherMajor(cluster.dir, from);
  const kept_dir = `${cluster.dir}.${from}`;
  if (await exists(kept_dir))
    throw new OperatorError(
      `${kept_dir} is there already, and the old database would get this name. Move it away. Nothing was changed.`,
    );
  const programs = await findOldPrograms(options.old_programs, from);
  await requireSpace(cluster.dir, options.freeBytes ?? freeBytes);
  const copy: Cluster = { dir: `${cluster.dir}.upgrading`, user: cluster.user };
  await removeCopies(cluster.dir, copy.dir);
  const started: EmbeddedPostgres[] = [];
  const abandon = async () => {
    for (const server of started.splice(0)) await server.stop();
    await removeCopies(cluster.dir, copy.dir);
  };
  try {
    const old = await startCluster(cluster, { data_dir, log, fsync, programs });
    started.push(old);
    const fresh = await startCluster(copy, { data_dir, log, fsync, log_name: LOG_NAME });
    started.push(fresh);
    const finish: Upgrade['finish'] = async (tell) => {
      for (const server of started.splice(0)) await server.stop();
      await takePlace(cluster.dir, { copy: copy.dir, kept: kept_dir }, tell);
      await rm(join(data_dir, LOG_NAME), { force: true });
      return { kept_dir };
    };
    return { from, old, fresh, finish, abandon };
  } catch (error) {
    await abandon();
    throw error;
  }
}

async function takePlace(
  dir: string,
  { copy, kept }: { copy: string; kept: string },
  tell: (step: string) => void,
): Promise<void> {
  const whole = upgradedDir(dir);
  for (const [from, to] of [
    [copy, whole],
    [dir, kept],
    [whole, dir],
  ] as const) {
    await rename(from, to);
    await syncDirectory(dirname(dir)); // a power cut must not undo an earlier rename and keep a later one
    tell(`renamed to ${to}`);
  }
}

/** Deletes what an upgrade that was killed or abandoned has left. The server of `copy` is stopped first. */
async function removeCopies(dir: string, copy: string): Promise<void> {
  const left = await readPidFile(copy);
  if (left !== undefined) await stopServer(copy, left.pid);
  for (const each of [copy, upgradedDir(dir)])
    await rm(each, { recursive: true, force: true, maxRetries: 3 });
}

/** @returns the folder of the npm package with programs of this major version */
async function findOldPrograms(named: string | undefined, major: string): Promise<string> {
  const version = TRIED_VERSIONS[major];
  const folder = `postgres-${major}`;
  const how =
    'Install them with npm, and name the folder:\n' +
    `  npm install --prefix ./${folder} ${PACKAGE}@${version ?? major}\n` +
    `  teller db upgrade --old-programs ./${folder}\n` +
    'Nothing was changed.';
  if (named === undefined)
    throw new OperatorError(
      `The database is of PostgreSQL ${major}, and only the programs of PostgreSQL ${major} can read it. ${how}`,
    );
  for (const dir of [named, join(named, 'node_modules', PACKAGE)]) {
    if (!(await exists(binariesIn(dir).postgres))) continue;
    const found = await versionOf(dir);
    if (found.split('.')[0] === major) return dir;
    throw new OperatorError(
      `${dir} has PostgreSQL ${found}, but the database is of PostgreSQL ${major}. ${how}`,
    );
  }
  throw new OperatorError(`${named} has no programs of PostgreSQL. ${how}`);
}

/**
 * Reads the version of the package. The program itself cannot tell it: it does not run before `findBinaries` has made the links to
 * its libraries.
 */
async function versionOf(dir: string): Promise<string> {
  const text = await readFile(join(dir, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

async function requireSpace(dir: string, free: NonNullable<UpgradeOptions['freeBytes']>): Promise<void> {
  const [needed, left] = [(await sizeOf(dir)) + MARGIN_BYTES, await free(dirname(dir))];
  if (left >= needed) return;
  throw new OperatorError(
    `The copy of the database needs ${megabytes(needed)} in ${dirname(dir)}, and only ${megabytes(left)} are free. ` +
      'Nothing was changed.',
  );
}

async function freeBytes(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

async function sizeOf(dir: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(dir, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name))).blocks * 512;
  return bytes;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20).toLocaleString('en-US')} MB`;
}
