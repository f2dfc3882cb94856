/**
 * A cluster out of a backup, in a folder and with a server of its own: nothing else connects to it.
 *
 * | step                                                      | what a crash here leaves                                    |
 * |-----------------------------------------------------------|-------------------------------------------------------------|
 * | unpack into `FOLDER/postgres`, compare with the manifest  | a folder that no start uses                                 |
 * | start its server, which replays the log and is promoted   | the same, perhaps with its server; the next restore ends it |
 * | work                                                      | the same                                                    |
 * | stop the server; `install` renames the folder             | the same, or the restored cluster                           |
 * | record the place of a cluster outside DATA_DIR            | a cluster that no start knows: the next restore makes       |
 * |                                                           | another one                                                 |
 *
 * The promotion gives the copy a new timeline. By this the service knows a restored database, and signs nothing for a while
 * (ledgers/signing-allowed.ts). So there is no restore without a promotion.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { constants, copyFile, lstat, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OperatorError } from '../../lib/errors.ts';
import { PASSABLE } from '../../lib/folders.ts';
import type { Log } from '../../lib/log.ts';
import { beginHardening, finishHardening, type Place } from '../server/access.ts';
import { findBinaries, type ServerUser } from '../server/binaries.ts';
import { type Cluster, SUPERUSER } from '../server/cluster.ts';
import { syncDirectory, writePrivate } from '../server/files.ts';
import {
  isServerOf,
  makeSocketDir,
  PORT,
  readPidFile,
  removeSocketDir,
  startServer,
  stopServer,
} from '../server/server.ts';
import { giveTo } from '../server/server-user.ts';
import type { ArchivePart } from './check-archive.ts';
import { keepLogSettings, restoreCommand } from './wal-archive.ts';

/**
 * What the server replays on top of the log of the backup: `archive`, up to a time or to its end; null for nothing. `taken`: the
 * timelines of the archive that the service goes on with, where none of them may begin a second time; null when none does.
 */
export type Recovery = { archive: ArchivePart | null; taken: ArchivePart | null; to_time: Date | null };

export type Aside = Place & {
  user: string;
  password: string;
  /** Stops the server, and removes the folder of its socket. May be called again. */
  stop(): Promise<void>;
};

const ENDED_BEFORE_TARGET = /recovery ended before configured recovery target was reached/;

/** Says that a folder is a copy which may be removed: a person may give a database that is needed a similar name. */
const MARKER = 'stellar-teller.copy';

/** Returns a new path for the copy, beside the cluster. */
export function asideFolderOf(cluster_dir: string): string {
  return `${prefixOf(cluster_dir)}${randomBytes(4).toString('hex')}`;
}

function prefixOf(cluster_dir: string): string {
  return `${cluster_dir}.restore-`;
}

/** Makes the folder, which the user of the server can pass. */
export function makeAsideFolder(folder: string): Cluster['dir'] {
  mkdirSync(folder, { mode: PASSABLE });
  writeFileSync(join(folder, MARKER), 'Stellar Teller removes this folder.\n', { flag: 'wx', mode: 0o600 });
  chmodSync(folder, PASSABLE); // whatever the umask is
  const dir = join(folder, 'postgres');
  mkdirSync(dir, { mode: 0o700 });
  return dir;
}

/**
 * Starts the server of an unpacked cluster, and returns when it is promoted: it has replayed everything, and takes changes.
 * `durable`: the copy is to be used afterwards.
 * @throws OperatorError when it does not start, or the log ends before the time
 */
export async function startAside(
  cluster: Cluster,
  { recovery, durable, log }: { recovery: Recovery; durable: boolean; log: Log },
): Promise<Aside> {
  const log_path = join(dirname(cluster.dir), 'postgres.log');
  const binaries = await findBinaries(cluster.user, log);
  const archive_dir = join(dirname(cluster.dir), 'wal');
  await copyArchives([recovery.taken, recovery.archive], archive_dir, cluster.user);
  await writePrivate(join(cluster.dir, 'recovery.signal'), '');
  await beginHardening(cluster, log_path);
  const socket_dir = await makeSocketDir(cluster.user);
  const place = { host: socket_dir, port: PORT };
  const password = randomBytes(32).toString('base64url'); // the next start of the service sets that of its file
  const server = { pid: 0 };
  const stop = async () => {
    if (server.pid > 0) await stopServer(cluster.dir, server.pid);
    await removeSocketDir(socket_dir);
  };
  try {
    const options = {
      cluster,
      binaries,
      socket_dir,
      log_path,
      fsync: durable,
      settings: settingsOf(recovery, archive_dir),
    };
    const started = await startServer(options, () => log.warn('PostgreSQL is replaying the log'));
    if ('why' in started) throw new OperatorError(whyNot(started.why, recovery));
    server.pid = started.pid;
    await finishHardening(cluster, place, password);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...place, user: SUPERUSER, password, stop };
}

