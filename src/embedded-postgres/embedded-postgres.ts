/**
 * The embedded database: PostgreSQL from npm, for a service without DATABASE_URL. One server per data directory.
 *
 * | killed                            | the next start                                             |
 * |-----------------------------------|------------------------------------------------------------|
 * | during initdb                     | deletes its files, which do not have the final name yet    |
 * | the service, not its PostgreSQL   | adopts the running server                                  |
 * | both                              | starts the server, which replays its log                   |
 * | while the cluster was hardened    | stops its server if one runs, hardens it again (access.ts) |
 *
 * A server that ends while its service runs is started again at once (keep-running.ts).
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { backgroundClock, type Clock, systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import {
  archivedPath,
  isArchived,
  noteArchived,
  recordIdentifier,
  requireOwnArchive,
} from './backup/archive-identity.ts';
import { archiveCommand, archiveSettings, keepLogSettings, prepareArchive } from './backup/wal-archive.ts';
import { keepRunning } from './keep-running.ts';
import {
  acceptsPassword,
  asSuperuser,
  BY_PASSWORD,
  beginHardening,
  ensurePassword,
  finishHardening,
  forgetHardening,
  isHardened,
  passwordPath,
  readPassword,
  WAY_IN,
} from './server/access.ts';
import { findBinaries } from './server/binaries.ts';
import { type Cluster, ensureCluster, finishUpgrade, locateCluster, SUPERUSER } from './server/cluster.ts';
import {
  isServerOf,
  lastSocketDir,
  makeSocketDir,
  type PidFile,
  PORT,
  readPidFile,
  removeSocketDir,
  removeStalePidFile,
  renewSocketDir,
  type StartOptions,
  startServer,
  stopServer,
} from './server/server.ts';

export type EmbeddedPostgres = {
  /** Directory of the unix socket. There is no network port. */
  host: string;
  port: number;
  user: string;
  password: string;
  /** Whether it was running already, left by a killed service. */
  adopted: boolean;
  cluster_dir: string;
  /** Resolves with the reason when the server has ended and cannot be kept running. */
  lost: Promise<OperatorError>;
  /** Stops the server and waits until it has ended. May be called again. */
  stop(): Promise<void>;
};

/** How long a server left by a killed service may take to respond or to end. */
const ORPHAN_PATIENCE_MS = 15_000;
const ORPHAN_POLL_MS = 50;
/** cannot_connect_now: it starts or stops; too_many_connections: connections of the killed service. */
const BUSY_CODES = ['57P03', '53300'];
const HELD_BY_ANOTHER = /lock file .* already exists|shared memory block/;

type Options = {
  data_dir: string;
  log: Log;
  /** Where the server archives its log. */
  wal_dir?: string | undefined;
  fsync?: boolean;
  clock?: Clock;
  /** Folder of the npm package with the programs; absent: what this release brings. */
  programs?: string | undefined;
  /** Name of the log in `data_dir`. */
  log_name?: string;
};
type Needed = {
  password: string;
  data_dir: string;
  log_path: string;
  log: Log;
  fsync: boolean;
  clock: Clock;
  programs: string | undefined;
  /** Where the server archives its log. */
  wal_dir: string | undefined;
};
type Server = { pid: number; socket_dir: string; adopted: boolean };

/**
 * Starts the PostgreSQL server of `data_dir`, with new files at the first start, or adopts the one that a killed service left
 * running. The caller holds the lock of `data_dir`, because two starts at once would disturb each other.
 * `wal_dir`: the folder into which the server archives its log. `fsync: false` loses data in a power cut; it is for tests.
 * @throws EmbeddedPostgresUnavailable if PostgreSQL cannot run on this machine or cannot read these files.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  await finishUpgrade(options.data_dir);
  return startCluster(await locateCluster(options.data_dir, options.log), options);
}

/** Starts the server of this cluster, or adopts the one that a killed service left running, as `startEmbeddedPostgres` does. */
export async function startCluster(cluster: Cluster, options: Options): Promise<EmbeddedPostgres> {
  const {
    data_dir,
    log,
    wal_dir,
    fsync = true,
    clock = backgroundClock,
    programs,
    log_name = 'postgres.log',
  } = options;
  const began = systemClock.now().getTime();
  const password = await ensurePassword(data_dir);
  const log_path = join(data_dir, log_name);
  const needed = { password, data_dir, log_path, log, fsync, clock, programs, wal_dir };
  const server = (await adopt(cluster, needed)) ?? (await start(cluster, needed));
  const ms = systemClock.now().getTime() - began;
  log.info(
    { cluster_dir: cluster.dir, server_pid: server.pid, duration_ms: ms },
    server.adopted ? 'PostgreSQL adopted' : 'PostgreSQL started',
  );
  return handle(cluster, server, needed);
}

