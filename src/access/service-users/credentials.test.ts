/** Who knows a credential, while it is valid and when it has ended. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../test/support/postgres.ts';
import { knewRequester } from '../../approvals/approvers.ts';
import {
  listSecrets,
  lockServiceUser,
  markRemoved,
  updateServiceUser,
} from '../../auth/service-users/service-user-store.ts';
import { whoCouldBeWhom, whoKnows } from '../../auth/teams/program-store.ts';
import { openDatabase, type Trx } from '../../db/database.ts';
import { createLog } from '../../lib/log.ts';
import { addSecret, endSecret, givingKeys } from './credentials.ts';

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
  kty: 'OKP' as const,
  crv: 'Ed25519' as const,
  x: 'x',
  kid: thumbprint,
  thumbprint,
});

const make = (id: string) =>
  client.query(
    `insert into service_users (id, team_id, name, role) values ($1, 'usr_team', 'a program', 'operator')`,
    [id],
  );

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
    `insert into users (id, email, email_folded, name, password_hash) values ('usr_team', 'a@example.com', 'a@example.com', 'A', 'hash')`,
  ),
);

test('a secret is known to the user who was shown it; its end is recorded, and so is that of one that is deleted by hand', async () => {
  await make('svu_secret');
  const first = await add('svu_secret', 'usr_a');
  assert.deepEqual(await knowersOf('svu_secret'), { now: ['usr_a'], before: [] });
  const second = await add('svu_secret', 'usr_b');
  await retire('svu_secret', first.secret.id);
  assert.deepEqual(await knowersOf('svu_secret'), { now: ['usr_b'], before: ['usr_a'] });
  await client.query('delete from service_user_secrets where id = $1', [second.secret.id]);
  assert.deepEqual(await knowersOf('svu_secret'), { now: [], before: ['usr_a', 'usr_b'] });
});

test('a user who was shown a secret, asks with it and retires it, approves nothing that it asked for', async () => {
  await make('svu_attack');
  const { secret } = await add('svu_attack', 'usr_a');
  const asked = { requested_by: 'svu_attack', created_at: new Date() };
  await retire('svu_attack', secret.id);
  const knows = (await whoCouldBeWhom(db, 'usr_team')).filter(({ person }) => person === 'usr_a');
  const approver = { user_id: 'usr_a', wallet_ids: null, since: new Date(0), has_factor: true, knows };
  assert.ok(knewRequester(approver, asked));
});

test('a key that comes back is known to everybody who gave it before, here or to another service user', async () => {
  await make('svu_key');
  await make('svu_copy');
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

test('a service user that is removed is known to nobody from then on', async () => {
  await make('svu_removed');
  await replaceKeys('svu_removed', ['k_4'], 'usr_a');
  await add('svu_removed', 'usr_b');
  await inTransaction((trx) => markRemoved(trx, 'svu_removed', new Date()));
  assert.deepEqual(await knowersOf('svu_removed'), { now: [], before: ['usr_a', 'usr_b'] });
});
