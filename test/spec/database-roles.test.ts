/** MIGRATION_DATABASE_URL: one database role owns the tables, in a schema of their own; another one runs the service. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startRunningService } from '../support/running-service.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

const role = `service_${randomBytes(6).toString('hex')}`;
const password = randomBytes(16).toString('hex');
const storage = await createTestDatabase();
const owner = new pg.Client({ connectionString: storage.url });
await owner.connect();
const database = new URL(storage.url).pathname.slice(1);
await owner.query(
  `alter schema public rename to teller; alter database ${database} set search_path = teller`,
);
await owner.query('set search_path = teller');
await owner.query(`create role ${role} login password '${password}'`);
const roleUrl = new URL(storage.url);
roleUrl.username = role;
roleUrl.password = password;
await letIn();
const asRole = new pg.Client({ connectionString: roleUrl.href });

const MASTER_KEY = randomBytes(32).toString('base64');
const env = { DATABASE_URL: roleUrl.href, MASTER_KEY };
const world = await startRunningService({ ...env, MIGRATION_DATABASE_URL: storage.url, LOG_LEVEL: 'info' });
await asRole.connect();
after(async () => {
  await asRole.end();
  await world.stop();
  await owner.query(`drop owned by ${role}`);
  await owner.query(`drop role ${role}`);
  await owner.end();
  await storage.drop();
});

/** The embedded server lets its own role in alone, so a line is added for this one. */
async function letIn(): Promise<void> {
  const { rows } = await owner.query<{ hba_file: string }>('show hba_file');
  appendFileSync(rows[0]?.hba_file ?? '', `local all ${role} scram-sha-256\n`);
  await owner.query('select pg_reload_conf()');
  await eventually('the role to be let in', async () => {
    const client = new pg.Client({ connectionString: roleUrl.href });
    return client.connect().then(
      () => client.end().then(() => true),
      () => null,
    );
  });
}

describe('a service whose database role owns no table', () => {
  it('pays, credits, and writes the audit log', async () => {
    const wallet = await world.newWallet();
    const payer = await world.ledger.fund();
    const { hash } = await world.ledger.pay(payer, wallet.account, 5n);
    const { status, text } = await world.withdraw(wallet, {
      destination: payer.publicKey(),
      amount_stroops: 1n,
    });
    assert.equal(status, 201, text);
    const { rows } = await owner.query('select action from audit_log where wallet_id = $1 order by seq', [
      wallet.id,
    ]);
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['wallet.created', 'withdrawal.requested'],
    );
    assert.equal((await world.depositsOf(wallet, hash)).length, 1);
  });

  it('may rotate the master key, and may not write migrations', async () => {
    await asRole.query('begin');
    await asRole.query('select from installation for update');
    await asRole.query(`insert into master_keys (key_check, sealing_since) values ('\\x01', now())`);
    await asRole.query("update installation set key_check = '\\x01'");
    await asRole.query('rollback');
    await assert.rejects(asRole.query('update migrations set needs = name'), { code: '42501' });
  });

  it('cannot change, remove or empty the audit log, nor take its triggers away', async () => {
    for (const statement of [
      "update audit_log set entry = '{}'",
      'delete from audit_log',
      'truncate audit_log',
      'alter table audit_log disable trigger all',
      'drop table audit_log',
    ])
      await assert.rejects(asRole.query(statement), { code: '42501' }, statement);
    await assert.rejects(asRole.query('set session_replication_role = replica'), { code: '42501' });
    assert.match(world.service.output(), /the database role of the service cannot change the audit log/);
  });

  it('starts without the role of the owner once the schema is up to date', async () => {
    const second = await startService({
      data_dir: temporaryDirectory(),
      env: { ...env, STELLAR_RPC_URL: world.service.rpc_url },
    });
    assert.equal(await second.stop(), 0);
  });
});
