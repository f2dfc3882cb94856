/** Pure: proves that the transactions of a ledger are complete and unchanged. */
import { createHash } from 'node:crypto';
import { xdr } from '../protocol/sdk.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { envelopeHash, envelopeHashes } from '../transactions/envelope.ts';
import type { Header } from './ledger-header.ts';
import { partsOf } from './xdr-parts.ts';

/**
 * Whether these are all transactions of the ledger. The header has the hash of the result set: the number of
 * transactions, then each hash and result in the order of application (stellar-core, txSetResultHash).
 */
export function isWhole(header: Header, transactions: readonly LedgerTransaction[]): boolean {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(transactions.length);
  const results = createHash('sha256').update(count);
  for (const { hash, result } of transactions) {
    // Split at another place, the same bytes could hide one transaction in the result of another.
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
    return false; // the bytes are not one result
  }
}

const MAX_SIGNATURES = 20;
/** Hint, length and 64 bytes of an Ed25519 signature. */
const SIGNATURE_BYTES = 4 + 4 + 64;

/**
 * Whether an envelope has this hash (hex). A false envelope would hide the real payment. Signatures are the last bytes, so
 * an envelope with Ed25519 signatures only (nearly every one) need not be decoded.
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
    return false; // no envelope
  }
}
