/** The database can be reached and refuses every change: a standby, a full disk, a statement that took too long. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { assertError, startRunningService, unique } from '../support/running-service.ts';

const world = await startRunningService();
after(() => world.stop());
const wallet = await world.newWallet();
const destination = (await world.ledger.fund()).publicKey();

const [{ name }] = await world.query('select current_database() as name');
const readiness = () => world.api('GET', '/readyz');

/** Ends every session but ours, as a failover does. */
const endSessions = () =>
  world.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
    [name],
  );

/** As PostgreSQL refuses to insert withdrawals with this error code. */
async function refuseWith(code: string): Promise<void> {
  await world.query(`create or replace function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'refused' using errcode = '${code}'; end $$`);
  await world.query(
    'create or replace trigger refuse before insert on withdrawals execute function refuse()',
  );
}

async function assertRefused(): Promise<void> {
  const key = unique('key');
  const refused = await world.withdraw(wallet, { destination, amount_stroops: 5 }, { key });
  assertError(refused, 503, 'database_unavailable');
  assert.match(refused.body.message, /nothing was started/);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  const { items } = (
    await world.api('GET', `/v1/wallets/${wallet.id}/withdrawals?idempotency_key=${key}`, {
      token: world.token,
    })
  ).body.data;
  assert.deepEqual(items, [], 'the key stays free');
}

describe('a database that refuses changes', () => {
  it('is 503 with Retry-After, /readyz says that it is read-only, and all is well when it is not', async () => {
    await world.query(`alter database ${name} set default_transaction_read_only = on`);
    await endSessions();
    const told = await eventually('readiness that tells of it', async () => {
      const answer = await readiness();
      return /read-only/.test(answer.body.data.database.message) ? answer : null;
    });
    assert.equal(told.status, 503);
    assert.equal(told.body.data.database.message, 'refuses changes: it is read-only');
    await assertRefused();
    await world.query('set default_transaction_read_only = off');
    await world.query(`alter database ${name} reset default_transaction_read_only`);
    await endSessions();
    await eventually('readiness', async () => (await readiness()).status === 200);
    const { body } = await world.withdraw(wallet, { destination, amount_stroops: 5 });
    assert.equal(body.data.status, 'confirmed');
  });

  it('is 503 while its disk is full, a statement takes too long or a row that is referred to is gone, and nothing is half done', async () => {
    for (const code of ['53100', '57014', '58030', '40P01', '23503']) {
      await refuseWith(code);
      await assertRefused();
      if (code === '53100') await eventually('readiness that tells of it', isSaidToBeFull);
    }
    await world.query('drop trigger refuse on withdrawals');
    const { body } = await world.withdraw(wallet, { destination, amount_stroops: 5 });
    assert.equal(body.data.status, 'confirmed');
    await eventually('readiness', async () => (await readiness()).status === 200);
  });

  it('an API key where a login is needed is 401 while no key can be looked up, and the log of the service has the refusal', async () => {
    await world.query('alter table api_keys rename to api_keys_away');
    for (const token of [wallet.api_key, 'svc_sk_test_nobody'])
      assertError(await world.withdraw(wallet, {}, { token }), 401, 'login_required');
    await world.query('alter table api_keys_away rename to api_keys');
    const lines = await eventually('the lines of the log', async () => {
      const found = world.service.output().match(/^.*key could not be looked up.*$/gm);
      return found?.length === 2 ? found : null;
    });
    for (const line of lines) {
      assert.equal(JSON.parse(line).operation, 'createWithdrawal');
      assert.ok(!line.includes(wallet.api_key));
    }
  });
});

async function isSaidToBeFull(): Promise<boolean> {
  const { status, body } = await readiness();
  return status === 503 && body.data.database.message === 'refuses changes: its disk is full';
}
