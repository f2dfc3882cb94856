/**
 * Pure: builds the transactions that create, fill and merge channel accounts. No network, no clock, no key.
 *
 * A channel provides sequence numbers. Its reserve is sponsored (CAP-33), so all of its balance may pay fees; it may be 0.
 */
import { strict as assert } from 'node:assert';
import { stroopsInUnits } from '../../lib/stroops.ts';
import { Account, Asset, Operation, type Transaction, TransactionBuilder, xdr } from '../protocol/sdk.ts';
import type { Signature, UnsignedTransaction } from './write-transaction.ts';

/** Each channel signs beside the sponsor, and an envelope holds 20 signatures. */
export const CHANNELS_PER_TRANSACTION = 19;

/** The most operations of a transaction. Source: stellar-core, MAX_OPS_PER_TX. */
export const FILLINGS_PER_TRANSACTION = 100;

export type ChannelOrder = {
  /** G… of the account that sponsors the channels and pays the fee. */
  sponsor: string;
  /** The sponsor's sequence number + 1. */
  sequence: bigint;
  /** G… of different channels: 1 to 19 to create or merge, 1 to 100 to fill. */
  channels: string[];
  fee_per_operation_stroops: bigint;
  /** Unix seconds of ledger time. */
  max_time: bigint;
};

/**
 * Creates all of the channels or none, each with this balance. Signers: the sponsor and every channel. Each channel costs the
 * sponsor two base reserves, its balance and the fee of three operations.
 */
export function buildChannelCreation(
  passphrase: string,
  order: ChannelOrder & { balance_stroops: bigint },
): UnsignedTransaction {
  assert(order.channels.length <= CHANNELS_PER_TRANSACTION);
  const startingBalance = stroopsInUnits(order.balance_stroops);
  return build(passphrase, order, (channel) => [
    Operation.beginSponsoringFutureReserves({ sponsoredId: channel }),
    Operation.createAccount({ destination: channel, startingBalance }),
    Operation.endSponsoringFutureReserves({ source: channel }),
  ]);
}

/**
 * Merges all of the channels into their sponsor or none, and frees the reserves. Signers: the sponsor and every channel.
 * A channel that does not exist any more fails the whole transaction.
 */
export function buildChannelMerge(passphrase: string, order: ChannelOrder): UnsignedTransaction {
  assert(order.channels.length <= CHANNELS_PER_TRANSACTION);
  return build(passphrase, order, (channel) => [
    Operation.accountMerge({ source: channel, destination: order.sponsor }),
  ]);
}

/** Pays these stroops to each of the channels or to none. Signer: the sponsor. A channel that does not exist fails the whole transaction. */
export function buildChannelFilling(
  passphrase: string,
  order: ChannelOrder & { stroops: ReadonlyMap<string, bigint> },
): UnsignedTransaction {
  assert(order.channels.length <= FILLINGS_PER_TRANSACTION);
  return build(passphrase, order, (destination) => {
    const stroops = order.stroops.get(destination);
    assert(stroops !== undefined && stroops > 0n);
    return [Operation.payment({ destination, asset: Asset.native(), amount: stroopsInUnits(stroops) })];
  });
}

function build(
  passphrase: string,
  order: ChannelOrder,
  operationsOf: (channel: string) => xdr.Operation[],
): UnsignedTransaction {
  const { channels, max_time } = order;
  assert(channels.length >= 1);
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
