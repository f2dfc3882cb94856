import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { chown, mkdtemp, open, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemClock } from '../lib/clock.ts';
import { type Binaries, exists, SERVER_ENV, type ServerUser } from './binaries.ts';
import { type Cluster, canReach, readIfThere } from './cluster.ts';

/** Names the socket file only: nothing listens on a network port. */
export const PORT = 5432;

const SOCKET_DIR_PREFIX = 'stellar-teller-pg-';
/** The kernel takes socket paths up to 107 bytes; the directory's name and the socket's come on top of this. */
const MAX_TMPDIR_BYTES = 60;
const MAX_LOG_BYTES = 10 * 1024 * 1024;
/** No symlink is followed: as root we would hand the file behind it to another user. */
const LOG_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
const POLL_MS = 5;
const WAIT_NOTICE_MS = 5_000;
const STOP_PATIENCE_MS = 10_000;

/** What postmaster.pid says about the server that wrote it. */
export type PidFile = { pid: number; port: number; socket_dir: string; status: string };

export async function readPidFile(cluster_dir: string): Promise<PidFile | undefined> {
  const lines = (await readIfThere(pidFilePath(cluster_dir)))?.split('\n') ?? [];
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
  return { pid, port: Number(lines[3]), socket_dir: lines[4] ?? '', status: lines[7]?.trim() || 'starting' };
}

/** A pid alone proves nothing: it may be a zombie's or have been given to another program since. */
export async function isServerOf(cluster_dir: string, pid: number): Promise<boolean> {
  const [program = '', ...args] = await argumentsOf(pid);
  return basename(program) === 'postgres' && args.includes(cluster_dir);
}

/** A zombie has no arguments any more, and a program that is gone has none either. */
async function argumentsOf(pid: number): Promise<string[]> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (line) => line.split('\0'),
    () => [],
  );
}

/**
 * PostgreSQL refuses to start while any process of its user has the pid in an old postmaster.pid, be it a zombie or a
 * program that got the number later (in a container every start hands out the same numbers). Such a file is removed.
 * Backends that outlive their postmaster are still noticed, by the shared memory that they hold.
 */
export async function removeStalePidFile(cluster_dir: string): Promise<void> {
  const found = await readPidFile(cluster_dir);
  if (found === undefined) return;
  if (!(await exists(`/proc/${found.pid}`))) return; // PostgreSQL sees that itself
  const [program = ''] = await argumentsOf(found.pid);
  if (basename(program) === 'postgres' || program.startsWith('postgres:')) return; // maybe ours: PostgreSQL decides
  await rm(pidFilePath(cluster_dir), { force: true });
}

function pidFilePath(cluster_dir: string): string {
  return join(cluster_dir, 'postmaster.pid');
}

/** A directory for the socket that only the server's user (and root) can enter, so that it needs no password. */
export async function makeSocketDir(user: ServerUser): Promise<string> {
  for (const base of socketBases()) {
    const dir = await mkdtemp(join(base, SOCKET_DIR_PREFIX)).catch(() => undefined);
    if (dir === undefined) continue;
    if (user.uid !== undefined && user.gid !== undefined) await chown(dir, user.uid, user.gid);
    if (await canReach(user, dir)) return dir;
    await rmdir(dir);
  }
  throw new Error(
    `No directory for the database's socket: neither ${socketBases().join(' nor ')} can be written.`,
  );
}

/** PostgreSQL reads a list of directories here, so a name with a comma or a quote in it would be misread. */
function socketBases(): string[] {
  const own = tmpdir();
  const usable = /^[\w./+-]+$/.test(own) && Buffer.byteLength(own) <= MAX_TMPDIR_BYTES;
  return [...new Set([...(usable ? [own] : []), '/tmp', '/var/tmp'])];
}

/** Not recursive: the name may come from a file that the server's user can write. */
export async function removeSocketDir(dir: string): Promise<void> {
  if (!basename(dir).startsWith(SOCKET_DIR_PREFIX)) return;
  for (const name of [`.s.PGSQL.${PORT}`, `.s.PGSQL.${PORT}.lock`]) {
    await rm(join(dir, name), { force: true }).catch(() => undefined);
  }
  await rmdir(dir).catch(() => undefined); // gone already, or holding something that is not ours
}

