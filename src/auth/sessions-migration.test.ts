/** Sessions that the version before has opened go on, and it opens and reads sessions beside this version. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { goBackBefore } from '../../test/support/schema-before.ts';
import { migrate } from '../db/migrate.ts';

const database = await createTestDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
after(async () => {
  await client.end();
  await database.drop();
});

/** The statement of the version before. */
const openSession = (id: string) =>
  client.query(
    "insert into sessions (id, user_id, created_at, expires_at) values ($1, 'usr_1', now(), now() + interval '1 hour')",
    [id],
  );

test('they are sessions of programs, whose device, address and last use are not known', async () => {
  await goBackBefore(client, '0015_sessions.sql');
  await client.query(
    "insert into users (id, email, name, password_hash) values ('usr_1', 'a@example.com', 'A', 'hash')",
  );
  await openSession('ses_1');
  const { rows: before } = await client.query('select * from sessions');
  await migrate(database.url);
  await openSession('ses_2');
  const { rows } = await client.query('select * from sessions order by id');
  const fresh = {
    kind: 'program',
    device: null,
    ip: null,
    last_used_at: null,
    renewals: 0,
    renewed_at: null,
    factor_at: null,
  };
  assert.deepEqual(rows[0], { ...before[0], ...fresh });
  const { created_at, expires_at, ...second } = rows[1];
  assert.equal(expires_at - created_at, 3_600_000);
  assert.deepEqual(second, { id: 'ses_2', user_id: 'usr_1', ...fresh });
});
