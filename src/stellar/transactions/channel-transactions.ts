/**
 * Pure: the transactions that make channel accounts and give their reserves back. No network, no clock, no key.
 *
 * A channel is a source of sequence numbers and nothing else: balance 0, its reserve sponsored (CAP-33). At most 19
 * in one transaction, because each signs it beside the sponsor, and an envelope holds 20 signatures.
 */
import { strict as assert } from 'node:assert';
import { Account, Operation, type Transaction, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import type { Signature, UnsignedTransaction } from './payment.ts';

export const CHANNELS_PER_TRANSACTION = 19;

export type ChannelOrder = {
  /** G… of the account that sponsors the channels, and pays the fee. */
  sponsor: string;
  /** The sponsor's sequence number + 1. */
  sequence: bigint;
  /** G… of each channel, 1 to 19, no two the same. */
  channels: string[];
  fee_per_operation_stroops: bigint;
  /** Unix seconds of ledger time. */
  max_time: bigint;
};

/**
 * Makes the channels. Signers: the sponsor and every channel, which so agrees to be sponsored. All of them are made or
 * none is. The sponsor needs two base reserves for each, beside its own, and the fee of three operations.
 */
export function buildChannelCreation(passphrase: string, order: ChannelOrder): UnsignedTransaction {
  return build(passphrase, order, (channel) => [
    Operation.beginSponsoringFutureReserves({ sponsoredId: channel }),
    Operation.createAccount({ destination: channel, startingBalance: '0' }),
    Operation.endSponsoringFutureReserves({ source: channel }),
  ]);
}

/**
 * Merges the channels into their sponsor, which is free of their reserves from then on. Signers: the sponsor and every
 * channel. All of them are merged or none is: a channel that does not exist any more fails the others' merge too.
 */
export function buildChannelMerge(passphrase: string, order: ChannelOrder): UnsignedTransaction {
  return build(passphrase, order, (channel) => [
    Operation.accountMerge({ source: channel, destination: order.sponsor }),
  ]);
}

function build(
  passphrase: string,
  order: ChannelOrder,
  operationsOf: (channel: string) => xdr.Operation[],
): UnsignedTransaction {
  const { channels, max_time } = order;
  assert(channels.length >= 1 && channels.length <= CHANNELS_PER_TRANSACTION);
  assert(new Set([...channels, order.sponsor]).size === channels.length + 1);
  assert(max_time > 0n); // without one its absence could never be proven
  const builder = new TransactionBuilder(new Account(order.sponsor, `${order.sequence - 1n}`), {
    fee: `${order.fee_per_operation_stroops}`, // the builder multiplies it by the number of operations
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime: Number(max_time) },
  });
  for (const operation of channels.flatMap(operationsOf)) builder.addOperation(operation);
  const transaction = builder.build();
  return {
    hash: Buffer.from(transaction.hash()),
    envelopeWith: (signatures) => signedEnvelope(transaction, signatures),
  };
}

function signedEnvelope(transaction: Transaction, signatures: Signature[]): string {
  const envelope = transaction.toEnvelope();
  assert(envelope.type === 'envelopeTypeTx');
  const decorated = signatures.map(
    ({ public_key, signature }) => new xdr.DecoratedSignature({ hint: public_key.subarray(28), signature }),
  );
  const signed = new xdr.TransactionV1Envelope({ tx: envelope.v1.tx, signatures: decorated });
  return xdr.TransactionEnvelope.envelopeTypeTx(signed).toXdr('base64');
}
