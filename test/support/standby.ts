/** A real standby: a copy of a running PostgreSQL that replays its log. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findBinaries, SERVER_ENV, type ServerUser } from '../../src/embedded-postgres/server/binaries.ts';
import { makeSocketDir, PORT, removeSocketDir } from '../../src/embedded-postgres/server/server.ts';
import { createLog } from '../../src/lib/log.ts';
import { eventually } from './eventually.ts';

export type Standby = {
  url: string;
  /** It answers no more, and its connection to the primary stays open. */
  freeze(): Promise<void>;
  thaw(): void;
  stop(): Promise<void>;
};

/** Of the server in `cluster_dir`, whose superuser is `primary`, with its password. Returns when it copies the log. */
export async function startStandby(primary: pg.Client, cluster_dir: string): Promise<Standby> {
  const dir = `${cluster_dir}-standby`;
  const user = ownerOf(cluster_dir);
  await copyFiles(primary, cluster_dir, dir);
  const [{ host }] = (await primary.query("select current_setting('unix_socket_directories') as host")).rows;
  appendFileSync(
    join(dir, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${host} port=${PORT} user=postgres password=${primary.password}'\n`,
  );
  writeAs(user, join(dir, 'standby.signal'), '');
  const { postgres } = await findBinaries(user, createLog('warn', false));
  const socket_dir = await makeSocketDir(user);
  const settings = ['listen_addresses=', `unix_socket_directories=${socket_dir}`, 'fsync=off'];
  const server = spawn(postgres, ['-D', dir, ...settings.flatMap((setting) => ['-c', setting])], {
    ...user,
    cwd: '/',
    env: SERVER_ENV,
    stdio: 'ignore',
  });
  const copying = async () =>
    (await primary.query("select 1 from pg_stat_replication where state = 'streaming'")).rowCount === 1;
  await eventually('the standby copies the log', copying);
  const { password } = primary;
  const client = new pg.Client({
    host: socket_dir,
    port: PORT,
    user: 'postgres',
    password: password ?? '',
    database: 'postgres',
  });
  client.on('error', () => undefined); // its server is stopped at the end
  await eventually('the standby answers', () =>
    client.connect().then(
      () => true,
      () => false,
    ),
  );
  const receiver = async () =>
    (await client.query('select pid from pg_stat_wal_receiver')).rows[0]?.pid as number | undefined;
  let frozen: number | undefined;
  const thaw = () => {
    if (frozen) process.kill(frozen, 'SIGCONT');
    frozen = undefined;
  };
  const place = new URLSearchParams({ host: socket_dir, port: `${PORT}` });
  return {
    url: `postgres://postgres:${encodeURIComponent(password ?? '')}@localhost/postgres?${place}`,
    async freeze() {
      frozen = await receiver();
      assert(frozen, 'the standby copies the log');
      process.kill(frozen, 'SIGSTOP');
    },
    thaw,
    async stop() {
      thaw();
      await client.end();
      await end(server);
      await removeSocketDir(socket_dir);
      rmSync(dir, { recursive: true });
    },
  };
}

async function copyFiles(primary: pg.Client, from: string, to: string): Promise<void> {
  await primary.query("select pg_backup_start('standby', fast => true)");
  // A file of the running server may go while it is copied. Recovery does without it.
  try {
    execFileSync('cp', ['-a', from, to], { stdio: 'ignore' });
  } catch {}
  const { rows } = await primary.query('select labelfile from pg_backup_stop(wait_for_archive => false)');
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(to, name), { force: true });
  writeAs(ownerOf(from), join(to, 'backup_label'), rows[0].labelfile);
}

function ownerOf(path: string): ServerUser {
  const { uid, gid } = statSync(path);
  return process.geteuid?.() === 0 ? { uid, gid } : {};
}

function writeAs({ uid, gid }: ServerUser, path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGQUIT');
  await once(server, 'exit');
}