/** The socket directory of the last run, which that run could not remove if it was killed. */
export async function lastSocketDir(cluster_dir: string): Promise<string | undefined> {
  const options = await readIfThere(join(cluster_dir, 'postmaster.opts'));
  const dir = options?.match(/"unix_socket_directories=([^"]+)"/)?.[1];
  return dir !== undefined && socketBases().includes(dirname(dir)) ? dir : undefined;
}

export type StartOptions = {
  cluster: Cluster;
  binaries: Binaries;
  socket_dir: string;
  log_path: string;
  fsync: boolean;
};

/** Started, or not; then `why` holds what the server said before it ended. */
export type Started = { pid: number } | { why: string };

/**
 * Starts the server and waits until it takes connections, however long it replays its log after a crash.
 * `onWait` is called about every five seconds meanwhile.
 */
export async function startServer(options: StartOptions, onWait: () => void): Promise<Started> {
  const { cluster, binaries, log_path } = options;
  await rotateLog(log_path);
  const output = await open(log_path, LOG_FLAGS, 0o600);
  try {
    // The next start may be by the server's user itself, who must be able to append then.
    if (cluster.user.uid !== undefined) await output.chown(cluster.user.uid, cluster.user.gid ?? -1);
    const { size } = await output.stat();
    const child = spawn(binaries.postgres, serverArguments(options), {
      ...cluster.user,
      cwd: '/',
      env: SERVER_ENV,
      // A session of its own: Ctrl-C in the terminal must reach us first, and us alone.
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    const failure = await untilReady(child, cluster.dir, onWait);
    child.unref(); // a forgotten stop() must not keep the process from ending
    if (failure === undefined && child.pid !== undefined) return { pid: child.pid };
    const said = (await readFile(log_path)).subarray(size).toString().trim();
    return { why: [failure, said].filter(Boolean).join('\n') };
  } finally {
    await output.close();
  }
}

async function rotateLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(path, `${path}.1`);
}

async function untilReady(child: ChildProcess, dir: string, onWait: () => void): Promise<string | undefined> {
  const ended: { why?: string } = {};
  child.once('error', (error) => {
    ended.why = error.message;
  });
  child.once('exit', (code, signal) => {
    ended.why = `it ended with ${signal ?? `exit code ${code}`}`;
  });
  for (let polls = 1; ended.why === undefined; polls++) {
    const found = await readPidFile(dir);
    if (found?.status === 'ready' && found.pid === child.pid) return undefined;
    if ((polls * POLL_MS) % WAIT_NOTICE_MS === 0) onWait();
    await systemClock.sleep(POLL_MS);
  }
  return ended.why;
}

function serverArguments({ cluster, socket_dir, fsync }: StartOptions): string[] {
  const settings = {
    listen_addresses: '',
    port: PORT,
    unix_socket_directories: socket_dir,
    unix_socket_permissions: '0700',
    max_connections: 100,
    shared_buffers: '64MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off',
    // A killed service's sessions end within a second, and their advisory locks with them.
    client_connection_check_interval: '1s',
    // Failed statements are the business of whoever sent them; here they could put private values in a file.
    log_statement: 'none',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    ...(fsync ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  return [
    '-D',
    cluster.dir,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/**
 * Fast shutdown, which rolls open transactions back; then immediate shutdown, which the next start recovers from.
 * Returns when the process is gone, whoever's child it is.
 */
export async function stopServer(cluster_dir: string, pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!(await isServerOf(cluster_dir, pid))) return;
    process.kill(pid, signal);
    if (await hasEnded(cluster_dir, pid)) return;
  }
  throw new Error(
    `PostgreSQL (process ${pid}) does not stop. Look at its log, and end it with: kill -KILL ${pid}`,
  );
}

async function hasEnded(cluster_dir: string, pid: number): Promise<boolean> {
  const deadline = systemClock.now().getTime() + STOP_PATIENCE_MS;
  while (await isServerOf(cluster_dir, pid)) {
    if (systemClock.now().getTime() > deadline) return false;
    await systemClock.sleep(POLL_MS);
  }
  return true;
}
