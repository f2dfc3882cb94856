import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import {
  chown,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemClock } from '../../lib/clock.ts';
import { OperatorError } from '../../lib/errors.ts';
import { DISK_FULL } from '../../lib/folders.ts';
import { type Binaries, exists, SERVER_ENV, type ServerUser } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import { readIfThere } from './files.ts';
import { lastWords } from './last-words.ts';
import { canReach } from './server-user.ts';

/** Part of the name of the socket file. The server listens on no network port. */
export const PORT = 5432;

/** Who may connect, and how. */
export const HBA_FILE = 'pg_hba.conf';

const SOCKET_DIR_PREFIX = 'stellar-teller-pg-';
/** The kernel limits socket paths to 107 bytes; the names of directory and socket are added to this. */
const MAX_TMPDIR_BYTES = 60;
const MAX_LOG_BYTES = 10 * 1024 * 1024;
/** O_NOFOLLOW: root would otherwise give the file behind a symlink to another user. */
const LOG_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
const POLL_MS = 5;
const WAIT_NOTICE_MS = 5_000;
const STOP_PATIENCE_MS = 10_000;

/** The content of postmaster.pid about the server that wrote it. */
export type PidFile = { pid: number; port: number; socket_dir: string; status: string };

export async function readPidFile(cluster_dir: string): Promise<PidFile | undefined> {
  const lines = (await readIfThere(pidFilePath(cluster_dir)))?.split('\n') ?? [];
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
  return { pid, port: Number(lines[3]), socket_dir: lines[4] ?? '', status: lines[7]?.trim() || 'starting' };
}

/**
 * Returns true when process `pid` is the server of this cluster. The pid alone may be of a zombie or of another program by now.
 * @throws Error when this process cannot look, because it has no file descriptor left
 */
export async function isServerOf(cluster_dir: string, pid: number): Promise<boolean> {
  const [program = '', ...args] = await argumentsOf(pid);
  return basename(program) === 'postgres' && args.includes(cluster_dir);
}

/** Reads the command line of a process; empty for a zombie and for a process that has ended. */
async function argumentsOf(pid: number): Promise<string[]> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (line) => line.split('\0'),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ESRCH') return [];
      throw error;
    },
  );
}

/**
 * Removes an old postmaster.pid whose pid is that of another program, or of a zombie, by now (in a container every start uses the
 * same numbers). PostgreSQL refuses to start while any process of its user has the pid in this file. Backends that outlive their
 * postmaster are still noticed, by the shared memory that they hold.
 */
export async function removeStalePidFile(cluster_dir: string): Promise<void> {
  const found = await readPidFile(cluster_dir);
  if (found === undefined) return;
  if (!(await exists(`/proc/${found.pid}`))) return; // PostgreSQL detects this itself
  const [program = ''] = await argumentsOf(found.pid);
  if (basename(program) === 'postgres' || program.startsWith('postgres:')) return; // perhaps the server of this cluster: PostgreSQL decides
  await rm(pidFilePath(cluster_dir), { force: true });
}

function pidFilePath(cluster_dir: string): string {
  return join(cluster_dir, 'postmaster.pid');
}

/** Makes a directory for the socket. Only the user of the server and root can enter it. */
export async function makeSocketDir(user: ServerUser): Promise<string> {
  for (const base of socketBases()) {
    const dir = await mkdtemp(join(base, SOCKET_DIR_PREFIX)).catch(() => undefined);
    if (dir === undefined) continue;
    if (user.uid !== undefined && user.gid !== undefined) await chown(dir, user.uid, user.gid);
    if (await canReach(user, dir)) return dir;
    await rmdir(dir);
  }
  throw new OperatorError(
    `There is no folder for the socket of the database: the service can write neither to ${socketBases().join(' nor to ')}.`,
  );
}

/**
 * Prepares the directory of a server that has ended for the next one, which takes the same place: clients keep their URL.
 * @throws OperatorError when the directory is gone and cannot be made again, or belongs to somebody else by now
 */
