import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.ts';
import { isAlive, postmasterPid, startHolder, until } from '../../test/support/holder.ts';
import { storageForDatabases } from '../../test/support/storage.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

const NOBODY = 65534;
const isRoot = process.geteuid?.() === 0;
const asRoot = { timeout: 300_000, skip: isRoot ? false : 'needs root' };
const timed = { timeout: 300_000 };
/** In a checkout below a private folder of root's (/root), the server's user cannot run anything of ours. */
const otherUserRuns =
  !isRoot || spawnSync(process.execPath, ['--version'], { uid: NOBODY, gid: NOBODY }).status === 0;
const asServerUser = {
  timeout: 300_000,
  skip: otherUserRuns ? false : 'needs a checkout that other users can enter',
};

const root = mkdtempSync(join(await storageForDatabases(), 'teller-pg-'));
chmodSync(root, 0o755);
const silent = createLog('silent', false);
const started: EmbeddedPostgres[] = [];
after(async () => {
  for (const server of started) await server.stop();
  rmSync(root, { recursive: true, force: true });
});

async function start(data_dir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ data_dir, log: silent, fsync: false });
  started.push(server);
  return server;
}

async function query<Row extends pg.QueryResultRow>(
  { host, port, user, password }: { host: string; port: number; user: string; password: string },
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client({ host, port, user, password, database: 'postgres' });
  await client.connect();
  return (await client.query<Row>(sql).finally(() => client.end())).rows;
}

const writeRow = 'create table kept as select 42 as answer';
const readRow = 'select answer from kept';

test('starts, stops and starts again with its data', timed, async () => {
  const data_dir = join(root, 'restart');
  const first = await start(data_dir);
  assert.equal(first.adopted, false);
  assert.equal(first.cluster_dir, join(data_dir, 'postgres'));
  assert.equal(statSync(first.host).mode & 0o777, 0o700);
  assert.equal(statSync(first.cluster_dir).mode & 0o777, 0o700);
  await query(first, writeRow);
  const pid = postmasterPid(first.cluster_dir);
  await Promise.all([first.stop(), first.stop()]);
  assert.equal(isAlive(pid), false);
  assert.equal(existsSync(first.host), false);

  const second = await start(data_dir);
  assert.equal(second.adopted, false);
  assert.deepEqual(await query(second, readRow), [{ answer: 42 }]);
  const settings = await query(
    second,
    `select current_setting('listen_addresses') as addresses, current_setting('timezone') as timezone,
            current_setting('server_encoding') as encoding, current_setting('data_checksums') as checksums`,
  );
  assert.deepEqual(settings, [{ addresses: '', timezone: 'UTC', encoding: 'UTF8', checksums: 'on' }]);
  await second.stop();
});

test(
  'a server left by a killed service is adopted with its rows, and stopped by its new owner',
  timed,
  async () => {
    const data_dir = join(root, 'adopt');
    const holder = startHolder(data_dir);
    const left = await holder.held;
    await query(left, writeRow);
    const pid = postmasterPid(left.cluster_dir);
    await holder.kill('SIGKILL');

    const adopted = await start(data_dir);
    assert.equal(adopted.adopted, true);
    assert.equal(postmasterPid(adopted.cluster_dir), pid);
    assert.deepEqual(await query(adopted, readRow), [{ answer: 42 }]);
    await adopted.stop();
    assert.equal(isAlive(pid), false);
    assert.equal(existsSync(adopted.host), false);
  },
);

test('after service and server are both killed, the next start recovers', timed, async () => {
  const data_dir = join(root, 'recover');
  const holder = startHolder(data_dir);
  const left = await holder.held;
  await query(left, writeRow);
  process.kill(postmasterPid(left.cluster_dir), 'SIGKILL');
  await holder.kill('SIGKILL');

  const recovered = await start(data_dir);
  assert.equal(recovered.adopted, false);
  assert.deepEqual(await query(recovered, readRow), [{ answer: 42 }]);
  assert.equal(existsSync(left.host), false, 'the socket directory of the killed server is removed');
  await recovered.stop();
});

test('a left-over server that cannot be reached any more is replaced', timed, async () => {
  const data_dir = join(root, 'unreachable');
  const holder = startHolder(data_dir);
  const left = await holder.held;
  await query(left, writeRow);
  const pid = postmasterPid(left.cluster_dir);
  await holder.kill('SIGKILL');
  rmSync(left.host, { recursive: true }); // as a cleaner of temporary directories does

  const replaced = await start(data_dir);
  assert.equal(replaced.adopted, false);
  assert.equal(isAlive(pid), false);
  assert.deepEqual(await query(replaced, readRow), [{ answer: 42 }]);
  await replaced.stop();
});

