/** Nobody but the service gets at the embedded database, also when a start was killed or the password is lost. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.ts';
import { type Held, postmasterPid, startHolder, until } from '../../test/support/holder.ts';
import { storageForDatabases } from '../../test/support/storage.ts';
import { createLog } from '../lib/log.ts';
import { type EmbeddedPostgres, findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

const NOBODY = 65534;
const DAEMON = 1;
const isRoot = process.geteuid?.() === 0;
const timed = { timeout: 300_000 };
const asRoot = { ...timed, skip: isRoot ? false : 'needs root' };
const silent = createLog('silent', false);

const root = mkdtempSync(join(await storageForDatabases(), 'teller-hard-'));
chmodSync(root, 0o755);
const started: EmbeddedPostgres[] = [];
const holders: ReturnType<typeof startHolder>[] = [];
after(async () => {
  for (const holder of holders) await holder.kill('SIGKILL');
  for (const server of started) await server.stop();
  rmSync(root, { recursive: true, force: true });
});

async function start(data_dir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ data_dir, log: silent, fsync: false });
  started.push(server);
  return server;
}

type Login = { host: string; user?: string; password?: string };

async function ask(login: Login, sql: string): Promise<any[]> {
  const client = new pg.Client({ port: 5432, user: 'postgres', ...login, database: 'postgres' });
  await client.connect();
  return (await client.query(sql).finally(() => client.end())).rows;
}

const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const rulesOf = (cluster_dir: string) => read(cluster_dir, 'pg_hba.conf').replace(/^#.*\n/gm, '');
const HARDENED = 'local all "postgres" scram-sha-256\nlocal replication "postgres" scram-sha-256\n';

/** Every file and folder in `dir`, and `dir`. */
function everythingIn(dir: string): string[] {
  return [dir, ...readdirSync(dir, { recursive: true }).map((name) => join(dir, String(name)))];
}

/** The database has its row, wants its password, and no file of it belongs to anybody else. */
async function assertHardened(server: Held): Promise<void> {
  const [row] = await ask(server, 'select answer, system_user as way from kept');
  assert.deepEqual(row, { answer: 42, way: 'scram-sha-256:postgres' });
  await assert.rejects(ask({ host: server.host, password: 'wrong' }, 'select 1'), { code: '28P01' });
  assert.equal(rulesOf(server.cluster_dir), HARDENED);
  const { uid } = statSync(server.cluster_dir);
  for (const path of everythingIn(server.cluster_dir)) {
    const found = statSync(path, { throwIfNoEntry: false }); // PostgreSQL removes files at any time
    if (found) assert.deepEqual([found.uid, found.mode & 0o077], [uid, 0], path);
  }
  if (isRoot) assert.doesNotMatch(read('/etc/passwd'), new RegExp(`^[^:]*:[^:]*:${uid}:`, 'm'));
}

// ---- A database that must be hardened: it has the rules of initdb, its password is lost, and its owner has got a name.

/** Made once, then copied. */
async function databaseToHarden(name: string): Promise<string> {
  const made = join(root, 'made');
  if (!existsSync(made)) await makeDatabase(made);
  const data_dir = join(root, name);
  execFileSync('cp', ['-a', made, data_dir]);
  return data_dir;
}

async function makeDatabase(data_dir: string): Promise<void> {
  const server = await start(data_dir);
  await ask(server, 'create table kept as select 42 as answer');
  await server.stop();
  rmSync(join(data_dir, 'postgres-password'));
  writeFileSync(join(server.cluster_dir, 'pg_hba.conf'), 'local all all reject\n');
  writeFileSync(join(server.cluster_dir, 'pg_ident.conf'), '');
  if (!isRoot) return;
  const log = join(data_dir, 'postgres.log');
  for (const path of [...everythingIn(server.cluster_dir), log]) lchownSync(path, DAEMON, DAEMON);
}

