/** Pure: reads the envelopes of any transaction on the network, ours or not, and names them as the ledger does. */
import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
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
