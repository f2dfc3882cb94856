/** Ceilings of the machine: only the unavoidable work, which is to verify a signature and to write the bytes to disk. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Keypair } from '@stellar/stellar-sdk/base';
import sodium from 'sodium-native';
import type { ClosedLedger } from '../sandbox/ledger/close.ts';
import { rate } from './measure.ts';

/** ed25519 verifications per second, one for each key, over 32 bytes like a transaction's hash. */
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

/** Transactions per second when only the stored bytes of a ledger are written: one commit, flushed to disk. */
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
