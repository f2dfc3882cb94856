/** What the version before has left: its users own teams of one, with all of their wallets. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../test/support/postgres.ts';
import { goBackBefore } from '../../../test/support/schema-before.ts';
import { migrate } from '../../db/migrate.ts';

const database = await createTestDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
after(async () => {
  await client.end();
  await database.drop();
});

const insertUser = (id: string) =>
  client.query('insert into users (id, email, name, password_hash) values ($1, $2, $3, $4)', [
    ...[id, `${id}@example.com`, `Name of ${id}`, 'hash'],
  ]);
const insertWallet = (id: string, owner_id: string) =>
  client.query(
    `insert into wallets (id, owner_id, name, network, account, sealed_seed) values ($1, $2, 'w', 'testnet', $3, '')`,
    [id, owner_id, id],
  );
const membersOf = async (team_id: string) =>
  (
    await client.query(
      'select user_id, role, wallet_ids from team_members where team_id = $1 and left_at is null',
      [team_id],
    )
  ).rows;

test('every user owns a team of one with the wallets they had, also users and wallets of a process of the version before', async () => {
  await goBackBefore(client, '0013_teams.sql');
  await insertUser('usr_1');
  await insertUser('usr_2');
  await insertWallet('wal_1', 'usr_1');
  await client.query(
    "insert into sessions (id, user_id, expires_at) values ('ses_1', 'usr_1', now() + interval '1 day')",
  );
  await client.query(
    "insert into api_keys (wallet_id, key_hash, prefix, last_four) values ('wal_1', 'hash', 'svc', 'last')",
  );
  await migrate(database.url);

  await insertUser('usr_3');
  await insertWallet('wal_3', 'usr_3');
  for (const id of ['usr_1', 'usr_2', 'usr_3']) {
    assert.deepEqual(await membersOf(id), [{ user_id: id, role: 'owner', wallet_ids: null }]);
    const { rows } = await client.query('select name from teams where id = $1', [id]);
    assert.deepEqual(rows, [{ name: `Name of ${id}` }]);
  }
  const { rows } = await client.query(
    'select wallets.id, teams.id as team from wallets join teams on teams.id = owner_id order by 1',
  );
  assert.deepEqual(rows, [
    { id: 'wal_1', team: 'usr_1' },
    { id: 'wal_3', team: 'usr_3' },
  ]);
  assert.equal((await client.query('select from sessions')).rowCount, 1);
  assert.equal((await client.query('select from api_keys')).rowCount, 1);
});

test('a wallet of no team is refused', async () => {
  await assert.rejects(insertWallet('wal_9', 'usr_9'), { code: '23503' });
});
