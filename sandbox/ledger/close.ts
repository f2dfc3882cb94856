import { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from './account.ts';
import type { AppliedTransaction, FeeCharge } from './apply.ts';
import { applyTransaction, chargeFee, highestSequences } from './apply.ts';
import { sha256 } from './bytes.ts';
import type { Refund } from './contract/refund.ts';
import { giveBack } from './contract/refund.ts';
import type { AssetContracts } from './events.ts';
import { feeEvents } from './events.ts';
import type { EntryChange, LedgerView } from './ledger-txn.ts';
import { LedgerTxn, toXdrChanges } from './ledger-txn.ts';
import { changesXdr, metaXdr } from './meta-xdr.ts';
import { encodeResult, isSuccess } from './result.ts';
import type { ValueSigner } from './stellar-value.ts';
import { stellarValue } from './stellar-value.ts';
import type { Transaction } from './transaction.ts';
import { setMember, transactionSetXdr } from './transaction-set.ts';
import { upgraded } from './upgrades.ts';
import { uint32 } from './wire.ts';

export type ClosedTransaction = {
  tx: Transaction;
  /** Place in the ledger, from 1 as in RPC and TOIDs. */
  applicationOrder: number;
  successful: boolean;
  feeCharged: bigint;
  resultXdr: Uint8Array;
  /** LedgerEntryChanges of taking the fee. */
  feeChangesXdr: Uint8Array;
  /** LedgerEntryChanges of the fee refund, after all transactions. */
  refundChangesXdr: Uint8Array;
  meta: xdr.TransactionMetaWire;
  metaXdr: Uint8Array;
};

export type ClosedLedger = {
  header: Header;
  headerXdr: Uint8Array;
  hash: Buffer;
  transactions: ClosedTransaction[];
  /**
   * The most that the transaction set charges for each operation, in stroops: above that of the header under surge
   * pricing.
   */
  baseFee: bigint;
  /** Every entry that the ledger wrote, in its final version. */
  changes: EntryChange[];
};

/** The ledger before, on which the next one is closed. */
export type Previous = { header: Header; hash: Uint8Array };

export type CloseContext = {
  /** Unix milliseconds, above the previous ledger's. Protocols below 30 keep the whole seconds. */
  closeTimeMs: bigint;
  sign: ValueSigner;
  /** Encoded LedgerUpgrades, which take effect after the transactions. */
  upgrades?: Uint8Array[];
  /** Hash of the transaction set that the network dropped (CAP-83). The ledger then has no transactions. */
  droppedSet?: Uint8Array | null;
  contracts: AssetContracts;
  /** Bytes that contracts keep in the ledger, for the rent; by default the least rent. */
  stateBytes?: bigint;
  /** Base fee of the transaction set, in stroops; by default that of the previous header. */
  baseFee?: bigint;
  /** Operations that fit into the ledger after this one; by default as many as into this one. */
  maxOperations?: number;
  /**
   * Whether meta has the events of classic operations, as with EMIT_CLASSIC_EVENTS of stellar-core; true by
   * default.
   */
  classicEvents?: boolean;
};

/**
 * The next ledger: a pure function of the state before, the transactions in their order of application, and the
 * context.
 */
export function closeLedger(
  state: LedgerView,
  previous: Previous,
  transactions: Transaction[],
  context: CloseContext,
): ClosedLedger {
  const { contracts, baseFee = BigInt(previous.header.baseFee), classicEvents = true } = context;
  const header = nextHeader(previous, transactions, { ...context, baseFee });
  const ledger = new LedgerTxn(state, header.ledgerSeq);
  const fees = transactions.map((tx) => chargeFee(ledger, header, tx, baseFee));
  const { stateBytes } = context;
  const applyContext = { contracts, stateBytes, baseFee, highestSequences: highestSequences(transactions) };
  const applied = transactions.map((tx, index) => {
    const fee = fees[index] as FeeCharge;
    return { tx, fee, ...applyTransaction(ledger, header, tx, fee, applyContext) };
  });
  const closed = applied.map(({ refund, ...rest }, index) =>
    withFinalResult({ ...rest, ...giveBack(ledger, header, rest.tx, refund) }, index, {
      contracts,
      classicEvents,
    }),
  );

  const changes = ledger.changes();
  header.idPool += ledger.idsTaken;
  header.feePool += closed.reduce((sum, { feeCharged }) => sum + feeCharged, 0n);
  header.txSetResultHash = resultSetHash(closed);
  header.bucketListHash = stateDigest(previous.header.bucketListHash, changes);
  Object.assign(header, upgraded(header, header.scpValue.upgrades));
  const headerXdr = encodeHeader(header);
  return { header, headerXdr, hash: sha256(headerXdr), transactions: closed, baseFee, changes };
}

type Applied = Omit<AppliedTransaction, 'refund'> & Refund & { tx: Transaction; fee: FeeCharge };

/** The final result and meta, when the refund is known. */
function withFinalResult(
  { tx, fee, result, meta: before, refunded, changes }: Applied,
  index: number,
  { contracts, classicEvents }: { contracts: AssetContracts; classicEvents: boolean },
): ClosedTransaction {
  const feeCharged = result.feeCharged - refunded;
  const given = feeEvents(contracts, tx.feeSource, -refunded, 'after_all');
  const full = { ...before, events: [...before.events, ...given] };
  const v4 = classicEvents ? full : withoutClassicEvents(tx, full);
  return {
    tx,
    applicationOrder: index + 1,
    successful: isSuccess(result),
    feeCharged,
    resultXdr: encodeResult({ ...result, feeCharged }),
    feeChangesXdr: changesXdr(fee.changes),
    refundChangesXdr: changesXdr(changes),
    meta: { v: 4, v4 },
    metaXdr: metaXdr(v4),
  };
}

export function encodeHeader(header: Header): Uint8Array {
  return xdr.LedgerHeader.schema.encode(header);
}

function nextHeader(
  previous: Previous,
  transactions: Transaction[],
  { baseFee, droppedSet = null, upgrades = [], ...context }: CloseContext & { baseFee: bigint },
): Header {
  const txSetHash =
    droppedSet ?? sha256(transactionSetXdr(previous.hash, baseFee, transactions.map(setMember)));
  const agreed = { txSetHash, closeTimeMs: context.closeTimeMs, upgrades, dropped: droppedSet !== null };
  return {
    ...previous.header,
    previousLedgerHash: previous.hash,
    scpValue: stellarValue(previous, agreed, context.sign),
    ledgerSeq: previous.header.ledgerSeq + 1,
    maxTxSetSize: context.maxOperations ?? previous.header.maxTxSetSize,
  };
}

const INVOKE_HOST_FUNCTION = 24;

/** Events of contracts are always in meta. Those of classic operations and of fees are an option of the node. */
function withoutClassicEvents(
  { tx }: Transaction,
  meta: xdr.TransactionMetaV4Wire,
): xdr.TransactionMetaV4Wire {
  const operations = meta.operations.map((operation, index) => {
    const byContract = tx.operations[index]?.body.type === INVOKE_HOST_FUNCTION;
    return byContract ? operation : { ...operation, events: [] };
  });
  return { ...meta, operations, events: [] };
}

function resultSetHash(transactions: ClosedTransaction[]): Buffer {
  return sha256(
    uint32(transactions.length),
    ...transactions.flatMap(({ tx, resultXdr }) => [tx.hash, resultXdr]),
  );
}

/**
 * Replaces the hash of stellar-core's bucket list: a chain of digests over every entry ever written. Two ledgers
 * with the same digest have the same state.
 */
function stateDigest(before: Uint8Array, changes: EntryChange[]): Buffer {
  return sha256(before, changesXdr(toXdrChanges(changes)));
}