test('it is hardened by the next start, and keeps its rows', timed, async () => {
  const data_dir = await databaseToHarden('again');
  const server = await start(data_dir);
  await assertHardened(server);
  if (isRoot) assert.notEqual(statSync(server.cluster_dir).uid, DAEMON);
  assert.equal(statSync(join(data_dir, 'postgres.log')).uid, statSync(server.cluster_dir).uid);
  await server.stop();
  const again = await start(data_dir);
  await assertHardened(again);
  await again.stop();
});

/** What a kill leaves to the next start, by how far the hardening has come when it is seen. */
const STEPS: [string, (data_dir: string) => boolean][] = [
  ['there is a password', (data_dir) => existsSync(join(data_dir, 'postgres-password'))],
  ['no server can start', (data_dir) => !existsSync(join(data_dir, 'postgres', 'pg_hba.conf'))],
  ['the folder has its owner', (data_dir) => !isRoot || statSync(join(data_dir, 'postgres')).uid !== DAEMON],
  [
    'all files have their owner',
    (data_dir) => read(data_dir, 'postgres', 'pg_ident.conf').startsWith('teller'),
  ],
  ['the owner may connect', (data_dir) => /peer/.test(rulesIfThere(data_dir))],
  ['the server starts', (data_dir) => existsSync(join(data_dir, 'postgres', 'postmaster.pid'))],
  ['the server runs', (data_dir) => /ready/.test(pidFileIfThere(data_dir))],
  ['the password is set', (data_dir) => /scram/.test(rulesIfThere(data_dir))],
];
const rulesIfThere = (data_dir: string) => ifThere(join(data_dir, 'postgres', 'pg_hba.conf'));
const pidFileIfThere = (data_dir: string) => ifThere(join(data_dir, 'postgres', 'postmaster.pid'));

/** A start that hardens takes files away: one that was there a moment ago may be gone. */
function ifThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

for (const [index, [what, isReached]] of STEPS.entries()) {
  test(
    `a service that is killed when ${what} leaves a database that the next start hardens`,
    timed,
    async () => {
      const data_dir = await databaseToHarden(`step-${index}`);
      const holder = startHolder(data_dir);
      holders.push(holder);
      holder.held.catch(() => undefined); // it never gets that far
      await until(() => isReached(data_dir));
      await holder.kill('SIGKILL');
      const server = await start(data_dir);
      await assertHardened(server);
      await server.stop();
    },
  );
}

test(
  'half of the files given away, files that others may write, and rules for the owner are mended',
  timed,
  async () => {
    const data_dir = await databaseToHarden('half');
    const dir = join(data_dir, 'postgres');
    if (isRoot) chownSync(dir, 61_000, 61_000);
    chmodSync(join(dir, 'base'), 0o777);
    chmodSync(join(dir, 'PG_VERSION'), 0o666);
    writeFileSync(join(dir, 'pg_hba.conf'), 'local all all peer map=teller\n');
    const server = await start(data_dir);
    await assertHardened(server);
    await server.stop();
  },
);

// ---- Who gets in.

const CONNECT = `
const socket = require('node:net').connect(process.argv[1]);
socket.on('connect', () => socket.end(() => console.log('connected')));
socket.on('error', ({ code }) => console.log(code));
`;

/** What a program of user `uid` gets when it connects to the socket. */
function connectAs(uid: number, host: string): string {
  const options = { uid, gid: uid, cwd: '/', encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['-e', CONNECT, join(host, '.s.PGSQL.5432')],
    options,
  );
  return stdout.trim() || stderr;
}