/**
 * Returns the settings of a server that recovers. With `hot_standby` off nobody can read a half-way state: the server is ready when
 * the recovery is over.
 */
function settingsOf({ archive, to_time }: Recovery, archive_dir: string): Record<string, string> {
  const none = ['recovery_target', 'recovery_target_lsn', 'recovery_target_name', 'recovery_target_xid'];
  return {
    ...Object.fromEntries(none.map((name) => [name, ''])), // the files of the cluster may have some
    // The letter Z names a zone, and at this moment of its start PostgreSQL knows none by name.
    recovery_target_time: to_time?.toISOString().replace('Z', '+00') ?? '',
    recovery_target_action: 'promote',
    recovery_target_timeline: archive === null ? 'current' : `${archive.timeline}`,
    restore_command: restoreCommand(archive_dir),
    hot_standby: 'off',
    // Nothing is archived here. What must be archived later (the name of the new timeline) is noted for the next start.
    ...keepLogSettings(),
  };
}

/**
 * Copies the files of the archives into the new folder `to`, and makes `user` their owner: the archives themselves may belong to
 * another user, and go on being written. A file of a later part replaces one with the same name.
 */
async function copyArchives(parts: (ArchivePart | null)[], to: string, user: ServerUser): Promise<void> {
  mkdirSync(to, { mode: 0o700 });
  for (const { dir, names } of parts.filter((part) => part !== null))
    for (const name of names) await copyFile(join(dir, name), join(to, name), constants.COPYFILE_FICLONE);
  if (user.uid !== undefined && user.gid !== undefined) giveTo({ uid: user.uid, gid: user.gid }, to);
}

function whyNot(why: string, { to_time, archive }: Recovery): string {
  if (archive !== null && to_time !== null && ENDED_BEFORE_TARGET.test(why))
    return (
      `Timeline ${archive.timeline} of the archive has nothing that was committed after ${to_time.toISOString()}. Restore without --to-time ` +
      'to get all that it has, or name another timeline: --timeline. Nothing was restored.'
    );
  return `PostgreSQL does not start on the copy: ${why}. Nothing was restored.`;
}

/** Moves the stopped cluster to its final place, which must not exist or be an empty folder. */
export async function install(dir: string, target: string): Promise<void> {
  await syncDirectory(dir);
  await rename(dir, target);
  await syncDirectory(dirname(target));
}

/** Ends the server in the folder, and removes the folder. Leaves one that is absent, or that `makeAsideFolder` has not made. */
export async function removeAside(folder: string): Promise<void> {
  if (!(await isAside(folder))) return;
  const dir = join(folder, 'postgres');
  const found = await readPidFile(dir);
  if (found && (await isServerOf(dir, found.pid))) {
    await stopServer(dir, found.pid);
    await removeSocketDir(found.socket_dir);
  }
  // The marker goes last: after a kill the next restore still knows what is left.
  for (const name of await readdir(folder)) if (name !== MARKER) await removeTree(join(folder, name));
  await removeTree(folder);
}

function removeTree(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * Removes the copies beside the cluster that a killed restore has left.
 * @throws OperatorError, with nothing changed, for a folder of such a name that no restore has made
 */
export async function removeLeftAside(cluster_dir: string): Promise<void> {
  const prefix = basename(prefixOf(cluster_dir));
  const names = (await readdir(dirname(cluster_dir))).filter((name) => name.startsWith(prefix));
  const folders = names.map((name) => join(dirname(cluster_dir), name));
  for (const folder of folders) {
    if (/^[0-9a-f]{8}$/.test(basename(folder).slice(prefix.length)) && (await isAside(folder))) continue;
    throw new OperatorError(
      `${folder} has the name of an unfinished restore, but "teller restore" did not make it. Move it away, or give it another name. Nothing was restored.`,
    );
  }
  for (const folder of folders) await removeAside(folder);
}

/** Returns true when `makeAsideFolder` has made the folder. An empty folder counts too: a kill may come before the marker is there. */
async function isAside(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => null);
  if (!stats?.isDirectory()) return false;
  const names = await readdir(folder);
  return names.length === 0 || names.includes(MARKER);
}