/**
 * Returns the server that a killed service left, when it responds; undefined when there is none. Stops a server that cannot be
 * used, or that is busy for too long.
 */
async function adopt(cluster: Cluster, needed: Needed): Promise<Server | undefined> {
  const { password, log } = needed;
  const deadline = systemClock.now().getTime() + ORPHAN_PATIENCE_MS;
  for (;;) {
    const found = await findServer(cluster.dir);
    if (found === undefined) return undefined;
    const answer = (await isHardened(cluster, password)) ? await ask(found, cluster.dir, needed) : 'unusable';
    if (answer === 'usable') return { pid: found.pid, socket_dir: found.socket_dir, adopted: true };
    // A server that replays its log is not stopped, because the replay would begin again.
    const patient = found.status === 'starting' || systemClock.now().getTime() < deadline;
    if (answer === 'unusable' || !patient) {
      log.warn(
        { server_pid: found.pid },
        'a killed service left a PostgreSQL that cannot be used; it is stopped',
      );
      await stopServer(cluster.dir, found.pid);
      await removeSocketDir(found.socket_dir);
      return undefined;
    }
    await systemClock.sleep(ORPHAN_POLL_MS);
  }
}

/**
 * Checks with a real query that the server asks for the password, is of this cluster, has the required durability, and
 * archives its log where it must.
 */
async function ask(
  { socket_dir, port, status }: PidFile,
  cluster_dir: string,
  { password, fsync, wal_dir }: Needed,
): Promise<'usable' | 'busy' | 'unusable'> {
  try {
    const { rows } = await asSuperuser({ host: socket_dir, port }, password, (client) =>
      client.query<{ dir: string; fsync: string; way: string; archive: string }>(
        `select current_setting('data_directory') as dir, current_setting('fsync') as fsync, ${WAY_IN} as way,
                current_setting('archive_command') as archive`,
      ),
    );
    const { archive, ...found } = rows[0] ?? {};
    const wanted = { dir: cluster_dir, fsync: fsync ? 'on' : 'off', way: BY_PASSWORD };
    const archives = wal_dir === undefined || archive === archiveCommand(wal_dir);
    return archives && isDeepStrictEqual(found, wanted) ? 'usable' : 'unusable';
  } catch (error) {
    const { code } = error as { code?: string };
    return status !== 'ready' || BUSY_CODES.includes(code ?? '') ? 'busy' : 'unusable';
  }
}

async function start(cluster: Cluster, needed: Needed): Promise<Server> {
  const { password, data_dir, log_path, log, fsync, programs, wal_dir } = needed;
  const binaries = await findBinaries(cluster.user, log, programs);
  if (wal_dir !== undefined) {
    await prepareArchive(wal_dir, cluster.user);
    await requireOwnArchive(wal_dir, cluster);
  }
  await ensureCluster(cluster, binaries, fsync);
  if (wal_dir !== undefined) {
    await recordIdentifier(wal_dir, cluster);
    await noteArchived(data_dir, cluster.dir);
  }
  const previous = await lastSocketDir(cluster.dir);
  const hardened = await isHardened(cluster, password);
  if (!hardened) await beginHardening(cluster, log_path);
  const socket_dir = await makeSocketDir(cluster.user);
  const place = { host: socket_dir, port: PORT };
  const server = { pid: 0, socket_dir, adopted: false };
  try {
    const settings = await settingsOf(cluster, needed);
    server.pid = await startPatiently({ cluster, binaries, socket_dir, log_path, fsync, settings }, log);
    if (!hardened) await finishHardening(cluster, place, password);
    if (previous !== undefined) await removeSocketDir(previous);
    if (await acceptsPassword(place, password)) return server;
  } catch (error) {
    if (server.pid > 0) await stopServer(cluster.dir, server.pid);
    await removeSocketDir(socket_dir);
    throw error;
  }
  log.warn({ file: passwordPath(data_dir) }, 'the database has another password; it gets that of the file');
  await stopServer(cluster.dir, server.pid);
  await removeSocketDir(socket_dir);
  await forgetHardening(cluster);
  return start(cluster, needed);
}