test('other users of the machine do not reach the server, nor any of its files', asRoot, async () => {
  const server = await start(join(root, 'others'));
  for (const uid of [NOBODY, DAEMON, 61_183]) {
    assert.equal(connectAs(uid, server.host), 'EACCES', `user id ${uid}`);
    const { status } = spawnSync('/bin/ls', [server.cluster_dir], { uid, gid: uid });
    assert.notEqual(status, 0, `user id ${uid}`);
  }
  const { uid, gid } = statSync(server.cluster_dir);
  const { uid: socket_uid, mode } = statSync(server.host);
  assert.deepEqual([socket_uid, mode & 0o777], [uid, 0o700]);
  const status = read('/proc', String(postmasterPid(server.cluster_dir)), 'status');
  assert.match(status, new RegExp(`^Uid:(\\s${uid}){4}$`, 'm'));
  assert.match(status, new RegExp(`^Gid:(\\s${gid}){4}$`, 'm'));
  assert.match(status, /^Groups:\s*$/m);
  await server.stop();
});

test('who reaches the socket needs the password, and there is one database user', timed, async () => {
  const server = await start(join(root, 'password'));
  const { host, password } = server;
  assert.equal((await ask({ host, password }, 'select current_user as name'))[0].name, 'postgres');
  await assert.rejects(ask({ host, password: 'wrong' }, 'select 1'), { code: '28P01' });
  await assert.rejects(ask({ host, password: '' }, 'select 1'), /password/);
  await ask({ host, password }, 'create role other login superuser');
  await assert.rejects(ask({ host, password, user: 'other' }, 'select 1'), { code: '28000' });
  await assert.rejects(ask({ host, password, user: 'root' }, 'select 1'), { code: '28000' });
  assert.equal(rulesOf(server.cluster_dir), HARDENED);
  assert.doesNotMatch(read(server.cluster_dir, 'pg_hba.conf'), /trust|host|peer/);
  await server.stop();
});

test('the password is in its file alone: no log, command line or environment has it', timed, async () => {
  const data_dir = join(root, 'secret');
  const server = await start(data_dir);
  const { password } = server;
  assert.match(password, /^[\w-]{43}$/);
  const file = join(data_dir, 'postgres-password');
  assert.equal(read(file), `${password}\n`);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  await ask(server, "alter system set log_statement = 'all'");
  await ask(server, 'select pg_reload_conf()');
  rmSync(file);
  await server.stop();
  const next = await start(data_dir);
  const pid = String(postmasterPid(next.cluster_dir));
  const seen = everythingIn(data_dir)
    .filter((path) => path !== file && statSync(path).isFile())
    .concat(['/proc/self/environ', ...['cmdline', 'environ'].map((name) => join('/proc', pid, name))]);
  for (const secret of [password, next.password])
    for (const path of seen) assert.ok(!readFileSync(path).includes(secret), path);
  await next.stop();
});

test(
  'a lost password, an invalid one, and one changed by SQL are mended by the next start',
  timed,
  async () => {
    const data_dir = await databaseToHarden('lost');
    const file = join(data_dir, 'postgres-password');
    const first = await start(data_dir);
    rmSync(file);
    await assert.rejects(findRunningPostgres(data_dir, silent), /does not have the password.*Restart/s);
    await first.stop();
    const second = await start(data_dir);
    assert.notEqual(second.password, first.password);
    await assertHardened(second);
    assert.equal((await findRunningPostgres(data_dir, silent))?.password, second.password);
    writeFileSync(file, '\n');
    await second.stop();
    const third = await start(data_dir);
    await assertHardened(third);
    await ask(third, "alter role postgres password 'another'");
    await third.stop();
    const fourth = await start(data_dir);
    await assertHardened(fourth);
    await fourth.stop();
  },
);

test('rules that somebody has added are gone after the next start', timed, async () => {
  const data_dir = await databaseToHarden('rules');
  const first = await start(data_dir);
  await first.stop();
  writeFileSync(join(first.cluster_dir, 'pg_hba.conf'), 'local all all trust\n');
  const second = await start(data_dir);
  await assertHardened(second);
  await second.stop();
});

