/**
 * Pure: builds and hashes the transactions of a withdrawal. No network, no clock, no key.
 *
 * | transaction source | operation source     | fee                                                              |
 * |--------------------|----------------------|------------------------------------------------------------------|
 * | the wallet         | none (the wallet)    | paid by the transaction                                          |
 * | a channel          | the wallet           | 0 in the transaction; paid by a fee-bump whose source is the wallet |
 *
 * A thousand withdrawals are built at once, so the bytes are written without the SDK's objects. The tests compare every
 * byte with the Stellar SDK. Layout: Stellar-transaction.x, Stellar-ledger-entries.x (stellar-xdr).
 */
import { strict as assert } from 'node:assert';
import { hash as digest } from 'node:crypto';
import type { Address } from '../address.ts';
import { XdrWriter } from './xdr-writer.ts';

export type PaymentOrder = {
  /** The account whose sequence number is used: a channel, or the wallet. */
  tx_source_public_key: Buffer;
  wallet_public_key: Buffer;
  /** The transaction source's sequence number + 1: the network takes no other. */
  sequence: bigint;
  /** 0 when the transaction source is a channel, else above 0. */
  fee_stroops: bigint;
  /** Unix seconds of ledger time, in the past: 0, or a number to recognize the transaction by. */
  min_time: bigint;
  /** Unix seconds of ledger time. A ledger with a later close time cannot include the transaction (stellar-core isTooLate). */
  max_time: bigint;
  operation: 'payment' | 'create_account';
  destination: Address;
  amount_stroops: bigint;
  memo_id: bigint | null;
  /** 32 bytes: the hash of the refunded transaction. A transaction has at most one memo. */
  memo_return: Buffer | null;
};

export type Signature = { public_key: Buffer; signature: Buffer };

/** `hash`: to be signed, and the transaction's id in the ledger. Envelopes are base64 XDR. */
export type UnsignedTransaction = { hash: Buffer; envelopeWith(signatures: Signature[]): string };

const ENVELOPE_TYPE = { tx: 2, tx_fee_bump: 5 };
const KEY_TYPE = { ed25519: 0, muxed_ed25519: 0x100 };
const OPERATION_TYPE = { create_account: 0, payment: 1 };
const PRECOND_TIME = 1;
const MEMO = { none: 0, id: 2, return: 4 };
const ASSET_TYPE_NATIVE = 0;
const EXTENSION_V0 = 0;
const [ABSENT, PRESENT] = [0, 1];

const NETWORK_ID_BYTES = 32;
const HASH_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** Network id, envelope type, and the longest payment. */
const PAYMENT_BYTES = 248;
/** The bytes of a fee-bump beside its inner envelope: network id, type, fee source, fee, extension. */
const FEE_BUMP_BYTES = 84;
/** The bytes of a fee-bump's envelope before the inner envelope, and after it with one signature. */
const FEE_BUMP_HEAD_BYTES = 4 + 36 + 8;
const FEE_BUMP_TAIL_BYTES = 4 + 4 + 4 + 4 + SIGNATURE_BYTES;

/**
 * The only transaction of a withdrawal. Signers: the wallet, and the channel if it is the transaction source.
 * `max_time` is required: without it a transaction could be applied years later, and never be called failed.
 */
export function buildPayment(network_id: Buffer, order: PaymentOrder): UnsignedTransaction {
  const { tx_source_public_key, wallet_public_key, fee_stroops } = order;
  const byChannel = !tx_source_public_key.equals(wallet_public_key);
  assert(order.max_time > 0n && order.min_time >= 0n && order.min_time < order.max_time);
  assert(order.sequence > 0n);
  assert(byChannel === (fee_stroops === 0n), 'a channel has no balance to pay a fee from');

  const xdr = startPayload(network_id, ENVELOPE_TYPE.tx, PAYMENT_BYTES);
  writeAccount(xdr, tx_source_public_key);
  xdr.uint32(Number(fee_stroops)).int64(order.sequence);
  xdr.uint32(PRECOND_TIME).uint64(order.min_time).uint64(order.max_time);
  writeMemo(xdr, order);
  xdr.uint32(1); // operations
  if (byChannel) writeAccount(xdr.uint32(PRESENT), wallet_public_key);
  else xdr.uint32(ABSENT);
  writeOperation(xdr, order);
  xdr.uint32(EXTENSION_V0);
  return unsigned(xdr.written());
}

