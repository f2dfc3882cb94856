/**
 * Pure: builds the transactions that create and merge channel accounts. No network, no clock, no key.
 *
 * A channel only provides sequence numbers. Its balance is 0, and its reserve is sponsored (CAP-33).
 */
import { strict as assert } from 'node:assert';
import { Account, Operation, type Transaction, TransactionBuilder, xdr } from '../protocol/sdk.ts';
import type { Signature, UnsignedTransaction } from './write-transaction.ts';

/** Each channel signs beside the sponsor, and an envelope holds 20 signatures. */
export const CHANNELS_PER_TRANSACTION = 19;

export type ChannelOrder = {
  /** G… of the account that sponsors the channels and pays the fee. */
  sponsor: string;
  /** The sponsor's sequence number + 1. */
  sequence: bigint;
  /** G… of 1 to 19 different channels. */
  channels: string[];
  fee_per_operation_stroops: bigint;
  /** Unix seconds of ledger time. */
  max_time: bigint;
};

/**
 * Creates all of the channels or none. Signers: the sponsor and every channel. Each channel costs the sponsor two base
 * reserves and the fee of three operations.
 */
export function buildChannelCreation(passphrase: string, order: ChannelOrder): UnsignedTransaction {
  return build(passphrase, order, (channel) => [
    Operation.beginSponsoringFutureReserves({ sponsoredId: channel }),
    Operation.createAccount({ destination: channel, startingBalance: '0' }),
    Operation.endSponsoringFutureReserves({ source: channel }),
  ]);
}

/**
 * Merges all of the channels into their sponsor or none, and frees the reserves. Signers: the sponsor and every channel.
 * A channel that does not exist any more fails the whole transaction.
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
  assert(max_time > 0n); // without it nobody could ever prove that the transaction is not applied
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
