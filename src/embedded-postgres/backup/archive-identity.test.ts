/** An archive of the log takes the log of one database alone, with real servers. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { storageForDatabases } from '../../../test/support/storage.ts';
import { createLog } from '../../lib/log.ts';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import { systemIdentifierOf } from './archive-identity.ts';

const root = mkdtempSync(join(await storageForDatabases(), 'teller-archive-'));
chmodSync(root, 0o755);
after(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
const log = createLog('silent', false);
const wal_dir = join(root, 'wal');

const folder = (name: string) => join(root, name);
async function run(data_dir: string, archive?: string, sql?: string): Promise<void> {
  const server = await startEmbeddedPostgres({ data_dir, log, fsync: false, wal_dir: archive });
  try {
    if (sql === undefined) return;
    const { host, port, user, password } = server;
    const client = new pg.Client({ host, port, user, password, database: 'postgres' });
    await client.connect();
    for (const each of sql.split(';')) await client.query(each);
    await client.end();
  } finally {
    await server.stop();
  }
}

test('the first start writes the identifier of its database into the archive, and later starts find it', async () => {
  await run(folder('one'), wal_dir);
  const identifier = await systemIdentifierOf(join(folder('one'), 'postgres'));
  assert.match(`${identifier}`, /^\d{19}$/);
  assert.equal(readFileSync(join(wal_dir, 'system_identifier'), 'utf8'), `${identifier}\n`);
  await run(folder('one'), wal_dir);
});

test('a fresh DATA_DIR with the archive of another database is refused, and no database is made', async () => {
  const before = readdirSync(wal_dir);
  await assert.rejects(
    run(folder('fresh'), wal_dir),
    /is another database's archive \(system identifier \d+; this one is new\)\. Name a new folder, .* make a backup now/,
  );
  assert.equal(await systemIdentifierOf(join(folder('fresh'), 'postgres')), null);
  assert.deepEqual(readdirSync(wal_dir), before);
});

test('another database is refused, by the record of the archive and without one by its segments', async () => {
  await run(folder('two'), folder('wal of two'));
  const refused = /another database's archive \(system identifier \d+; this one has \d+\)/;
  await assert.rejects(run(folder('two'), wal_dir), refused);
  rmSync(join(wal_dir, 'system_identifier'));
  assert(readdirSync(wal_dir).some((name) => /^[0-9A-F]{24}\.gz$/.test(name)));
  await assert.rejects(run(folder('two'), wal_dir), refused);
});

test('a start without the archive keeps the log of an archived database, and the next one archives it', async () => {
  const [data_dir, archive] = [folder('three'), folder('wal of three')];
  await run(data_dir, archive);
  const segment = "select pg_logical_emit_message(false, 't', 'x'); select pg_switch_wal()";
  await run(data_dir, undefined, `${segment}; ${segment}; ${segment}; checkpoint`);
  await run(data_dir, archive);
  const numbers = readdirSync(archive)
    .flatMap((name) => /^0{7}1([0-9A-F]{16})\.gz$/.exec(name)?.[1] ?? [])
    .map((hex) => Number.parseInt(hex, 16))
    .toSorted((a, b) => a - b);
  const [first = 0] = numbers;
  assert(numbers.length > 3, `${numbers}`);
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => first + index),
    'there is no gap',
  );
});
