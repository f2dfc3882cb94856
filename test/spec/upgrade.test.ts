/** A newer version has changed the schema so that this one cannot work with it: it ends, and another process goes on at once. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, it } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { startSandbox } from '../../sandbox/launch.ts';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

const log = pino({ level: 'silent' });
const sandbox = await startSandbox({ port: 0, dir: null, close_ms: 100, log });
const storage = await createTestDatabase();
const env = {
  DATABASE_URL: storage.url,
  MASTER_KEY: randomBytes(32).toString('base64'),
  STELLAR_RPC_URL: sandbox.rpc_url,
};
after(async () => {
  await storage.drop();
  await sandbox.stop();
});

it('stops its roles, says so, ends its leases, and ends with an exit code that a supervisor sees', async () => {
  const service = await startService({ data_dir: temporaryDirectory(), env });
  const database = new pg.Client({ connectionString: storage.url });
  await database.connect();
  await database.query(
    "insert into migrations (name, checksum, contracts) values ('9999_newer.sql', '', true)",
  );
  await eventually('its end', () => /Run the newer version/.test(service.output()));
  const code = await service.stop();
  assert.equal(code, 1);
  assert.match(service.output(), /9999_newer.sql, which this version does not know and cannot work with/);
  const { rows } = await database.query(
    'select count(*)::int as leased from withdrawals where leased_until > now()',
  );
  assert.equal(rows[0].leased, 0);
  await database.end();
});
