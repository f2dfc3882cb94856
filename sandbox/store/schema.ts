import type { DatabaseSync } from 'node:sqlite';

const SCHEMA_VERSION = '2';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS network (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY, entry BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ledgers (
  sequence INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,
  close_time INTEGER NOT NULL,
  header BLOB NOT NULL,
  base_fee INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS transactions (
  ledger INTEGER NOT NULL,
  application_order INTEGER NOT NULL,
  hash BLOB NOT NULL,
  inner_hash BLOB,
  successful INTEGER NOT NULL,
  fee_charged INTEGER NOT NULL,
  operation_count INTEGER NOT NULL,
  envelope BLOB NOT NULL,
  result BLOB NOT NULL,
  fee_changes BLOB NOT NULL,
  meta BLOB NOT NULL,
  events TEXT NOT NULL,
  PRIMARY KEY (ledger, application_order)
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS transactions_hash ON transactions (hash);
CREATE INDEX IF NOT EXISTS transactions_inner_hash ON transactions (inner_hash) WHERE inner_hash IS NOT NULL;
`;

/**
 * Takes the file for this process alone and lays the tables. In exclusive locking mode the lock is held until the
 * process ends, by the operating system, so one that was killed leaves none behind.
 */
export function prepareSchema(db: DatabaseSync, passphrase: string): void {
  db.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;');
  db.exec('PRAGMA synchronous = FULL');
  db.exec('BEGIN EXCLUSIVE');
  db.exec(SCHEMA);
  const insert = db.prepare('INSERT INTO network (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING');
  insert.run('passphrase', passphrase);
  insert.run('schema_version', SCHEMA_VERSION);
  const rows = db.prepare('SELECT name, value FROM network').all();
  db.exec('COMMIT');

  const stored = new Map(rows.map((row) => [row.name, row.value]));
  if (stored.get('passphrase') !== passphrase) {
    throw new Error(`This folder holds the ledger of another network: "${stored.get('passphrase')}".`);
  }
  if (stored.get('schema_version') !== SCHEMA_VERSION) {
    throw new Error('This folder holds a ledger written by another version of the sandbox.');
  }
}