test('a pid file whose number belongs to another program by now is no obstacle', asServerUser, async () => {
  const data_dir = join(root, 'reused-pid');
  const first = await start(data_dir);
  const pid_file = readFileSync(join(first.cluster_dir, 'postmaster.pid'), 'utf8');
  await first.stop();
  // A program of the server's own user, which is the case that PostgreSQL itself refuses.
  const other = startHolder(ownedByServerUser('other'), { ...serverUser(), only: 'lock' });
  await other.held;
  writeFileSync(join(first.cluster_dir, 'postmaster.pid'), pid_file.replace(/^\d+/, String(other.pid)));

  const second = await start(data_dir);
  assert.equal(second.adopted, false);
  assert.equal(isAlive(other.pid), true);
  await second.stop();
  await other.kill('SIGKILL');
});

const halfMade = (data_dir: string) =>
  readdirSync(data_dir).filter((name) => name.startsWith('postgres.initdb-'));

/** Gives the data directory. On a busy machine initdb may be through before its service is killed: then it is another one. */
async function killDuringInitdb(): Promise<string> {
  for (let n = 1; ; n++) {
    const data_dir = join(root, `initdb-${n}`);
    mkdirSync(data_dir);
    const holder = startHolder(data_dir);
    holder.held.catch(() => undefined); // it never gets that far
    const isMade = () => existsSync(join(data_dir, 'postgres'));
    const isUnderWay = () =>
      halfMade(data_dir).some((name) => existsSync(join(data_dir, name, 'cluster', 'base')));
    await until(() => isUnderWay() || isMade());
    await holder.kill('SIGKILL');
    if (!isMade()) return data_dir;
    await (await start(data_dir)).stop();
  }
}

test('a service killed during initdb leaves a directory that starts', timed, async () => {
  const data_dir = await killDuringInitdb();
  const server = await start(data_dir);
  assert.deepEqual(halfMade(data_dir), []);
  await query(server, writeRow);
  await server.stop();
});

test(
  'a cluster of another major version is refused with what to do, and nothing is started',
  timed,
  async () => {
    const data_dir = join(root, 'version');
    const server = await start(data_dir);
    await server.stop();
    for (const [version, what] of [
      ['17', /made by PostgreSQL 17, and this release embeds PostgreSQL 18, .*"teller db upgrade" copies it/],
      ['19', /made by PostgreSQL 19, and this release embeds PostgreSQL 18: no database goes back/],
    ] as const) {
      writeFileSync(join(server.cluster_dir, 'PG_VERSION'), `${version}\n`);
      const logged = readFileSync(join(data_dir, 'postgres.log'), 'utf8');
      await assert.rejects(start(data_dir), what);
      assert.equal(readFileSync(join(data_dir, 'postgres.log'), 'utf8'), logged);
    }
  },
);

test(
  'a server that is killed is started again at the same place with its rows, and then stops',
  timed,
  async () => {
    const server = await start(join(root, 'killed'));
    await query(server, writeRow);
    const first = postmasterPid(server.cluster_dir);
    process.kill(first, 'SIGKILL');
    const rows = await eventually('the server after its restart', () =>
      query(server, readRow).catch(() => null),
    );
    assert.deepEqual(rows, [{ answer: 42 }]);
    const second = postmasterPid(server.cluster_dir);
    assert.notEqual(second, first);
    await server.stop();
    assert.equal(isAlive(second), false);
    assert.equal(existsSync(server.host), false);
  },
);

test('an adopted server is started again too, although its socket directory is gone', timed, async () => {
  const data_dir = join(root, 'killed-adopted');
  const holder = startHolder(data_dir);
  await query(await holder.held, writeRow);
  await holder.kill('SIGKILL');
  const server = await start(data_dir);
  assert.equal(server.adopted, true);
  rmSync(server.host, { recursive: true });
  process.kill(postmasterPid(server.cluster_dir), 'SIGKILL');
  const rows = await eventually('the server after its restart', () =>
    query(server, readRow).catch(() => null),
  );
  assert.deepEqual(rows, [{ answer: 42 }]);
  assert.equal(statSync(server.host).mode & 0o777, 0o700);
  await server.stop();
});

test('the next server waits for the sessions that outlive a killed one', timed, async () => {
  const server = await start(join(root, 'sessions'));
  const session = new pg.Client({ ...server, database: 'postgres' });
  await session.connect();
  const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = rows[0]?.pid as number;
  process.kill(pid, 'SIGSTOP'); // a session that is busy with its disk
  session.on('error', () => undefined);
  process.kill(postmasterPid(server.cluster_dir), 'SIGKILL');
  await eventually('the refusal to start', () =>
    /shared memory block/.test(readFileSync(join(root, 'sessions', 'postgres.log'), 'utf8')),
  );
  process.kill(pid, 'SIGCONT');
  await eventually('the next server', () => query(server, 'select 1').catch(() => null));
  await server.stop();
});