test(
  'a server that was adopted while it let in its owner without a password is replaced',
  timed,
  async () => {
    const data_dir = await databaseToHarden('not-reloaded');
    const holder = startHolder(data_dir);
    holders.push(holder);
    const held = await holder.held;
    const hardened = read(held.cluster_dir, 'pg_hba.conf');
    writeFileSync(join(held.cluster_dir, 'pg_hba.conf'), 'local all all trust\n');
    await ask(held, 'select pg_reload_conf()');
    const letIn = () => ask({ host: held.host }, 'select 1').catch(() => null);
    await eventually('the server lets in everybody', letIn);
    await holder.kill('SIGKILL');
    writeFileSync(join(held.cluster_dir, 'pg_hba.conf'), hardened); // killed before the server read it
    const server = await start(data_dir);
    assert.equal(server.adopted, false);
    await assertHardened(server);
    await server.stop();
  },
);

test('a user who is given DATA_DIR starts the database', asRoot, async () => {
  const data_dir = await databaseToHarden('given');
  await (await start(data_dir)).stop();
  for (const path of everythingIn(data_dir)) lchownSync(path, 61_000, 61_000);
  const holder = startHolder(data_dir, { uid: 61_000, gid: 61_000 });
  holders.push(holder);
  await assertHardened(await holder.held);
  await holder.kill('SIGTERM');
});

test(
  'a link among the files is refused until the operator has given it away; what it names keeps its owner',
  asRoot,
  async () => {
    const data_dir = await databaseToHarden('link');
    const [file, folder] = [join(root, 'file-of-others'), join(root, 'folder-of-others')];
    writeFileSync(file, '');
    mkdirSync(folder);
    const link = join(data_dir, 'postgres', 'base', 'link');
    for (const plant of [
      () => symlinkSync(file, link),
      () => symlinkSync(folder, link),
      () => linkSync(file, link),
    ]) {
      plant();
      await assert.rejects(start(data_dir), /base\/link is no ordinary file/);
      rmSync(link);
      assert.deepEqual([statSync(file).uid, statSync(folder).uid], [0, 0]);
    }
    const [wal, moved] = [join(data_dir, 'postgres', 'pg_wal'), join(root, 'wal-of-link')];
    execFileSync('mv', [wal, moved]);
    symlinkSync(moved, wal);
    await assert.rejects(start(data_dir), /pg_wal is no ordinary file.*chown -hR/);
    execFileSync('chown', ['-hR', '60706:60706', join(data_dir, 'postgres'), moved]);
    const server = await start(data_dir);
    await assertHardened(server);
    await server.stop();
  },
);

test('while initdb runs, programs of nobody can neither enter its folder nor trace it', asRoot, async () => {
  const data_dir = join(root, 'initdb');
  const tried = { folder: '', process: '' };
  const starting = start(data_dir);
  const made = () =>
    existsSync(data_dir) ? readdirSync(data_dir).filter((name) => name.startsWith('postgres.initdb-')) : [];
  while (made().length === 0 || !existsSync(join(data_dir, made()[0] ?? '', 'cluster', 'base')))
    await setImmediate();
  const folder = join(data_dir, made()[0] ?? '', 'cluster');
  const asNobody = (...args: string[]) =>
    spawnSync('/bin/ls', args, { uid: NOBODY, gid: NOBODY, encoding: 'utf8' }).stderr;
  const maker = readdirSync('/proc').find(
    (pid) => /^\d+$/.test(pid) && ifThere(`/proc/${pid}/cmdline`).includes(`initdb\0--pgdata=${folder}`),
  );
  tried.folder = asNobody(folder);
  tried.process = asNobody(`/proc/${maker}/cwd/`, `/proc/${maker}/root/`);
  const server = await starting;
  assert.notEqual(maker, undefined);
  assert.match(tried.folder, /Permission denied/);
  assert.equal(tried.process.match(/Permission denied/g)?.length, 2, tried.process);
  await server.stop();
});
