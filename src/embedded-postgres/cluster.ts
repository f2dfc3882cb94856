import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Log } from '../lib/log.ts';
import {
  type Binaries,
  EmbeddedPostgresUnavailable,
  exists,
  runFile,
  SERVER_ENV,
  type ServerUser,
} from './binaries.ts';

/** A cluster's files and the user that owns them and runs its server. */
export type Cluster = {
  dir: string;
  user: ServerUser;
  /** File to write `dir` to once the cluster is made, if it is not inside the data directory. */
  record?: string;
};

/** Data directories of one major version cannot be read by another. */
const MAJOR_VERSION = '18';
/** `nobody`, which is there on every Linux and owns nothing. */
const NOBODY = 65534;
const OUTSIDE_DIR = '/var/lib/stellar-teller';

export const SUPERUSER = 'postgres';

const RECORD = 'postgres.location';

/** Whether a cluster was ever made for `data_dir`, inside it or elsewhere. Makes nothing. */
export async function hasCluster(data_dir: string): Promise<boolean> {
  const traces = [join(data_dir, RECORD), join(data_dir, 'postgres', 'PG_VERSION')];
  return (await Promise.all(traces.map(readIfThere))).some((found) => found !== undefined);
}

/**
 * Where the cluster of `data_dir` is, or will be: inside, unless we are root and the user that must run the server
 * cannot get there. Then it is below /var/lib, and a file in `data_dir` says where.
 */
export async function locateCluster(data_dir: string, log: Log): Promise<Cluster> {
  await mkdir(data_dir, { recursive: true, mode: 0o755 });
  const home = await realpath(data_dir);
  const record = join(home, RECORD);
  const recorded = (await readIfThere(record))?.trim();
  const dir = recorded ?? join(home, 'postgres');
  const user = await serverUser(dir);
  const made = await isMade(dir);
  if (recorded !== undefined) {
    if (made) return { dir, user };
    throw new Error(
      `${record} says that the database is in ${dir}, but it is not there. ` +
        'Bring it back from a backup, or set another DATA_DIR to begin anew.',
    );
  }
  if (await canReach(user, home)) return { dir, user };
  if (made) {
    throw new Error(
      `The database in ${dir} cannot be reached by user id ${user.uid}, which runs its server because root must not. ` +
        'Let other users pass the folders above it (chmod o+x), or move DATA_DIR to a folder that they can pass.',
    );
  }
  const outside = await unusedOutsideDir(home);
  log.warn(
    { cluster_dir: outside, data_dir: home },
    'the database goes outside DATA_DIR: PostgreSQL may not run as root, and no other user can enter DATA_DIR',
  );
  return { dir: outside, user, record };
}

/** A cluster keeps its owner: started by root today and by its owner tomorrow, both work. */
async function serverUser(dir: string): Promise<ServerUser> {
  const owner = (await exists(dir)) ? await stat(dir) : undefined;
  const us = process.geteuid?.();
  if (us === 0) {
    const { uid, gid } = owner && owner.uid !== 0 ? owner : { uid: NOBODY, gid: NOBODY };
    return { uid, gid };
  }
  if (owner && owner.uid !== us) {
    throw new Error(
      `The database in ${dir} belongs to user id ${owner.uid}, and this is user id ${us}. ` +
        'Start Stellar Teller as that user or as root, or set another DATA_DIR.',
    );
  }
  return {};
}

/** Asks the kernel as that user: mode bits alone would not tell of ACLs or security modules. */
export async function canReach(user: ServerUser, dir: string): Promise<boolean> {
  if (user.uid === undefined) return true;
  const options = { ...user, cwd: '/', env: SERVER_ENV };
  return runFile('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], options).then(
    () => true,
    () => false,
  );
}

/** A place that no earlier data directory at the same path has used: its database is not ours to take or delete. */
async function unusedOutsideDir(home: string): Promise<string> {
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16);
  await makeTraversable(OUTSIDE_DIR);
  for (let n = 1; ; n++) {
    const parent = join(OUTSIDE_DIR, n === 1 ? name : `${name}-${n}`);
    await makeTraversable(parent);
    if (!(await exists(join(parent, 'postgres')))) return join(parent, 'postgres');
  }
}

async function makeTraversable(dir: string): Promise<void> {
  const created = await mkdir(dir, { recursive: true, mode: 0o755 });
  if (created !== undefined) await chmod(dir, 0o755); // whatever our umask is
}

/** Makes the cluster at the first start. */
export async function ensureCluster(cluster: Cluster, binaries: Binaries, fsync: boolean): Promise<void> {
  await removeHalfMade(cluster.dir);
  if (await exists(join(cluster.dir, 'PG_VERSION'))) return;
  await createCluster(cluster, binaries, fsync);
  // Last, so that a record without its cluster always means a lost database, never an interrupted first start.
  if (cluster.record !== undefined) await writeFile(cluster.record, `${cluster.dir}\n`);
}

/** @returns whether there is a cluster. */
async function isMade(dir: string): Promise<boolean> {
  const version = await readIfThere(join(dir, 'PG_VERSION'));
  if (version === undefined) return false;
  if (version.trim() === MAJOR_VERSION) return true;
  throw new EmbeddedPostgresUnavailable(
    `${dir} was made by PostgreSQL ${version.trim()}, and this release embeds PostgreSQL ${MAJOR_VERSION}, ` +
      'which cannot read it. Start the release that made it, or set another DATA_DIR to begin anew.',
  );
}

/** initdb into a temporary name, then a rename: killed at any moment, it leaves no half-made cluster behind. */
async function createCluster(cluster: Cluster, binaries: Binaries, fsync: boolean): Promise<void> {
  if ((await exists(cluster.dir)) && (await readdir(cluster.dir)).length > 0) {
    throw new Error(
      `${cluster.dir} is not empty and holds no database. Move it away, or set another DATA_DIR.`,
    );
  }
  const temporary = await mkdtemp(halfMadePrefix(cluster.dir));
  const { uid, gid } = cluster.user;
  if (uid !== undefined && gid !== undefined) await chown(temporary, uid, gid);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = [`--username=${SUPERUSER}`, '--auth=trust'];
  const args = [`--pgdata=${temporary}`, ...access, ...locale, '--data-checksums', '--no-instructions'];
  try {
    await runFile(binaries.initdb, fsync ? args : [...args, '--no-sync'], {
      ...cluster.user,
      cwd: '/',
      env: SERVER_ENV,
    });
  } catch (error) {
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`PostgreSQL could not make its files in ${temporary}: ${stderr?.trim() || message}`);
  }
  await rename(temporary, cluster.dir);
  if (fsync) await syncDirectory(dirname(cluster.dir));
}

function halfMadePrefix(dir: string): string {
  return `${dir}.initdb-`;
}

async function removeHalfMade(dir: string): Promise<void> {
  const prefix = basename(halfMadePrefix(dir));
  for (const name of await readdir(dirname(dir))) {
    if (!name.startsWith(prefix)) continue;
    // An initdb that outlived its parent may still be writing here for a moment, hence the retries.
    await rm(join(dirname(dir), name), { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Without it a power cut could take the renamed directory's name away. */
async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  await handle.sync().finally(() => handle.close());
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
