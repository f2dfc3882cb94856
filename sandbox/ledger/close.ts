import { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from './account.ts';
import type { FeeCharge } from './apply.ts';
import { applyTransaction, chargeFee } from './apply.ts';
import { sha256 } from './bytes.ts';
import type { AssetContracts } from './events.ts';
import type { EntryChange, LedgerView } from './ledger-txn.ts';
import { LedgerTxn, toXdrChanges } from './ledger-txn.ts';
import { encodeResult, isSuccess } from './result.ts';
import type { Transaction } from './transaction.ts';
import { transactionSetXdr } from './transaction-set.ts';
import { uint32 } from './wire.ts';

export type ClosedTransaction = {
  tx: Transaction;
  /** From 1, as RPC and TOIDs count. */
  applicationOrder: number;
  successful: boolean;
  feeCharged: bigint;
  resultXdr: Uint8Array;
  /** LedgerEntryChanges of taking the fee. */
  feeChangesXdr: Uint8Array;
  meta: xdr.TransactionMetaWire;
  metaXdr: Uint8Array;
};

export type ClosedLedger = {
  header: Header;
  headerXdr: Uint8Array;
  hash: Buffer;
  transactions: ClosedTransaction[];
  /** Every entry that the ledger wrote, with its final state. */
  changes: EntryChange[];
};

/** What a ledger is closed on. */
export type Previous = { header: Header; hash: Uint8Array };

/**
 * The next ledger: a pure function of the state before, the transactions in their order of application, and the
 * close time (unix seconds, above the previous one's).
 */
export function closeLedger(
  state: LedgerView,
  previous: Previous,
  transactions: Transaction[],
  { closeTime, contracts }: { closeTime: bigint; contracts: AssetContracts },
): ClosedLedger {
  const header = nextHeader(previous, transactions, closeTime);
  const ledger = new LedgerTxn(state, header.ledgerSeq);
  const fees = transactions.map((tx) => chargeFee(ledger, header, tx));
  const closed = transactions.map((tx, index) => {
    const fee = fees[index] as FeeCharge;
    const { result, meta } = applyTransaction(ledger, header, tx, fee, contracts);
    return {
      tx,
      applicationOrder: index + 1,
      successful: isSuccess(result),
      feeCharged: result.feeCharged,
      resultXdr: encodeResult(result),
      feeChangesXdr: encodeChanges(fee.changes),
      meta,
      metaXdr: xdr.TransactionMeta.schema.encode(meta),
    };
  });

  const changes = ledger.changes();
  header.feePool += fees.reduce((sum, fee) => sum + fee.charged, 0n);
  header.txSetResultHash = resultSetHash(closed);
  header.bucketListHash = stateDigest(previous.header.bucketListHash, changes);
  const headerXdr = encodeHeader(header);
  return { header, headerXdr, hash: sha256(headerXdr), transactions: closed, changes };
}

export function encodeHeader(header: Header): Uint8Array {
  return xdr.LedgerHeader.schema.encode(header);
}

function nextHeader(previous: Previous, transactions: Transaction[], closeTime: bigint): Header {
  const txSetHash = sha256(
    transactionSetXdr(
      previous.hash,
      previous.header.baseFee,
      transactions.map((tx) => tx.envelopeXdr),
    ),
  );
  return {
    ...previous.header,
    previousLedgerHash: previous.hash,
    scpValue: { txSetHash, closeTime, upgrades: [], ext: { v: 0 } },
    ledgerSeq: previous.header.ledgerSeq + 1,
  };
}

function resultSetHash(transactions: ClosedTransaction[]): Buffer {
  return sha256(
    uint32(transactions.length),
    ...transactions.flatMap(({ tx, resultXdr }) => [tx.hash, resultXdr]),
  );
}

/**
 * Stands where stellar-core has the hash of its bucket list: a chain over every entry ever written, so that two
 * ledgers with the same digest have the same state.
 */
function stateDigest(before: Uint8Array, changes: EntryChange[]): Buffer {
  return sha256(before, encodeChanges(toXdrChanges(changes)));
}

function encodeChanges(changes: xdr.LedgerEntryChangeWire[]): Uint8Array {
  return Buffer.concat([
    uint32(changes.length),
    ...changes.map((change) => xdr.LedgerEntryChange.schema.encode(change)),
  ]);
}
