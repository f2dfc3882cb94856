/** A process of the version before runs on beside each migration. */
import { strict as assert } from 'node:assert';
import { after, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { harmOf } from '../../test/support/schema-changes.ts';
import { readMigrations } from './migrations.ts';

let database: TestDatabase;
let client: pg.Client;

before(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
after(async () => {
  await client.end();
  await database.drop();
});
const startAgain = async () => {
  await client.query(`drop schema public cascade; create schema public;
    create table migrations (name text primary key, checksum text not null, run_at timestamptz not null default now(), needs text)`);
};

test('each migration is one that a process of the version before survives, or says that it contracts', async () => {
  await startAgain();
  const harms: [string, string[]][] = [];
  for (const { name, sql, needs } of readMigrations()) {
    const harm = await harmOf(client, sql);
    if (needs === null && harm.length > 0) harms.push([name, harm]);
  }
  assert.deepEqual(harms, []);
});

test('what a contraction needs is an earlier migration of this program', () => {
  const names = readMigrations().map(({ name }) => name);
  for (const { name, needs } of readMigrations())
    if (needs !== null) assert.ok(names.indexOf(needs) < names.indexOf(name) && names.includes(needs), name);
});

describe('harm is noticed:', () => {
  beforeEach(async () => {
    await startAgain();
    await client.query(`
      create table old (id int primary key, kept text, owner int);
      create unique index old_kept on old (kept);
      create view seen as select id, kept from old;
      create function twice(n int) returns int language sql as 'select n * 2'`);
  });
  for (const [sql, harm] of [
    [
      'drop view seen; alter table old drop column kept',
      [
        'view seen is gone',
        'column seen.id is gone',
        'column seen.kept is gone',
        'column old.kept is gone',
        'unique old_kept is gone',
      ],
    ],
    ['alter table old rename column owner to owned_by', ['column old.owner is gone']],
    [
      'alter table old alter owner type bigint',
      ['column old.owner was integer and is bigint', 'table old was rewritten'],
    ],
    ['alter table old add column must text not null', ['column old.must must be given']],
    ['alter table old alter owner set not null', ['column old.owner must be given']],
    [
      'alter table old add column at timestamptz not null default clock_timestamp()',
      ['table old was rewritten'],
    ],
    [
      'alter table old add constraint positive check (owner > 0)',
      ['constraint positive of old is checked on all rows: add it "not valid"'],
    ],
    [
      'create index old_owner on old (owner)',
      ['table old takes no writes while an index is built: use "concurrently"'],
    ],
    ['drop index old_kept', ['unique old_kept is gone']],
    ['drop function twice', ['function twice(integer) is gone']],
    ['drop view seen; drop table old', ['column old.id is gone', 'table old is gone']],
  ] as const)
    test(sql, async () => {
      const found = await harmOf(client, sql);
      for (const each of harm) assert.ok(found.includes(each), `${each}: ${found}`);
    });

  test('and a statement that only expands the schema passes', async () => {
    const sql = `
      alter table old add column more text not null default 'x', add constraint small check (id < 9) not valid;
      create table fresh (id int primary key, other int not null references old check (other > 0));
      create index fresh_other on fresh (other);
      create or replace view seen as select id, kept, more from old`;
    assert.deepEqual(await harmOf(client, sql), []);
    assert.deepEqual(
      await harmOf(client, '-- no transaction\ncreate index concurrently old_owner on old (owner);\n'),
      [],
    );
  });

  test('and a line with a reason allows it', async () => {
    const words =
      '-- allowed: table old takes no writes while an index is built: use "concurrently". It has one row.';
    assert.deepEqual(await harmOf(client, `${words}\ncreate index old_owner on old (owner)`), []);
  });
});
