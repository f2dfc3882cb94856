/** What the machine could do if nothing but the unavoidable were done: a signature checked, the bytes on disk. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Keypair } from '@stellar/stellar-sdk/base';
import sodium from 'sodium-native';
import type { ClosedLedger } from '../sandbox/ledger/close.ts';
import { rate } from './measure.ts';

/** ed25519 verifications a second, one for each key, over 32 bytes as a transaction's hash has. */
export function verifications(keys: Keypair[]): Promise<number> {
  const message = Buffer.alloc(32, 7);
  const signed = keys.map((key) => ({
    signature: Buffer.from(key.sign(message)),
    key: Buffer.from(key.rawPublicKey()),
  }));
  return rate(keys.length, () => {
    for (const { signature, key } of signed) {
      if (!sodium.crypto_sign_verify_detached(signature, message, key))
        throw new Error('a signature is wrong');
    }
  });
}

/** Transactions a second when only the bytes that this ledger stores are written: one commit, flushed to disk. */
export async function inserts(dir: string, ledger: ClosedLedger): Promise<number> {
  const db = new DatabaseSync(join(dir, 'ceiling.db'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('CREATE TABLE IF NOT EXISTS bytes (id INTEGER PRIMARY KEY, hash BLOB, bytes BLOB) STRICT');
  const insert = db.prepare('INSERT INTO bytes (hash, bytes) VALUES (?, ?)');
  const rows = ledger.transactions.map(({ tx, resultXdr, feeChangesXdr, metaXdr }) => ({
    hash: tx.hash,
    bytes: Buffer.concat([tx.envelopeXdr, resultXdr, feeChangesXdr, metaXdr]),
  }));
  const result = await rate(rows.length, () => {
    db.exec('BEGIN IMMEDIATE');
    for (const { hash, bytes } of rows) insert.run(hash, bytes);
    db.exec('COMMIT');
  });
  db.close();
  return result;
}
