/** Pure: the proof that the transactions of a ledger are all of them, and as they were. */
import { createHash, hash as digest } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTransaction } from './chain.ts';
import { envelopeHashes } from './envelope.ts';
import type { Header } from './ledger-header.ts';
import { networkId } from './payment.ts';

/** A transaction under the hash that its source gives it, in hex. */
export type NamedTransaction = LedgerTransaction & { hash: string };

/**
 * A ledger's header has the hash of its result set: the number of transactions, and each one's hash and result in the
 * order of application (stellar-core, txSetResultHash). What hashes to that is the whole ledger.
 */
export function isWhole(header: Header, transactions: readonly NamedTransaction[]): boolean {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(transactions.length);
  const results = createHash('sha256').update(count);
  for (const { hash, result_xdr } of transactions) {
    results.update(hash, 'hex').update(result_xdr, 'base64');
  }
  return results.digest().equals(header.result_set_hash);
}

const TX_V0 = 0;
/** Envelope type and key type that version 0 leaves out (CAP-15). */
const V1_PREFIX = Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]);
const MAX_SIGNATURES = 20;
/** Hint, length and 64 bytes of an Ed25519 signature. */
const SIGNATURE_BYTES = 4 + 4 + 64;

/** Whether the envelope is the one of its hash: another one would hide what the ledger really has. */
export function isSound(passphrase: string, { hash, envelope_xdr, result_xdr }: NamedTransaction): boolean {
  return decodeBase64(result_xdr) !== null && isHashOf(passphrase, envelope_xdr, hash);
}

/** Null for anything but base64 as it is written: what one reader skips over, another may not. */
function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

/**
 * Whether an envelope (base64) has this hash (hex). Signatures
 * are its last bytes and all before them is what is hashed, so that an envelope with Ed25519 signatures only, which is
 * nearly every one, need not be decoded.
 */
export function isHashOf(passphrase: string, envelope_xdr: string, hash: string): boolean {
  const envelope = decodeBase64(envelope_xdr);
  if (!envelope) return false;
  const network_id = networkId(passphrase);
  for (let count = 0; count <= MAX_SIGNATURES; count++) {
    const end = envelope.length - 4 - count * SIGNATURE_BYTES;
    if (end < 4) break;
    if (envelope.readUInt32BE(end) !== count) continue;
    const parts =
      envelope.readUInt32BE(0) === TX_V0
        ? [network_id, V1_PREFIX, envelope.subarray(4, end)]
        : [network_id, envelope.subarray(0, end)];
    if (digest('sha256', Buffer.concat(parts), 'hex') === hash) return true;
  }
  try {
    return envelopeHashes(passphrase, xdr.TransactionEnvelope.fromXdr(envelope_xdr, 'base64')).hash === hash;
  } catch {
    return false; // it does not decode
  }
}