test('a database whose files are gone is given up, and no empty one takes its place', timed, async () => {
  const data_dir = join(root, 'gone');
  const clock = { ...systemClock, sleep: () => setImmediate() };
  const server = await startEmbeddedPostgres({ data_dir, log: silent, fsync: false, clock });
  started.push(server);
  renameSync(server.cluster_dir, `${server.cluster_dir}.away`);
  process.kill(postmasterPid(`${server.cluster_dir}.away`), 'SIGKILL');
  assert.match((await server.lost).message, /does not start again \(.*No such file or directory/);
  assert.equal(existsSync(server.cluster_dir), false);
  await server.stop();
  renameSync(`${server.cluster_dir}.away`, server.cluster_dir);
  await (await start(data_dir)).stop(); // the killed server's shared memory goes with the next clean stop
});

test('without file descriptors a running server is not taken for ended; later its end is seen', timed, () => {
  const script = join(import.meta.dirname, '../../test/support/without-descriptors.ts');
  const command = [process.execPath, ...process.execArgv, script, join(root, 'descriptors')];
  const limited = ['-c', 'ulimit -n 256 && exec "$@"', 'sh', ...command];
  const { stdout, stderr } = spawnSync('/bin/sh', limited, { encoding: 'utf8' });
  assert.deepEqual(
    JSON.parse(stdout || stderr),
    [
      'PostgreSQL started',
      'killed',
      'PostgreSQL has ended unexpectedly; it is started again',
      'PostgreSQL started again',
    ],
    stderr,
  );
});

test('files that are no cluster are left alone', timed, async () => {
  const data_dir = join(root, 'foreign');
  mkdirSync(join(data_dir, 'postgres'), { recursive: true });
  writeFileSync(join(data_dir, 'postgres', 'letter.txt'), 'dear');
  await assert.rejects(start(data_dir), /is not empty and holds no database/);
  assert.deepEqual(readdirSync(join(data_dir, 'postgres')), ['letter.txt']);
});

test('PostgreSQL says why it does not start', timed, async () => {
  const data_dir = join(root, 'broken');
  const server = await start(data_dir);
  await server.stop();
  writeFileSync(join(server.cluster_dir, 'postgresql.conf'), 'no_such_setting = 1\n');
  const sockets = join(root, 'sockets');
  mkdirSync(sockets);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = sockets;
  await assert.rejects(
    start(data_dir),
    /^Error: PostgreSQL does not start on .*: it ended with exit code 1: .*no_such_setting.*$/,
  );
  assert.deepEqual(readdirSync(sockets), []);
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
});

test('as root below a private folder, the database goes where its user can get', asRoot, async () => {
  const private_dir = join(root, 'private');
  mkdirSync(private_dir, { mode: 0o700 });
  const data_dir = join(private_dir, 'data');
  const first = await start(data_dir);
  assert.match(first.cluster_dir, /^\/var\/lib\/stellar-teller\/[0-9a-f]{16}\/postgres$/);
  assert.equal(readFileSync(join(data_dir, 'postgres.location'), 'utf8'), `${first.cluster_dir}\n`);
  try {
    await query(first, writeRow);
    await first.stop();
    const second = await start(data_dir);
    assert.equal(second.cluster_dir, first.cluster_dir);
    assert.deepEqual(await query(second, readRow), [{ answer: 42 }]);
    await second.stop();
  } finally {
    await first.stop();
    rmSync(dirname(first.cluster_dir), { recursive: true });
  }
  await assert.rejects(start(data_dir), /postgres\.location says .* but it is not there/);
});

test(
  'works as a normal user, and then as root on the same directory',
  isRoot ? asServerUser : asRoot,
  async () => {
    const data_dir = ownedByServerUser('normal-user');
    const holder = startHolder(data_dir, serverUser());
    const held = await holder.held;
    assert.equal(held.cluster_dir, join(data_dir, 'postgres'));
    await query(held, writeRow);
    await holder.kill('SIGTERM');
    assert.equal(existsSync(held.host), false);

    const server = await start(data_dir);
    assert.deepEqual(await query(server, readRow), [{ answer: 42 }]);
    await server.stop();
  },
);

function serverUser(): { uid?: number; gid?: number } {
  return isRoot ? { uid: NOBODY, gid: NOBODY } : {};
}

function ownedByServerUser(name: string): string {
  const dir = join(root, name);
  mkdirSync(dir);
  if (isRoot) chownSync(dir, NOBODY, NOBODY);
  return dir;
}
