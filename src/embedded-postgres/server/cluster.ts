import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OperatorError } from '../../lib/errors.ts';
import { makeFolder, PASSABLE } from '../../lib/folders.ts';
import type { Log } from '../../lib/log.ts';
import { type Binaries, exists, runFile, SERVER_ENV, type ServerUser } from './binaries.ts';
import { makeDataDir } from './data-dir-lock.ts';
import { readIfThere, syncDirectory, writePrivate } from './files.ts';
import { lastWords } from './last-words.ts';
import { canReach, giveTo, NOBODY, serverUser } from './server-user.ts';

/** The files of a cluster, and the user that owns them and runs its server. */
export type Cluster = {
  dir: string;
  user: ServerUser;
  /** File that records `dir` after the cluster is made; only when it is outside the data directory. */
  record?: string;
};

/** Of the PostgreSQL that this release brings. Data directories of one major version cannot be read by another. */
export const MAJOR_VERSION = '18';
const OUTSIDE_DIR = '/var/lib/stellar-teller';

export const SUPERUSER = 'postgres';

const RECORD = 'postgres.location';

/** Returns true when `data_dir` has a cluster, or records that it is elsewhere. Changes nothing. */
export async function hasCluster(data_dir: string): Promise<boolean> {
  const inside = join(data_dir, 'postgres');
  const traces = [join(data_dir, RECORD), ...[inside, upgradedDir(inside)].map(versionPath)];
  return (await Promise.all(traces.map(readIfThere))).some((found) => found !== undefined);
}

/**
 * Finds the place of the cluster of `data_dir`, existing or new. It is inside, unless this process is root and the user of the
 * server cannot reach the folder. Then it is below /var/lib, and a file in `data_dir` records the place.
 * @throws OperatorError when the cluster is of another major version, is not at its recorded place, or cannot be reached by its
 * user
 */
export async function locateCluster(data_dir: string, log: Log): Promise<Cluster> {
  const cluster = await locateAnyCluster(data_dir, log);
  const version = await majorOf(cluster.dir);
  if (version !== undefined && version !== MAJOR_VERSION) throw otherMajor(cluster.dir, version);
  return cluster;
}