/**
 * The fee-bump of a signed transaction. Signer: `source_public_key`. `fee_stroops`: the most that the signer is charged,
 * for the operation and the fee-bump together.
 */
export function buildFeeBump(
  network_id: Buffer,
  inner_envelope_xdr: string,
  fee: { source_public_key: Buffer; fee_stroops: bigint },
): { hash: Buffer; envelopeWith(signature: Buffer): string } {
  const inner = Buffer.from(inner_envelope_xdr, 'base64');
  assert.equal(inner.readUInt32BE(0), ENVELOPE_TYPE.tx, 'only a plain transaction can be fee-bumped');
  assert(fee.fee_stroops > 0n);

  const xdr = startPayload(network_id, ENVELOPE_TYPE.tx_fee_bump, FEE_BUMP_BYTES + inner.length);
  writeAccount(xdr, fee.source_public_key);
  xdr.int64(fee.fee_stroops);
  xdr.opaque(inner); // a fee-bump holds the inner envelope as it is: type, transaction, signatures
  xdr.uint32(EXTENSION_V0);
  const { hash, envelopeWith } = unsigned(xdr.written());
  return {
    hash,
    envelopeWith: (signature) => envelopeWith([{ public_key: fee.source_public_key, signature }]),
  };
}

/** The inner envelope of one of our fee-bumps; any other envelope unchanged. Base64 XDR. */
export function innerEnvelopeOf(envelope_xdr: string): string {
  const bytes = Buffer.from(envelope_xdr, 'base64');
  if (bytes.readUInt32BE(0) !== ENVELOPE_TYPE.tx_fee_bump) return envelope_xdr;
  return bytes.subarray(FEE_BUMP_HEAD_BYTES, -FEE_BUMP_TAIL_BYTES).toString('base64');
}

function writeMemo(xdr: XdrWriter, { memo_id, memo_return }: PaymentOrder): void {
  assert(memo_id === null || memo_return === null);
  if (memo_id !== null) xdr.uint32(MEMO.id).uint64(memo_id);
  else if (memo_return !== null) {
    assert.equal(memo_return.length, HASH_BYTES);
    xdr.uint32(MEMO.return).opaque(memo_return);
  } else xdr.uint32(MEMO.none);
}

function writeOperation(xdr: XdrWriter, { operation, destination, amount_stroops }: PaymentOrder): void {
  assert(amount_stroops > 0n);
  xdr.uint32(OPERATION_TYPE[operation]);
  if (operation === 'create_account') {
    assert(destination.muxed_id === null, 'create_account takes an account id, not a muxed account');
    writeAccount(xdr, destination.public_key);
  } else {
    writeAccount(xdr, destination.public_key, destination.muxed_id);
    xdr.uint32(ASSET_TYPE_NATIVE);
  }
  xdr.int64(amount_stroops);
}

/** Writes a MuxedAccount. Without an id its bytes are the same as those of an AccountID. */
function writeAccount(xdr: XdrWriter, public_key: Buffer, muxed_id: bigint | null = null): void {
  assert.equal(public_key.length, 32);
  if (muxed_id === null) xdr.uint32(KEY_TYPE.ed25519);
  else xdr.uint32(KEY_TYPE.muxed_ed25519).uint64(muxed_id);
  xdr.opaque(public_key);
}

/** The hashed payload: the network id, then the envelope without its signatures. */
function startPayload(network_id: Buffer, envelope_type: number, capacity: number): XdrWriter {
  assert.equal(network_id.length, NETWORK_ID_BYTES);
  return new XdrWriter(capacity).opaque(network_id).uint32(envelope_type);
}

function unsigned(payload: Buffer): UnsignedTransaction {
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
