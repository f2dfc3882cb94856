/**
 * Pure: builds and hashes the transactions of a withdrawal. No network, no clock, no key.
 *
 * | transaction source | operation source     | fee                                                              |
 * |--------------------|----------------------|------------------------------------------------------------------|
 * | the wallet         | none (the wallet)    | paid by the transaction; or 0, and a fee-bump of the treasury pays |
 * | a channel          | the wallet           | paid by the transaction; or 0, and a fee-bump of the wallet or the |
 * |                    |                      | treasury pays                                                    |
 *
 * A thousand withdrawals are built at once, so the bytes are written without the SDK's objects. The tests compare every
 * byte with the Stellar SDK. Layout: Stellar-transaction.x, Stellar-ledger-entries.x (stellar-xdr).
 */
import { strict as assert } from 'node:assert';
import type { Address } from '../address.ts';
import type { Asset } from '../stellar.ts';
import { writeAccount, writeAsset } from '../xdr/write-names.ts';
import type { XdrWriter } from '../xdr/xdr-writer.ts';
import {
  buildTransaction,
  ENVELOPE_TYPE,
  EXTENSION_V0,
  SIGNATURE_BYTES,
  startPayload,
  type TransactionTerms,
  type UnsignedTransaction,
  unsigned,
} from './write-transaction.ts';

export type PaymentOrder = TransactionTerms & {
  operation: 'payment' | 'create_account' | 'asset_payment';
  /** Null: the native asset. */
  asset: Asset | null;
  destination: Address;
  amount_stroops: bigint;
  memo_id: bigint | null;
  /** 32 bytes: the hash of the refunded transaction. A transaction has at most one memo. */
  memo_return: Buffer | null;
};

const OPERATION_TYPE = { create_account: 0, payment: 1, asset_payment: 1 };
const MEMO = { none: 0, id: 2, return: 4 };

const HASH_BYTES = 32;
/** The bytes of a fee-bump beside its inner envelope: network id, type, fee source, fee, extension. */
const FEE_BUMP_BYTES = 84;
/** The bytes of a fee-bump's envelope before the inner envelope, and after it with one signature. */
const FEE_BUMP_HEAD_BYTES = 4 + 36 + 8;
const FEE_BUMP_TAIL_BYTES = 4 + 4 + 4 + 4 + SIGNATURE_BYTES;

/** Builds a payment, or the creation of an account with its first balance. */
export function buildPayment(network_id: Buffer, order: PaymentOrder): UnsignedTransaction {
  return buildTransaction(network_id, order, {
    memo: (xdr) => writeMemo(xdr, order),
    operations: [{ source_public_key: order.wallet_public_key, write: (xdr) => writeOperation(xdr, order) }],
  });
}

/**
 * Builds the fee-bump of a signed transaction. Signer: `source_public_key`. `fee_stroops`: the most that the signer is charged,
 * for the operations and the fee-bump together.
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

/** Returns the inner envelope of one of our fee-bumps; any other envelope unchanged. Base64 XDR. */
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

function writeOperation(xdr: XdrWriter, order: PaymentOrder): void {
  const { operation, asset, destination, amount_stroops } = order;
  assert(amount_stroops > 0n);
  // A payment of the wrong asset is the worst that could be signed.
  assert.equal(operation === 'asset_payment', asset !== null);
  xdr.uint32(OPERATION_TYPE[operation]);
  if (operation === 'create_account') {
    assert(destination.muxed_id === null, 'create_account takes an account id, not a muxed account');
    writeAccount(xdr, destination.public_key);
  } else {
    writeAccount(xdr, destination.public_key, destination.muxed_id);
    writeAsset(xdr, asset);
  }
  xdr.int64(amount_stroops);
}
