/** What the version before has left: its users have no factor, and its processes open no session for one who has. */
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../test/support/postgres.ts';
import { migrate } from '../../db/migrate.ts';

const MIGRATIONS = join(import.meta.dirname, '..', '..', '..', 'migrations');
const FACTORS = '0016_second_factors.sql';

const database = await createTestDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
after(async () => {
  await client.end();
  await database.drop();
});

/** The schema as it was before there were second factors. */
async function goBack(): Promise<void> {
  await client.query('drop schema public cascade; create schema public');
  await client.query(
    'create table migrations (name text primary key, checksum text not null, run_at timestamptz not null default now(), needs text)',
  );
  for (const name of readdirSync(MIGRATIONS).filter((file) => /^\d{4}_/.test(file) && file < FACTORS)) {
    const text = readFileSync(join(MIGRATIONS, name), 'utf8');
    // A file without a transaction has statements that PostgreSQL takes only one by one.
    for (const statement of text.startsWith('-- no transaction\n') ? text.split(/\n\n+/) : [text])
      await client.query(statement);
    const checksum = createHash('sha256').update(text).digest('hex');
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
  }
}

let sessions = 0;
/** As the version before does after a right password. Gives how many sessions it has opened. */
async function openAsBefore(user_id: string): Promise<number | null> {
  const { rowCount } = await client.query(
    `with held as (update users set last_login_at = now() where id = $1 and password_hash = 'hash' returning id)
     insert into sessions (id, user_id, created_at, expires_at)
     select $2, held.id, now(), now() + interval '1 hour' from held`,
    [user_id, `ses_${++sessions}`],
  );
  return rowCount;
}

test('users, teams and sessions stay as they were, and nobody has a factor or needs one', async () => {
  await goBack();
  await client.query(
    "insert into users (id, email, name, password_hash) values ('usr_1', 'a@b', 'A', 'hash'), ('usr_2', 'c@d', 'C', 'hash')",
  );
  assert.equal(await openAsBefore('usr_1'), 1);
  await migrate(database.url);
  const { rows } = await client.query(
    `select users.id, factor_failures, second_factor_required, factor_at from users
       join teams using (id) left join sessions on user_id = users.id order by 1`,
  );
  const before = { factor_failures: 0, second_factor_required: false, factor_at: null };
  assert.deepEqual(rows, [
    { id: 'usr_1', ...before },
    { id: 'usr_2', ...before },
  ]);
});

test('a process of the version before opens sessions of users without a factor, also while one is pending, and no others', async () => {
  assert.equal(await openAsBefore('usr_2'), 1);
  await client.query(
    `insert into second_factors (id, user_id, kind, name, created_at, sealed_secret, last_step)
     values ('fac_1', 'usr_1', 'totp', 'Phone', now(), '', 0)`,
  );
  assert.equal(await openAsBefore('usr_1'), 1);
  await client.query('update second_factors set confirmed_at = now()');
  assert.equal(await openAsBefore('usr_1'), 0);
  assert.equal(await openAsBefore('usr_2'), 1);
  await client.query('delete from second_factors');
  assert.equal(await openAsBefore('usr_1'), 1);
});
