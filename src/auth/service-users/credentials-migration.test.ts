/** Who knows a credential: as the version before has left it, and as its processes go on beside this one. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../test/support/postgres.ts';
import { openDatabase, type Trx } from '../../db/database.ts';
import { createLog } from '../../lib/log.ts';
import { knewRequester } from '../teams/approvers.ts';
import { whoKnows } from '../teams/program-store.ts';
import { addSecret, endSecret, givingKeys } from './credentials.ts';
import { listSecrets, lockServiceUser, updateServiceUser } from './service-user-store.ts';

const database = await createTestDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
const opened = openDatabase(database.url, createLog('silent', false));
const { db } = opened;
after(async () => {
  await opened.close();
  await client.end();
  await database.drop();
});

const keyOf = (thumbprint: string) => ({
  ...{ kty: 'OKP' as const, crv: 'Ed25519' as const, x: 'x' },
  ...{ kid: thumbprint, thumbprint },
});

/** The statements of the version before. */
const earlier = {
  make: (id: string, keys: string[], known_to: string[]) =>
    client.query(
      `insert into service_users (id, team_id, name, role, public_keys, known_to)
       values ($1, 'usr_team', 'a program', 'operator', $2, $3)`,
      [id, JSON.stringify(keys.map(keyOf)), known_to],
    ),
  addSecret: (service_user_id: string, id: string) =>
    client.query(
      `insert into service_user_secrets (id, service_user_id, secret_hash, last_four) values ($1, $2, '', '')`,
      [id, service_user_id],
    ),
  retire: (id: string) => client.query('delete from service_user_secrets where id = $1', [id]),
  replaceKeys: (id: string, keys: string[]) =>
    client.query('update service_users set public_keys = $2 where id = $1', [
      id,
      JSON.stringify(keys.map(keyOf)),
    ]),
  know: (id: string, user_id: string) =>
    client.query(
      'update service_users set known_to = array_append(known_to, $2) where id = $1 and $2 <> all(known_to)',
      [id, user_id],
    ),
  remove: async (id: string) => {
    await client.query('update service_users set removed_at = now() where id = $1', [id]);
    await client.query('delete from service_user_secrets where service_user_id = $1', [id]);
  },
};

/** The functions of this version. */
const inTransaction = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
const add = (service_user_id: string, giver: string) =>
  inTransaction((trx) => addSecret(trx, { service_user_id, giver, now: new Date() }));
const retire = (service_user_id: string, id: string) =>
  inTransaction(async (trx) => {
    const secret = (await listSecrets(trx, [service_user_id])).find((each) => each.id === id);
    assert.ok(secret);
    await endSecret(trx, secret);
  });
const replaceKeys = (id: string, keys: string[], giver: string) =>
  inTransaction(async (trx) => {
    const row = await lockServiceUser(trx, id);
    assert.ok(row);
    const changed = { ...row, public_keys: keys.map(keyOf) };
    const given = { giver, before: row.public_keys, after: changed };
    await givingKeys(trx, given, () => updateServiceUser(trx, changed));
  });

/** Who knows a valid credential of it, and who has known one that has ended. */
async function knowersOf(id: string): Promise<{ now: string[]; before: string[] }> {
  const own = (await whoKnows(db, 'usr_team')).filter(({ service_user_id }) => service_user_id === id);
  const idsOf = (valid: boolean) =>
    own
      .filter(({ until }) => (until === null) === valid)
      .map(({ user_id }) => user_id)
      .sort();
  return { now: idsOf(true), before: idsOf(false) };
}

before(() =>
  client.query(
    `insert into users (id, email, name, password_hash) values ('usr_team', 'a@example.com', 'A', 'hash')`,
  ),
);

test('a secret that the version before adds is known to all whom it names, and its end is recorded', async () => {
  await earlier.make('svu_beside', [], []);
  await earlier.addSecret('svu_beside', 'sec_beside');
  await earlier.know('svu_beside', 'usr_a');
  assert.deepEqual(await knowersOf('svu_beside'), { now: ['usr_a'], before: [] });
  const { secret } = await add('svu_beside', 'usr_b');
  await retire('svu_beside', 'sec_beside');
  assert.deepEqual(await knowersOf('svu_beside'), { now: ['usr_b'], before: ['usr_a'] });
  await earlier.retire(secret.id);
  assert.deepEqual(await knowersOf('svu_beside'), { now: [], before: ['usr_a', 'usr_b'] });
});

test('a user who gives a secret, asks with it and retires it in the version before, approves nothing of it here', async () => {
  await earlier.make('svu_attack', [], []);
  await earlier.addSecret('svu_attack', 'sec_first');
  await earlier.know('svu_attack', 'usr_a');
  await earlier.retire('sec_first');
  await earlier.addSecret('svu_attack', 'sec_second');
  await earlier.know('svu_attack', 'usr_a');
  const asked = { requested_by: 'svu_attack', created_at: new Date() };
  await earlier.retire('sec_second');
  const knows = (await whoKnows(db, 'usr_team')).filter(({ user_id }) => user_id === 'usr_a');
  assert.ok(knewRequester({ user_id: 'usr_a', wallet_ids: null, since: new Date(0), knows }, asked));
});

test('a key that comes back is known to everybody who gave it before, here or to another service user', async () => {
  await earlier.make('svu_key', [], []);
  await earlier.make('svu_copy', [], []);
  await replaceKeys('svu_key', ['k_1'], 'usr_a');
  await replaceKeys('svu_key', ['k_1', 'k_2'], 'usr_b');
  assert.deepEqual((await knowersOf('svu_key')).now, ['usr_a', 'usr_b']);
  await replaceKeys('svu_key', ['k_2'], 'usr_c');
  assert.deepEqual(await knowersOf('svu_key'), { now: ['usr_b'], before: ['usr_a'] });
  await replaceKeys('svu_key', ['k_1'], 'usr_c');
  assert.deepEqual(await knowersOf('svu_key'), { now: ['usr_a', 'usr_c'], before: ['usr_b'] });
  await replaceKeys('svu_copy', ['k_1'], 'usr_d');
  assert.deepEqual(await knowersOf('svu_copy'), { now: ['usr_a', 'usr_c', 'usr_d'], before: [] });
});

test('a key that the version before gives again is known to all whom it names', async () => {
  await earlier.make('svu_again', [], []);
  await replaceKeys('svu_again', ['k_3'], 'usr_a');
  await earlier.replaceKeys('svu_again', []);
  assert.deepEqual(await knowersOf('svu_again'), { now: [], before: ['usr_a'] });
  await earlier.replaceKeys('svu_again', ['k_3']);
  await earlier.know('svu_again', 'usr_b');
  assert.deepEqual(await knowersOf('svu_again'), { now: ['usr_a', 'usr_b'], before: [] });
});

test('a service user that the version before removes is known to nobody from then on', async () => {
  await earlier.make('svu_removed', ['k_4'], ['usr_a']);
  await add('svu_removed', 'usr_b');
  await earlier.remove('svu_removed');
  assert.deepEqual(await knowersOf('svu_removed'), { now: [], before: ['usr_a', 'usr_b'] });
});

test('the version before learns of everybody who was given a credential here', async () => {
  await earlier.make('svu_told', [], ['usr_a']);
  await add('svu_told', 'usr_b');
  await replaceKeys('svu_told', ['k_5'], 'usr_c');
  const { rows } = await client.query(`select known_to from service_users where id = 'svu_told'`);
  assert.deepEqual(rows[0].known_to.sort(), ['usr_a', 'usr_b', 'usr_c']);
});
