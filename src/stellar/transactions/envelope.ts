/** Pure: reads the envelopes of any transaction on the network, ours or not, and names them as the ledger does. */
import { createHash, hash as digest } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { accountOf, addressOf, muxedAddress } from '../address.ts';
import { networkId } from './payment.ts';

/** SHA-256 over network id, envelope type and transaction: what signatures are made over, and the transaction's name. */
export function transactionHash(passphrase: string, transaction: xdr.Transaction): Buffer {
  return payloadHash(
    passphrase,
    xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTx(transaction),
  );
}

function payloadHash(passphrase: string, tagged: xdr.TransactionSignaturePayloadTaggedTransaction): Buffer {
  const payload = new xdr.TransactionSignaturePayload({
    networkId: networkId(passphrase),
    taggedTransaction: tagged,
  });
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

const TX_V0 = 0;
/** Envelope type and key type that version 0 leaves out (CAP-15). */
const V1_PREFIX = Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]);

/**
 * The ledger's name (hex) for an envelope whose signatures begin at `signed_end`: all before them is what is signed.
 */
export function envelopeHash(passphrase: string, envelope: Buffer, signed_end: number): string {
  const network_id = networkId(passphrase);
  const parts =
    envelope.readUInt32BE(0) === TX_V0
      ? [network_id, V1_PREFIX, envelope.subarray(4, signed_end)]
      : [network_id, envelope.subarray(0, signed_end)];
  return digest('sha256', Buffer.concat(parts), 'hex');
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

/** G… that operations name as their own sources, beside the transaction's. Envelope in XDR. */
export function operationSourcesIn(envelope: Uint8Array): string[] {
  const { operations } = innerTransaction(xdr.TransactionEnvelope.fromXdr(envelope));
  return operations.flatMap(({ sourceAccount }) => (sourceAccount ? [addressOf(sourceAccount).account] : []));
}

/** `memo_return`: a hash in hex. */
export type Payment = {
  destination: string;
  amount_stroops: bigint;
  memo_id: bigint | null;
  memo_return: string | null;
};

/**
 * What a transaction of the form that withdrawals have pays to whom (G… or M…); null for any other. Envelope in base64 XDR.
 */
export function paymentIn(envelope_xdr: string): Payment | null {
  const { operations, memo } = innerTransaction(xdr.TransactionEnvelope.fromXdr(envelope_xdr, 'base64'));
  const body = operations.length === 1 ? operations[0]?.body : undefined;
  if (memo.type === 'memoText' || memo.type === 'memoHash') return null;
  const memo_id = memo.type === 'memoId' ? memo.id : null;
  const memo_return = memo.type === 'memoReturn' ? Buffer.from(memo.retHash.value).toString('hex') : null;
  const memos = { memo_id, memo_return };
  if (body?.type === 'createAccount') {
    const { destination, startingBalance } = body.createAccountOp;
    return { destination: accountOf(destination.ed25519.value), amount_stroops: startingBalance, ...memos };
  }
  if (body?.type !== 'payment' || body.paymentOp.asset.type !== 'assetTypeNative') return null;
  const { account, muxed_id } = addressOf(body.paymentOp.destination);
  const destination = muxed_id === null ? account : muxedAddress(account, muxed_id);
  return { destination, amount_stroops: body.paymentOp.amount, ...memos };
}
