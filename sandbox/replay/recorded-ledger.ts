import type { xdr } from '@stellar/stellar-sdk/base';

type Changes = xdr.LedgerEntryChangeWire[];

/** A ledger as stellar-core streams it, whatever the form of its LedgerCloseMeta. */
export type RecordedLedger = {
  header: xdr.LedgerHeaderWire;
  set: RecordedMember[];
  /** In the order of application. */
  processed: RecordedTransaction[];
  upgrades: { changes: Changes }[];
};

/**
 * A transaction of the set. `baseFee`: what its part of the set pays for an operation, in stroops; null: each of them pays
 * what it bids. Absent before protocol 20: it follows from the whole set then.
 */
export type RecordedMember = { envelope: xdr.TransactionEnvelopeWire; baseFee?: bigint | null };

export type RecordedTransaction = {
  result: xdr.TransactionResultPairWire;
  feeProcessing: Changes;
  meta: xdr.TransactionMetaWire;
  /** Refunds of contract transactions, after all transactions. */
  afterAll: Changes;
};

/** v0: until protocol 19; v1: generalized transaction sets; v2: since protocol 23. */
export function recordedLedger(meta: xdr.LedgerCloseMetaWire): RecordedLedger {
  if (meta.v === 0) {
    const { ledgerHeader, txSet, txProcessing, upgradesProcessing } = meta.v0;
    return {
      header: ledgerHeader.header,
      set: txSet.txs.map((envelope) => ({ envelope })),
      processed: txProcessing.map(recordedTransaction),
      upgrades: upgradesProcessing,
    };
  }
  const { ledgerHeader, txSet, txProcessing, upgradesProcessing } = meta.v === 1 ? meta.v1 : meta.v2;
  return {
    header: ledgerHeader.header,
    set: txSet.v1TxSet.phases.flatMap(membersOf),
    processed: txProcessing.map(recordedTransaction),
    upgrades: upgradesProcessing,
  };
}

function recordedTransaction(
  processed: xdr.TransactionResultMetaWire | xdr.TransactionResultMetaV1Wire,
): RecordedTransaction {
  const { result, feeProcessing, txApplyProcessing: meta } = processed;
  const afterAll = 'postTxApplyFeeProcessing' in processed ? processed.postTxApplyFeeProcessing : [];
  return { result, feeProcessing, meta, afterAll };
}

function membersOf(phase: xdr.TransactionPhaseWire): RecordedMember[] {
  if (phase.v === 1) {
    const { baseFee, executionStages } = phase.parallelTxsComponent;
    return executionStages.flat(2).map((envelope) => ({ envelope, baseFee }));
  }
  return phase.v0Components.flatMap(({ txsMaybeDiscountedFee: { baseFee, txs } }) =>
    txs.map((envelope) => ({ envelope, baseFee })),
  );
}
