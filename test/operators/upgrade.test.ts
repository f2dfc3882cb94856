/** A newer version changes the schema so that this one cannot work with it: it ends, and another process goes on at once. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { startSandbox } from '../../sandbox/launch.ts';
import { eventually } from '../support/eventually.ts';
import { openLedger } from '../support/ledger.ts';
import { CONTRACTING, layNextVersion } from '../support/next-version.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startService, type TestService, teller, temporaryDirectory } from '../support/service.ts';

const log = pino({ level: 'silent' });
const sandbox = await startSandbox({ port: 0, dir: null, close_ms: 100, step_ms: 1000, log, faults: true });
const storage = await createTestDatabase();
const database = new pg.Client({ connectionString: storage.url });
await database.connect();
/** The demo login is in it. */
const data_dir = temporaryDirectory();
const env = {
  DATABASE_URL: storage.url,
  MASTER_KEY: randomBytes(32).toString('base64'),
  STELLAR_RPC_URL: sandbox.rpc_url,
  // The ledgers that close between the end of one process and the start of another must not hold up signing.
  WITHDRAW_VALID_SECONDS: '3600',
};
after(async () => {
  await database.end();
  await storage.drop();
  await sandbox.stop();
});

const LEASED = 'select id from withdrawals where leased_until > now()';

/** Asks for a payment that stays open, because the network stands still. */
async function openWithdrawal({ api, login }: TestService, idempotency_key: string) {
  const token = await login();
  const { body } = await api('POST', '/v1/wallets', { token, body: { name: 'w' } });
  const path = `/v1/wallets/${body.data.id}`;
  const sink = await (await openLedger(sandbox.rpc_url)).fund();
  sandbox.faults?.network.halt();
  const answered = api('POST', `${path}/withdraw`, {
    token,
    headers: { 'idempotency-key': idempotency_key },
    body: { destination: sink.publicKey(), amount_stroops: 5n },
  });
  await eventually('its lease', async () => (await database.query(LEASED)).rows.length === 1);
  return { answered, path, token };
}

it('stops its roles, says so, ends its leases, and ends with an exit code that a supervisor sees', async () => {
  const service = await start();
  const { answered } = await openWithdrawal(service, 'one');

  await database.query(
    "insert into migrations (name, checksum, needs) values ('9999_newer.sql', '', '9998_new.sql')",
  );
  assert.equal(await service.exited(), 1);
  assert.match(service.output(), /9999_newer.sql, which this version cannot work with/);
  assert.deepEqual((await database.query(LEASED)).rows, []);
  const answer = await answered;
  assert.equal(answer.status, 504, answer.text);
  assert.equal(answer.body.data.status, 'pending');
  await database.query("delete from migrations where name = '9999_newer.sql'");
  sandbox.faults?.network.resume();
});

describe('a newer version that contracts the schema beside two older processes, one of them frozen', () => {
  const next = join(temporaryDirectory(), 'next');
  layNextVersion(next, CONTRACTING);
  const program = join(next, 'bin', 'teller.js');
  after(() => rmSync(next, { recursive: true, force: true }));

  it('waits for their end, ends the sessions of the frozen one, and goes on with what they had begun', async (t) => {
    const [older, frozen] = await Promise.all([start(), start()]);
    const { answered, path, token } = await openWithdrawal(older, 'two');
    process.kill(frozen.pid, 'SIGSTOP');
    const newer = startService({ data_dir, env, program });
    t.after(async () => assert.equal(await (await newer).stop(), 0));
    assert.equal(await older.exited(), 1);
    assert.match(older.output(), /9999_old_way_goes.sql, which this version cannot work with/);
    assert.equal((await answered).status, 504);
    sandbox.faults?.network.resume();
    const { api } = await newer;
    process.kill(frozen.pid, 'SIGCONT');
    assert.equal(await frozen.exited(), 1);
    assert.match(frozen.output(), /9999_old_way_goes.sql, which this version cannot work with/);

    const list = () => api('GET', `${path}/withdrawals`, { token });
    const paid = await eventually('the outcome', async () => {
      const answer = await list();
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data.items[0].status !== 'pending' && answer.body.data.items;
    });
    assert.deepEqual(
      paid.map(({ status, idempotency_key }: any) => [status, idempotency_key]),
      [['confirmed', 'two']],
    );
    assert.deepEqual((await database.query('select * from too_late')).rows, []);
  });

  it('refuses a start of the older version in words', async () => {
    const { code, output } = await teller(['serve'], { ...env, DATA_DIR: data_dir, PORT: '0' });
    assert.equal(code, 1);
    assert.match(output, /^The database has the migration 9999_old_way_goes.sql, which .*newer version\.\n/m);
    const ran = "select from migrations where name = '9999_old_way_goes.sql' and run_at is not null";
    assert.equal((await database.query(ran)).rowCount, 1);
  });
});

const start = () => startService({ data_dir, env });
