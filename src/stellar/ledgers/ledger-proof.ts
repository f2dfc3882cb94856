/** Pure: proves that the transactions of a ledger are complete and unchanged. */
import { createHash } from 'node:crypto';
import { xdr } from '../protocol/sdk.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { envelopeHash, innerHashIn, signaturesEnd } from '../transactions/envelope.ts';
import type { Header } from './ledger-header.ts';
import { whyNot } from './unknown-arms.ts';
import { endOf, UnknownArm } from './xdr-parts.ts';

/**
 * Returns true when these are all transactions of the ledger. The header has the hash of the result set: the number of
 * transactions, then each hash and result in the order of application (stellar-core, txSetResultHash).
 */
export function isWhole(header: Header, transactions: readonly LedgerTransaction[]): boolean {
  return proofOf(header, transactions) === 'whole';
}

/**
 * Checks as `isWhole` does, where a result may have an arm of a later protocol. `whole_by_bytes`: the bytes of all hashes and results
 * are the ledger's, and one result has such an arm: where it ends is only what the source says (transaction-set.ts).
 */
export function proofOf(
  header: Header,
  transactions: readonly LedgerTransaction[],
): 'none' | 'whole' | 'whole_by_bytes' {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(transactions.length);
  const results = createHash('sha256').update(count);
  let isKnown = true;
  for (const { hash, result } of transactions) {
    // Split at another place, the same bytes could hide one transaction in the result of another.
    const fault = whyNot('result', result);
    if (!HASH.test(hash) || (fault && !(fault instanceof UnknownArm))) return 'none';
    isKnown &&= fault === null;
    results.update(hash, 'hex').update(result);
  }
  if (!results.digest().equals(header.result_set_hash)) return 'none';
  return isKnown ? 'whole' : 'whole_by_bytes';
}

const HASH = /^[0-9a-f]{64}$/;
const HASH_BYTES = 32;
const [TX_SUCCESS, TX_FAILED] = [0, -1];

/**
 * Returns true when an unknown result could hide another transaction that we would know: behind the unknown arm come 32 bytes that can
 * be a hash, and then a result that we know. For sources that do not give the transaction set. A fee-bump has its own inner
 * transaction there.
 */
export function mayHide(passphrase: string, { envelope, result }: LedgerTransaction): boolean {
  const fault = whyNot('result', result);
  if (!(fault instanceof UnknownArm)) return false;
  const isInner = (at: number) =>
    innerHashIn(passphrase, envelope) === result.toString('hex', at, at + HASH_BYTES);
  for (let at = fault.at + 4; at + HASH_BYTES < result.length; at += 4)
    if (mayBeHash(result, at) && isResultAt(result, at + HASH_BYTES) && !isInner(at)) return true;
  return false;
}

/** Returns true for bytes that may be a hash. In a hash a word of zeros is so rare that nobody could make one for somebody else's transaction. */
function mayBeHash(bytes: Buffer, at: number): boolean {
  for (let word = at; word < at + HASH_BYTES; word += 4) if (bytes.readUInt32BE(word) === 0) return false;
  return true;
}

const endOfResult = endOf(xdr.TransactionResult.schema);

function isResultAt(bytes: Buffer, at: number): boolean {
  try {
    endOfResult(bytes, at);
  } catch {
    return false; // no result that we know
  }
  const [code, operations] = [bytes.readInt32BE(at + 8), bytes.readInt32BE(at + 12)];
  // A transaction with results of operations has at least one.
  return (code !== TX_SUCCESS && code !== TX_FAILED) || operations > 0;
}

const MAX_SIGNATURES = 20;
/** Hint, length and 64 bytes of an Ed25519 signature. */
const SIGNATURE_BYTES = 4 + 4 + 64;

/**
 * Returns true when an envelope has this hash (hex). A false envelope would hide the real payment. The signatures are its last bytes.
 * So it need not be decoded, and may have arms that we do not know.
 */
export function isHashOf(passphrase: string, envelope: Buffer, hash: string): boolean {
  const isEnd = (end: number) =>
    signaturesEnd(envelope, end) === envelope.length && envelopeHash(passphrase, envelope, end) === hash;
  // First as if all signatures were of Ed25519: nearly every envelope has such ones only.
  for (let count = 0; count <= MAX_SIGNATURES; count++) {
    const end = envelope.length - 4 - count * SIGNATURE_BYTES;
    if (end < 4) break;
    if (envelope.readUInt32BE(end) === count && isEnd(end)) return true;
  }
  for (let end = 4; end + 4 <= envelope.length; end += 4) if (isEnd(end)) return true;
  return false;
}