export async function renewSocketDir(dir: string, user: ServerUser): Promise<void> {
  const uid = user.uid ?? process.geteuid?.();
  try {
    await mkdir(dir, { mode: 0o700 });
    if (user.uid !== undefined && user.gid !== undefined) await lchown(dir, user.uid, user.gid);
  } catch (error) {
    const found = await lstat(dir).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== uid)
      throw new OperatorError(`the folder ${dir} of its socket is gone: ${(error as Error).message}`);
  }
  await removeSockets(dir);
}

/** Returns the folders for the socket. PostgreSQL reads a list here, so a name with a comma or a quote would be misread. */
function socketBases(): string[] {
  const own = tmpdir();
  const usable = /^[\w./+-]+$/.test(own) && Buffer.byteLength(own) <= MAX_TMPDIR_BYTES;
  return [...new Set([...(usable ? [own] : []), '/tmp', '/var/tmp'])];
}

/** Removes the sockets and their directory. It is not recursive: the name may come from a file that the server's user can write. */
export async function removeSocketDir(dir: string): Promise<void> {
  if (!basename(dir).startsWith(SOCKET_DIR_PREFIX)) return;
  await removeSockets(dir);
  await rmdir(dir).catch(() => undefined); // it is gone already, or contains files of others
}

async function removeSockets(dir: string): Promise<void> {
  for (const name of [`.s.PGSQL.${PORT}`, `.s.PGSQL.${PORT}.lock`]) {
    await rm(join(dir, name), { force: true }).catch(() => undefined);
  }
}

/** Returns the socket directory of the last run, which remains when that run was killed; undefined when there is none in our folders. */
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
  /** On top of those that every server has. */
  settings?: Record<string, string>;
};

/** The pid of the started server, or in `why` the last output of a server that ended. */
export type Started = { pid: number } | { why: string };

/**
 * Starts the server and waits until it accepts connections, however long it replays its log after a crash. Calls `onWait`
 * about every five seconds during the wait.
 */
export async function startServer(options: StartOptions, onWait: () => void): Promise<Started> {
  const { cluster, binaries, log_path } = options;
  await rotateLog(log_path);
  const output = await open(log_path, LOG_FLAGS, 0o600);
  try {
    // The user of the server must be able to append when it starts the server itself next time.
    if (cluster.user.uid !== undefined) await output.chown(cluster.user.uid, cluster.user.gid ?? -1);
    const { size } = await output.stat();
    const child = spawn(binaries.postgres, serverArguments(options), {
      ...cluster.user,
      cwd: '/',
      env: SERVER_ENV,
      // A separate session: Ctrl-C in the terminal must reach this process only.
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    const failure = await untilReady(child, cluster.dir, onWait);
    child.unref(); // the process can end although stop() was not called
    if (failure === undefined && child.pid !== undefined) return { pid: child.pid };
    const said = (await readFile(log_path)).subarray(size).toString();
    const { bavail } = await statfs(dirname(log_path)); // a full disk takes no last words either
    const words = lastWords(said) || (bavail === 0 ? DISK_FULL : '');
    return { why: [failure, words].filter(Boolean).join(': ') };
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

function serverArguments({ cluster, socket_dir, fsync, settings: more }: StartOptions): string[] {
  const settings = {
    listen_addresses: '',
    port: PORT,
    unix_socket_directories: socket_dir,
    unix_socket_permissions: '0700',
    max_connections: 100,
    shared_buffers: '64MB',
    hba_file: join(cluster.dir, HBA_FILE), // no setting in the cluster's own files names another one
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off',
    // Sessions of a killed service, and their advisory locks, end within a second.
    client_connection_check_interval: '1s',
    // Failed statements are not logged: their values may be private.
    log_statement: 'none',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    // For tests, which have the databases of many services on one server.
    ...(fsync ? {} : { fsync: 'off', full_page_writes: 'off', max_connections: 400 }),
    ...more,
  };
  return [
    '-D',
    cluster.dir,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/**
 * Stops the server: first a fast shutdown, which rolls back open transactions, then an immediate one, from which the next
 * start recovers. Returns when the process has ended, also one that this process did not start.
 */
export async function stopServer(cluster_dir: string, pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!(await isServerOf(cluster_dir, pid))) return;
    process.kill(pid, signal);
    if (await hasEnded(cluster_dir, pid)) return;
  }
  throw new OperatorError(
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
