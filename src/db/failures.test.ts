import { strict as assert } from 'node:assert';
import type { Socket } from 'node:net';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { createLog } from '../lib/log.ts';
import { openDatabase } from './database.ts';
import {
  describeDatabaseFailure,
  isConnectFailure,
  isConnectionLost,
  isPassing,
  isReferenceGone,
} from './failures.ts';

const log = createLog('silent', false);

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => assert.fail('it did not fail'),
    (error) => error,
  );
}

test('a server that is not there is a connect failure: nothing was sent', async () => {
  const urls = ['postgres://x@127.0.0.1:9/x', 'postgres://x@localhost:9/x', 'postgres://x@/x?host=/nowhere'];
  for (const url of urls) {
    const { db, close } = openDatabase(url, log);
    const error = await failureOf(sql`select 1`.execute(db));
    assert.deepEqual([isConnectFailure(error), isConnectionLost(error)], [true, false], url);
    await close();
  }
});

test('a session that the server ends in the middle is lost: it may have taken effect', async () => {
  const storage = await createTestDatabase();
  const { db, close } = openDatabase(storage.url, log);
  after(async () => {
    await close();
    await storage.drop();
  });
  const error = await failureOf(sql`select pg_terminate_backend(pg_backend_pid())`.execute(db));
  assert.deepEqual([isConnectFailure(error), isConnectionLost(error)], [false, true]);
});

test('a database is closed when each of its connections is', async () => {
  const storage = await createTestDatabase();
  const { db, pool, close } = openDatabase(storage.url, log);
  const sockets: Socket[] = [];
  pool.on('connect', (client) => {
    sockets.push((client as unknown as { connection: { stream: Socket } }).connection.stream);
  });
  await Promise.all(Array.from({ length: 5 }, () => sql`select 1`.execute(db)));
  await close();
  assert.ok(sockets.length > 1);
  assert.ok(sockets.every((socket) => socket.destroyed));
  await storage.drop();
});

test('an idle connection that the server ends is logged, without the secrets of the connection', async () => {
  const storage = await createTestDatabase();
  const told = Promise.withResolvers<string>();
  const { db, pool, close } = openDatabase(storage.url, pino({}, { write: (line) => told.resolve(line) }));
  after(async () => {
    await close();
    await storage.drop();
  });
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const other = new pg.Client({ connectionString: storage.url });
  await other.connect();
  await other.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  const line = await told.promise;
  await other.end();
  assert.match(line, /57P01.*idle database connection lost/);
  assert.doesNotMatch(line, /secretKey|connectionParameters/);
  assert.equal(pool.totalCount, 0);
});

test('a connection that breaks in use fails its statement, and neither the pool nor the process', async () => {
  const storage = await createTestDatabase();
  const { db, pool, close } = openDatabase(storage.url, log);
  after(async () => {
    await close();
    await storage.drop();
  });
  const breaks: ((stream: Socket) => void)[] = [
    (stream) => stream.destroy(),
    (stream) =>
      stream.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })),
    (stream) => stream.emit('timeout'),
  ];
  for (const breakIt of breaks) {
    pool.once('acquire', (client) => {
      setImmediate(() =>
        breakIt((client as unknown as { connection: { stream: Socket } }).connection.stream),
      );
    });
    const error = await failureOf(sql`select pg_sleep(10)`.execute(db));
    assert.deepEqual([isConnectFailure(error), isConnectionLost(error)], [false, true], `${error}`);
  }
  assert.equal((await sql`select 1`.execute(db)).rows.length, 1);
});

test('a socket that times out or breaks under a running statement is lost, not a connect failure', () => {
  for (const code of ['ETIMEDOUT', 'ECONNRESET', 'EHOSTUNREACH', 'EPIPE']) {
    const error = Object.assign(new Error(`read ${code}`), { code, syscall: 'read' });
    assert.deepEqual([isConnectFailure(error), isConnectionLost(error)], [false, true], code);
  }
});

test('what the server itself refuses has not taken effect, and some of it for the moment only', () => {
  const refused = (code: string) => Object.assign(new Error('refused'), { code, severity: 'ERROR' });
  for (const code of [
    '25006',
    '40001',
    '40P01',
    '53100',
    '55P03',
    '57014',
    '58030',
    '23503',
    '23505',
    '22P02',
    '42P01',
  ]) {
    const error = refused(code);
    assert.deepEqual([isConnectFailure(error), isConnectionLost(error)], [false, false], code);
    assert.equal(isPassing(error), !/^(2[23]|42)/.test(code), code);
    assert.equal(isReferenceGone(error), code === '23503', code);
  }
  assert.equal(isPassing(refused('57P01')), false, 'the session is gone, and maybe after the commit');
});

test('"cannot be reached" is said only where nothing answered', async (t) => {
  const storage = await createTestDatabase();
  t.after(() => storage.drop());
  const told = async (change: (url: URL) => void) => {
    const url = new URL(storage.url);
    change(url);
    const { db, close } = openDatabase(url.href, log);
    const error = await failureOf(sql`select 1`.execute(db)).finally(close);
    assert.ok(isConnectFailure(error), 'nothing was sent');
    return describeDatabaseFailure(error);
  };
  const nowhere = openDatabase('postgres://x@127.0.0.1:9/x', log);
  const refused = await failureOf(sql`select 1`.execute(nowhere.db)).finally(nowhere.close);
  assert.equal(describeDatabaseFailure(refused), 'cannot be reached');
  assert.equal(
    await told((url) => {
      url.pathname = '/no_such_database';
    }),
    'is not on its server',
  );
  assert.equal(
    await told((url) => {
      url.username = 'nobody_of_this_name';
    }),
    'refuses the login of the service',
  );
  const answered = (code: string) => Object.assign(new Error('refused'), { code, severity: 'FATAL' });
  assert.equal(describeDatabaseFailure(answered('53300')), 'has no connection left');
  assert.match(describeDatabaseFailure(answered('57P03')), /^takes no connections now/);
  assert.match(describeDatabaseFailure(answered('42P01')), /^has refused a statement/);
  assert.equal(describeDatabaseFailure(answered('57P01')), 'has broken the connection');
});
