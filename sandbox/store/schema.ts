import type { DatabaseSync } from 'node:sqlite';
import { ACCOUNT_INDEX_SCHEMA } from './account-index.ts';

const SCHEMA_VERSION = '3';

export const FOREIGN_FILE =
  'The ledger.db in this folder is not a ledger of the sandbox. Choose another folder, or move the file away.';

const SCHEMA = `
CREATE TABLE network (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE entries (key BLOB PRIMARY KEY, entry BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE ledgers (
  sequence INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,
  close_time INTEGER NOT NULL,
  header BLOB NOT NULL,
  base_fee INTEGER NOT NULL
) STRICT;
CREATE TABLE transactions (
  ledger INTEGER NOT NULL,
  application_order INTEGER NOT NULL,
  hash BLOB NOT NULL,
  inner_hash BLOB,
  successful INTEGER NOT NULL,
  fee_charged INTEGER NOT NULL,
  max_fee INTEGER NOT NULL,
  operation_count INTEGER NOT NULL,
  envelope BLOB NOT NULL,
  result BLOB NOT NULL,
  fee_changes BLOB NOT NULL,
  meta BLOB NOT NULL,
  resource_fee_charged INTEGER,
  refund_changes BLOB NOT NULL,
  events TEXT NOT NULL,
  PRIMARY KEY (ledger, application_order)
) STRICT;
CREATE UNIQUE INDEX transactions_hash ON transactions (hash);
CREATE INDEX transactions_inner_hash ON transactions (inner_hash) WHERE inner_hash IS NOT NULL;
${ACCOUNT_INDEX_SCHEMA}`;

/**
 * Locks the file for this process alone and creates the tables. In exclusive locking mode the operating system
 * holds the lock until the process ends, so a killed process leaves no lock.
 */
export function prepareSchema(db: DatabaseSync, passphrase: string): void {
  db.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;');
  db.exec('PRAGMA synchronous = FULL');
  db.exec('BEGIN EXCLUSIVE');
  if (isEmpty(db)) begin(db, passphrase);
  const stored = identityOf(db);
  if (stored.get('passphrase') !== passphrase) {
    throw new Error(`This folder holds the ledger of another network: "${stored.get('passphrase')}".`);
  }
  const version = stored.get('schema_version');
  if (version !== SCHEMA_VERSION) {
    throw new Error(
      `This folder holds a ledger written by another version of the sandbox (its schema is ${version}, not ${SCHEMA_VERSION}). Move the folder away: an empty one begins a new network.`,
    );
  }
  db.exec('COMMIT');
}

function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}

function begin(db: DatabaseSync, passphrase: string): void {
  db.exec(SCHEMA);
  const insert = db.prepare('INSERT INTO network (name, value) VALUES (?, ?)');
  insert.run('passphrase', passphrase);
  insert.run('schema_version', SCHEMA_VERSION);
}

function identityOf(db: DatabaseSync): Map<unknown, unknown> {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'network'").get() === undefined) {
    throw new Error(FOREIGN_FILE);
  }
  const rows = db.prepare('SELECT name, value FROM network').all();
  return new Map(rows.map(({ name, value }) => [name, value]));
}
