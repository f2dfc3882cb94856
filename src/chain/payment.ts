/** Pure: builds and hashes the one transaction of a withdrawal. No network, no clock, no key. */
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { type Address, muxedAccount } from './address.ts';

export type PaymentOrder = {
  source_public_key: Buffer;
  /** The source account's sequence number + 1: the only one the network will take. */
  sequence: bigint;
  fee_stroops: bigint;
  /** Unix seconds of ledger time. A ledger that closes later cannot include the transaction (stellar-core isTooLate). */
  max_time: bigint;
  operation: 'payment' | 'create_account';
  destination: Address;
  amount_stroops: bigint;
  memo_id: bigint | null;
};

export type UnsignedPayment = { hash: Buffer; envelopeWith(signature: Buffer): string };

/**
 * The transaction, its hash to sign, and its envelope (base64 XDR) once a signature of the source account is there.
 * max_time is required: a transaction without one could be applied years later, so its absence could never be proven.
 */
export function buildPayment(passphrase: string, order: PaymentOrder): UnsignedPayment {
  assert(order.max_time > 0n);
  assert(order.amount_stroops > 0n);
  const transaction = new xdr.Transaction({
    sourceAccount: muxedAccount(order.source_public_key, null),
    fee: Number(order.fee_stroops),
    seqNum: order.sequence,
    cond: xdr.Preconditions.precondTime(new xdr.TimeBounds({ minTime: 0n, maxTime: order.max_time })),
    memo: order.memo_id === null ? xdr.Memo.memoNone() : xdr.Memo.memoId(order.memo_id),
    operations: [new xdr.Operation({ sourceAccount: null, body: operationBody(order) })],
    ext: xdr.TransactionExt.v0(),
  });
  const hint = order.source_public_key.subarray(28); // the last four bytes tell verifiers which key to try
  return {
    hash: transactionHash(passphrase, transaction),
    envelopeWith(signature) {
      const signatures = [new xdr.DecoratedSignature({ hint, signature })];
      const v1 = new xdr.TransactionV1Envelope({ tx: transaction, signatures });
      return xdr.TransactionEnvelope.envelopeTypeTx(v1).toXdr('base64');
    },
  };
}

function operationBody(order: PaymentOrder): xdr.OperationBody {
  const { destination, amount_stroops } = order;
  if (order.operation === 'create_account') {
    assert(destination.muxed_id === null, 'create_account takes an account id, not a muxed account');
    return xdr.OperationBody.createAccount(
      new xdr.CreateAccountOp({
        destination: xdr.PublicKey.publicKeyTypeEd25519(destination.public_key),
        startingBalance: amount_stroops,
      }),
    );
  }
  return xdr.OperationBody.payment(
    new xdr.PaymentOp({
      destination: muxedAccount(destination.public_key, destination.muxed_id),
      asset: xdr.Asset.assetTypeNative(),
      amount: amount_stroops,
    }),
  );
}

/** SHA-256 over network id, envelope type and transaction: what signatures are made over, and the transaction's name. */
export function transactionHash(passphrase: string, transaction: xdr.Transaction): Buffer {
  return payloadHash(
    passphrase,
    xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTx(transaction),
  );
}

function payloadHash(passphrase: string, tagged: xdr.TransactionSignaturePayloadTaggedTransaction): Buffer {
  const networkId = createHash('sha256').update(passphrase).digest();
  const payload = new xdr.TransactionSignaturePayload({ networkId, taggedTransaction: tagged });
  return createHash('sha256').update(payload.toXdr()).digest();
}

/**
 * The hashes of a signed envelope: `hash` is the ledger's name for it, `inner_hash` that of the transaction inside a
 * fee-bump (the same when there is none). A version 0 envelope is hashed as its version 1 form (CAP-15).
 */
export function envelopeHashes(
  passphrase: string,
  envelope: xdr.TransactionEnvelope,
): { hash: string; inner_hash: string } {
  const inner = innerTransaction(envelope);
  const inner_hash = transactionHash(passphrase, inner).toString('hex');
  if (envelope.type !== 'envelopeTypeTxFeeBump') return { hash: inner_hash, inner_hash };
  const tagged = xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTxFeeBump(envelope.feeBump.tx);
  return { hash: payloadHash(passphrase, tagged).toString('hex'), inner_hash };
}

/** The transaction that carries the operations and the memo. */
export function innerTransaction(envelope: xdr.TransactionEnvelope): xdr.Transaction {
  switch (envelope.type) {
    case 'envelopeTypeTx':
      return envelope.v1.tx;
    case 'envelopeTypeTxFeeBump':
      return envelope.feeBump.tx.innerTx.v1.tx;
    case 'envelopeTypeTxV0':
      return fromVersion0(envelope.v0.tx);
  }
}

function fromVersion0(v0: xdr.TransactionV0): xdr.Transaction {
  return new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(v0.sourceAccountEd25519.value),
    fee: v0.fee,
    seqNum: v0.seqNum,
    cond: v0.timeBounds ? xdr.Preconditions.precondTime(v0.timeBounds) : xdr.Preconditions.precondNone(),
    memo: v0.memo,
    operations: v0.operations,
    ext: xdr.TransactionExt.v0(),
  });
}