/** Finds the place of the cluster as `locateCluster` does, for any major version. */
export async function locateAnyCluster(data_dir: string, log: Log): Promise<Cluster> {
  makeDataDir(data_dir);
  const home = await realpath(data_dir);
  const record = join(home, RECORD);
  const recorded = (await readIfThere(record))?.trim();
  const dir = recorded ?? join(home, 'postgres');
  const user = await serverUser(dir, home);
  const made = (await majorOf(dir)) !== undefined;
  if (recorded !== undefined) {
    if (made) return { dir, user };
    throw new OperatorError(
      `${record} says that the database is in ${dir}, but it is not there. ` +
        'Restore it from a backup, or set another DATA_DIR to begin with an empty database.',
    );
  }
  if (await canReach(user, home)) return { dir, user };
  if (made) {
    throw new OperatorError(
      `PostgreSQL must not run as root, so user id ${user.uid} runs it, but this user cannot reach the database in ${dir}. ` +
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

/** Finds a place below /var/lib that no earlier data directory at the same path has used: its database must not be used or deleted. */
async function unusedOutsideDir(home: string): Promise<string> {
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16);
  for (let n = 1; ; n++) {
    const parent = join(OUTSIDE_DIR, n === 1 ? name : `${name}-${n}`);
    makeFolder(parent, PASSABLE);
    if (!(await exists(join(parent, 'postgres')))) return join(parent, 'postgres');
  }
}

/** Makes the cluster when there is none. */
export async function ensureCluster(cluster: Cluster, binaries: Binaries, fsync: boolean): Promise<void> {
  await removeHalfMade(cluster.dir);
  if (await exists(versionPath(cluster.dir))) return;
  await createCluster(cluster, binaries, fsync);
  // The record comes last: a record without its cluster always means a lost database, never an interrupted first start.
  if (cluster.record !== undefined) await writePrivate(cluster.record, `${cluster.dir}\n`);
}

/** Reads the major version of the cluster in `dir`; undefined when there is none. */
export async function majorOf(dir: string): Promise<string | undefined> {
  return (await readIfThere(versionPath(dir)))?.trim();
}

function versionPath(dir: string): string {
  return join(dir, 'PG_VERSION');
}

/** Makes the error for a cluster of another major version. There is a way to a newer PostgreSQL, and none to an older one. */
export function otherMajor(dir: string, version: string): OperatorError {
  const made = `The database in ${dir} was made by PostgreSQL ${version}, and this release embeds PostgreSQL ${MAJOR_VERSION}`;
  return new OperatorError(
    Number(version) < Number(MAJOR_VERSION)
      ? `${made}, which cannot read it. "teller db upgrade" copies it to PostgreSQL ${MAJOR_VERSION} and keeps the old one. ` +
          'Or start the release that made it.'
      : `${made}: no database goes back to an older PostgreSQL. Start the release that made it, or restore a backup of before.`,
  );
}

/**
 * Ends an upgrade that was killed between its two renames (upgrade.ts): the old cluster has another name already, and the
 * new one is whole. The caller holds the lock of `data_dir`.
 */
export async function finishUpgrade(data_dir: string): Promise<void> {
  const recorded = (await readIfThere(join(data_dir, RECORD)))?.trim();
  const dir = recorded ?? join(data_dir, 'postgres');
  if ((await exists(dir)) || !(await exists(upgradedDir(dir)))) return;
  await rename(upgradedDir(dir), dir);
  await syncDirectory(dirname(dir));
}

/** Returns the folder in which an upgrade has the new cluster as soon as it is whole. */
export function upgradedDir(dir: string): string {
  return `${dir}.upgraded`;
}

/** Runs initdb under a temporary name, then renames: a kill at any moment leaves no incomplete cluster with the final name. */
async function createCluster(cluster: Cluster, binaries: Binaries, fsync: boolean): Promise<void> {
  if ((await exists(cluster.dir)) && (await readdir(cluster.dir)).length > 0) {
    throw new OperatorError(
      `${cluster.dir} is not empty and holds no database. Move it away, or set another DATA_DIR.`,
    );
  }
  const temporary = await mkdtemp(halfMadePrefix(cluster.dir));
  const made = join(temporary, 'cluster');
  await mkdir(made, { mode: 0o700 });
  const { uid, gid } = cluster.user;
  const maker = uid === undefined || gid === undefined ? {} : await letNobodyMake(temporary, made, gid);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = [`--username=${SUPERUSER}`, '--auth=reject']; // until the cluster is hardened
  const args = [`--pgdata=${made}`, ...access, ...locale, '--data-checksums', '--no-instructions'];
  try {
    await runFile(binaries.initdb, fsync ? args : [...args, '--no-sync'], {
      ...maker,
      cwd: '/',
      env: SERVER_ENV,
    });
  } catch (error) {
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
    const { stderr, message } = error as Error & { stderr?: string };
    throw new OperatorError(
      `PostgreSQL could not create its files in ${cluster.dir}: ${lastWords(stderr ?? '') || message}.`,
    );
  }
  if (uid !== undefined && gid !== undefined) giveTo({ uid, gid }, made);
  await rename(made, cluster.dir);
  await rmdir(temporary);
  if (fsync) await syncDirectory(dirname(cluster.dir));
}

/**
 * Prepares the folders for an initdb that runs as `nobody`, and returns this user with the group `gid`, which nobody else has. Of
 * the programs only initdb refuses a user id without a name. Other programs of `nobody` cannot pass `outer`, and without this group
 * the kernel does not let them trace initdb (ptrace(2)).
 */
async function letNobodyMake(outer: string, inner: string, gid: number): Promise<ServerUser> {
  await chown(outer, 0, gid);
  await chmod(outer, 0o710);
  await chown(inner, NOBODY, gid);
  return { uid: NOBODY, gid };
}

function halfMadePrefix(dir: string): string {
  return `${dir}.initdb-`;
}

async function removeHalfMade(dir: string): Promise<void> {
  const prefix = basename(halfMadePrefix(dir));
  for (const name of await readdir(dirname(dir))) {
    if (!name.startsWith(prefix)) continue;
    // With retries, because an initdb that outlived its parent may still be writing here.
    await rm(join(dirname(dir), name), { recursive: true, force: true, maxRetries: 10 });
  }
}
