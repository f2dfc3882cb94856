/** What `npm run release` keeps of a release, and the upgrade of a database from it. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import pg from 'pg';
import { readCatalogue } from '../../scripts/schema-catalogue.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Migration, readMigrations } from '../../src/db/migrations.ts';
import { EXPANDING } from '../support/next-version.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import {
  migrationsOfReleaseBefore,
  readSchemaBefore,
  schemaOfThisVersion,
} from '../support/schema-before.ts';

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const kept = readSchemaBefore(schemaOfThisVersion());
const released = migrationsOfReleaseBefore();
/** Before the first release an upgrade begins from this version, and leads to a made-up next one. */
const before = released ?? kept;
const made_up = Object.entries(EXPANDING).map(([name, sql]) => ({ name, sql, checksum: name, needs: null }));
const after: Migration[] = released ? readMigrations() : [...readMigrations(), ...made_up];

async function schemaAfter(...steps: Migration[][]) {
  await client.query('drop schema public cascade; create schema public');
  for (const known of steps) await migrate(database.url, { known });
  return readCatalogue(client);
}

test('a release keeps each migration byte for byte', () => {
  assert.deepEqual(
    kept.map(({ name, checksum }) => [name, checksum]),
    readMigrations().map(({ name, checksum }) => [name, checksum]),
  );
});

test('a database of the release before gets the schema of a new one, and its rows stay', async () => {
  const wanted = await schemaAfter(after);
  await schemaAfter(before);
  await client.query(
    "insert into users (id, email, email_folded, name, password_hash) values ('usr_1', 'a@b', 'a@b', 'A', '')",
  );
  await migrate(database.url, { known: after });
  assert.deepEqual(await readCatalogue(client), wanted);
  assert.equal((await client.query("select from teams where id = 'usr_1'")).rowCount, 1);
});

test('a migration of the release before that was edited is refused, and nothing is changed', async () => {
  const wanted = await schemaAfter(before);
  const edited = before.map((each) => ({ ...each, checksum: 'another' }));
  await assert.rejects(
    migrate(database.url, { known: [...edited, ...made_up] }),
    /0001_init\.sql differs from the one that made this database/,
  );
  assert.deepEqual(await readCatalogue(client), wanted);
});
