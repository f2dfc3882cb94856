/** Pure: the proof that the transactions of a ledger are all of them, and as they were. */
import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTransaction } from '../stellar.ts';
import { envelopeHash, envelopeHashes } from '../transactions/envelope.ts';
import type { Header } from './ledger-header.ts';
import { partsOf } from './xdr-parts.ts';

/**
 * A ledger's header has the hash of its result set: the number of transactions, and each one's hash and result in the
 * order of application (stellar-core, txSetResultHash). What hashes to that is the whole ledger, provided that each part is
 * what it is called: cut elsewhere, the same bytes could hide one transaction in the result of another.
 */
export function isWhole(header: Header, transactions: readonly LedgerTransaction[]): boolean {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(transactions.length);
  const results = createHash('sha256').update(count);
  for (const { hash, result } of transactions) {
    if (!HASH.test(hash) || !isOneResult(result)) return false;
    results.update(hash, 'hex').update(result);
  }
  return results.digest().equals(header.result_set_hash);
}

const HASH = /^[0-9a-f]{64}$/;
const walkResult = partsOf(xdr.TransactionResult.schema, []);

function isOneResult(result: Buffer): boolean {
  try {
    walkResult(result, () => undefined);
    return true;
  } catch {
    return false; // it ends elsewhere
  }
}

const MAX_SIGNATURES = 20;
/** Hint, length and 64 bytes of an Ed25519 signature. */
const SIGNATURE_BYTES = 4 + 4 + 64;

/**
 * Whether an envelope has this hash (hex): another one would hide what the ledger really has. Signatures are its last bytes,
 * so that an envelope with Ed25519 signatures only, which is nearly every one, need not be decoded.
 */
export function isHashOf(passphrase: string, envelope: Buffer, hash: string): boolean {
  for (let count = 0; count <= MAX_SIGNATURES; count++) {
    const end = envelope.length - 4 - count * SIGNATURE_BYTES;
    if (end < 4) break;
    if (envelope.readUInt32BE(end) === count && envelopeHash(passphrase, envelope, end) === hash) return true;
  }
  try {
    return envelopeHashes(passphrase, xdr.TransactionEnvelope.fromXdr(envelope)).hash === hash;
  } catch {
    return false; // it does not decode
  }
}