/**
 * Repeats the start while sessions of a killed postmaster still hold its memory: PostgreSQL refuses to start then. A service that was
 * killed while it started a server has left one that nobody had seen before: that is stopped.
 */
async function startPatiently(options: StartOptions, log: Log): Promise<number> {
  const deadline = systemClock.now().getTime() + ORPHAN_PATIENCE_MS;
  const onWait = () => log.info('PostgreSQL is starting, and may be replaying its log after a crash');
  for (;;) {
    await removeStalePidFile(options.cluster.dir);
    const started = await startServer(options, onWait);
    if ('pid' in started) return started.pid;
    if (!HELD_BY_ANOTHER.test(started.why) || systemClock.now().getTime() > deadline) {
      throw new OperatorError(`PostgreSQL does not start on ${options.cluster.dir}: ${started.why}.`);
    }
    await stopOrphan(options.cluster.dir);
    await systemClock.sleep(ORPHAN_POLL_MS);
  }
}

/** Returns the server that has the files of the cluster; undefined when none runs. */
async function findServer(cluster_dir: string): Promise<PidFile | undefined> {
  const found = await readPidFile(cluster_dir);
  return found !== undefined && (await isServerOf(cluster_dir, found.pid)) ? found : undefined;
}

/** Stops the server that has the files of the cluster, if one runs. The caller holds the lock of `data_dir`, so no service uses it. */
async function stopOrphan(cluster_dir: string): Promise<void> {
  const found = await findServer(cluster_dir);
  if (found === undefined) return;
  await stopServer(cluster_dir, found.pid);
  await removeSocketDir(found.socket_dir);
}

function handle(cluster: Cluster, first: Server, needed: Needed): EmbeddedPostgres {
  const { socket_dir, adopted } = first;
  const { password } = needed;
  const server = { pid: first.pid };
  let stopping: Promise<void> | undefined;
  const kept = keepRunning({
    isRunning: () => isServerOf(cluster.dir, server.pid),
    restart: async () => {
      server.pid = await startAgain(cluster, socket_dir, needed);
    },
    ...needed,
  });
  const stop = async () => {
    await kept.stop();
    await stopServer(cluster.dir, server.pid);
    await removeSocketDir(socket_dir);
  };
  return {
    host: socket_dir,
    port: PORT,
    user: SUPERUSER,
    password,
    adopted,
    cluster_dir: cluster.dir,
    lost: kept.lost,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Starts the server on existing files only: if they are gone, an empty database must not take their place. */
async function startAgain(cluster: Cluster, socket_dir: string, needed: Needed): Promise<number> {
  const { log_path, log, fsync, programs } = needed;
  const binaries = await findBinaries(cluster.user, log, programs);
  await renewSocketDir(socket_dir, cluster.user);
  const settings = await settingsOf(cluster, needed);
  return startPatiently({ cluster, binaries, socket_dir, log_path, fsync, settings }, log);
}

async function settingsOf(
  { dir }: Cluster,
  { wal_dir, data_dir, log }: Needed,
): Promise<Record<string, string>> {
  if (wal_dir !== undefined) return archiveSettings(wal_dir);
  if (!(await isArchived(data_dir, dir))) return {};
  log.warn(
    { file: archivedPath(data_dir) },
    'BACKUP_WAL_DIR is not set, but the log of this database was archived: the log is kept until it is archived. To end archiving, delete the file',
  );
  return keepLogSettings();
}

/**
 * Finds the running server of `data_dir`, for a command beside the service, which does not stop it. Returns undefined when none
 * runs.
 * @throws OperatorError when the password is lost
 */
export async function findRunningPostgres(
  data_dir: string,
  log: Log,
): Promise<Pick<EmbeddedPostgres, 'host' | 'port' | 'user' | 'password'> | undefined> {
  const cluster = await locateCluster(data_dir, log);
  const found = await findServer(cluster.dir);
  if (found === undefined) return undefined;
  const password = await readPassword(data_dir);
  if (password !== undefined) return { host: found.socket_dir, port: found.port, user: SUPERUSER, password };
  throw new OperatorError(
    `${passwordPath(data_dir)} does not have the password of the database. Restart the service, which makes a new one.`,
  );
}
