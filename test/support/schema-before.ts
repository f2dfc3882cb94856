/** Databases as an earlier version has left them, for the tests of a migration. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations');

/** Empties the database, and gives it the schema of all migrations before the one in `file`. */
export async function goBackBefore(client: pg.Client, file: string): Promise<void> {
  await client.query('drop schema public cascade; create schema public');
  await client.query(
    'create table migrations (name text primary key, checksum text not null, run_at timestamptz not null default now(), needs text)',
  );
  const names = readdirSync(MIGRATIONS).filter((each) => /^\d{4}_/.test(each) && each < file);
  for (const name of names.sort()) {
    const text = readFileSync(join(MIGRATIONS, name), 'utf8');
    // A file without a transaction has statements that PostgreSQL takes only one by one.
    for (const statement of text.startsWith('-- no transaction\n') ? text.split(/\n\n+/) : [text])
      await client.query(statement);
    const checksum = createHash('sha256').update(text).digest('hex');
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
  }
}
