/** A newer version has changed the schema so that this one cannot work with it: it ends, and another process goes on at once. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, it } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { startSandbox } from '../../sandbox/launch.ts';
import { eventually } from '../support/eventually.ts';
import { openLedger } from '../support/ledger.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

const log = pino({ level: 'silent' });
const sandbox = await startSandbox({ port: 0, dir: null, close_ms: 100, log, faults: true });
const storage = await createTestDatabase();
const database = new pg.Client({ connectionString: storage.url });
await database.connect();
const env = {
  DATABASE_URL: storage.url,
  MASTER_KEY: randomBytes(32).toString('base64'),
  STELLAR_RPC_URL: sandbox.rpc_url,
};
after(async () => {
  await database.end();
  await storage.drop();
  await sandbox.stop();
});

const LEASED = 'select id from withdrawals where leased_until > now()';

it('stops its roles, says so, ends its leases, and ends with an exit code that a supervisor sees', async () => {
  const service = await startService({ data_dir: temporaryDirectory(), env });
  const { api } = service;
  const token = await service.login();
  const { body } = await api('POST', '/v1/wallets', { token, body: { name: 'w' } });
  const sink = await (await openLedger(sandbox.rpc_url)).fund();
  sandbox.faults?.network.halt();
  const paying = api('POST', `/v1/wallets/${body.data.id}/withdraw`, {
    token,
    headers: { 'idempotency-key': 'one' },
    body: { destination: sink.publicKey(), amount_stroops: 5n },
  });
  await eventually('its lease', async () => (await database.query(LEASED)).rows.length === 1);

  await database.query(
    "insert into migrations (name, checksum, needs) values ('9999_newer.sql', '', '9998_new.sql')",
  );
  assert.equal(await service.exited(), 1);
  assert.match(service.output(), /9999_newer.sql, which this version cannot work with/);
  assert.deepEqual((await database.query(LEASED)).rows, []);
  const answer = await paying;
  assert.equal(answer.status, 504, answer.text);
  assert.equal(answer.body.data.status, 'pending');
});
