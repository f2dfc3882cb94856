/** Pure: the parts that every transaction of ours has, as XDR. Layout: Stellar-transaction.x, Stellar-ledger-entries.x. */
import { strict as assert } from 'node:assert';
import { hash as digest } from 'node:crypto';
import { writeAccount } from '../xdr/write-names.ts';
import { XdrWriter } from '../xdr/xdr-writer.ts';

/** What every transaction of a withdrawal says, whatever its operation does. */
export type TransactionTerms = {
  /** The account whose sequence number is used: a channel, or the wallet. */
  tx_source_public_key: Buffer;
  wallet_public_key: Buffer;
  /** The transaction source's sequence number + 1: the network takes no other. */
  sequence: bigint;
  /** The bid for a place in a ledger, which the transaction source pays. 0: a fee-bump around the transaction pays. */
  fee_stroops: bigint;
  /** Unix seconds of ledger time, in the past: 0, or a number to recognize the transaction by. */
  min_time: bigint;
  /** Unix seconds of ledger time. A ledger with a later close time cannot include the transaction (stellar-core isTooLate). */
  max_time: bigint;
};

export type Signature = { public_key: Buffer; signature: Buffer };

/** `hash`: to be signed, and the transaction's id in the ledger. Envelopes are base64 XDR. */
export type UnsignedTransaction = { hash: Buffer; envelopeWith(signatures: Signature[]): string };

export const ENVELOPE_TYPE = { tx: 2, tx_fee_bump: 5 };
const PRECOND_TIME = 1;
export const EXTENSION_V0 = 0;
const EXTENSION_SOROBAN_DATA = 1;
const [ABSENT, PRESENT] = [0, 1];

const NETWORK_ID_BYTES = 32;
export const SIGNATURE_BYTES = 64;
/** Network id, envelope type, and a transaction without operations, with the longest memo. */
const TRANSACTION_BYTES = 148;
/** The longest classic operation of ours: a payment of an issued asset to a muxed account. */
const OPERATION_BYTES = 148;

/** `source_public_key`: who signs for it. `write`: its type and body. */
export type Operation = { source_public_key: Buffer; write: (xdr: XdrWriter) => void };

/**
 * `extension`: XDR SorobanTransactionData, of a call of a contract, and the resource fee in it. The fee of the transaction
 * includes this fee, also inside a fee-bump (stellar-core commonValidPreSeqNum), where nobody pays it. `bytes`: of an
 * operation and extension that are longer than those of classic operations.
 */
export type TransactionParts = {
  memo: (xdr: XdrWriter) => void;
  operations: Operation[];
  extension?: { soroban_data: Buffer; resource_fee_stroops: bigint } | null;
  bytes?: number;
};

/**
 * Builds the only transaction of a withdrawal. Signers: the wallet, the channel if it is the transaction source, and every other
 * source of an operation. `max_time` is required: without it a transaction could be applied years later, and never be called failed.
 */
export function buildTransaction(
  network_id: Buffer,
  terms: TransactionTerms,
  write: TransactionParts,
): UnsignedTransaction {
  const { tx_source_public_key, fee_stroops } = terms;
  assert(terms.max_time > 0n && terms.min_time >= 0n && terms.min_time < terms.max_time);
  assert(terms.sequence > 0n);

  const { length } = write.operations;
  const bytes = TRANSACTION_BYTES + length * OPERATION_BYTES + (write.bytes ?? 0);
  const xdr = startPayload(network_id, ENVELOPE_TYPE.tx, bytes);
  writeAccount(xdr, tx_source_public_key);
  const fee = fee_stroops + (write.extension?.resource_fee_stroops ?? 0n);
  xdr.uint32(Number(fee)).int64(terms.sequence);
  xdr.uint32(PRECOND_TIME).uint64(terms.min_time).uint64(terms.max_time);
  write.memo(xdr);
  xdr.uint32(length);
  for (const operation of write.operations) {
    const { source_public_key } = operation;
    if (source_public_key.equals(tx_source_public_key)) xdr.uint32(ABSENT);
    else writeAccount(xdr.uint32(PRESENT), source_public_key);
    operation.write(xdr);
  }
  if (write.extension) xdr.uint32(EXTENSION_SOROBAN_DATA).opaque(write.extension.soroban_data);
  else xdr.uint32(EXTENSION_V0);
  return unsigned(xdr.written());
}

/** Starts the hashed payload: the network id, then the envelope without its signatures. */
export function startPayload(network_id: Buffer, envelope_type: number, capacity: number): XdrWriter {
  assert.equal(network_id.length, NETWORK_ID_BYTES);
  return new XdrWriter(capacity).opaque(network_id).uint32(envelope_type);
}

export function unsigned(payload: Buffer): UnsignedTransaction {
  return {
    hash: sha256(payload),
    envelopeWith(signatures) {
      const xdr = new XdrWriter(payload.length + 4 + signatures.length * (8 + SIGNATURE_BYTES));
      xdr.opaque(payload.subarray(NETWORK_ID_BYTES)).uint32(signatures.length);
      for (const { public_key, signature } of signatures) {
        assert.equal(signature.length, SIGNATURE_BYTES);
        xdr.opaque(public_key.subarray(28)); // the hint: a verifier tries the key with these last four bytes
        xdr.uint32(SIGNATURE_BYTES).opaque(signature);
      }
      return xdr.written().toString('base64');
    },
  };
}

function sha256(bytes: Buffer): Buffer {
  return digest('sha256', bytes, 'buffer');
}
