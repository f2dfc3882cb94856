import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { xdr } from '@stellar/stellar-sdk/base';
import type { ClosedLedger, ClosedTransaction } from '../ledger/close.ts';
import { entryXdr } from '../ledger/encoded.ts';
import type { EntryChange } from '../ledger/ledger-txn.ts';
import { AccountIndex } from './account-index.ts';
import { eventsOf } from './event-texts.ts';

const INSERT_LEDGER = 'INSERT INTO ledgers VALUES (:sequence, :hash, :close_time, :header, :base_fee)';
const INSERT_TRANSACTION = `
  INSERT INTO transactions VALUES (:ledger, :application_order, :hash, :inner_hash, :successful, :fee_charged,
    :max_fee, :operation_count, :envelope, :result, :fee_changes, :meta, :resource_fee_charged,
    :refund_changes, :events)`;
const PUT_ENTRY =
  'INSERT INTO entries (key, entry) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET entry = excluded.entry';

/** Writes the rows of a ledger. Call within the SQLite transaction of the ledger. */
export class LedgerWriter {
  readonly #insertLedger: StatementSync;
  readonly #insertTransaction: StatementSync;
  readonly #putEntry: StatementSync;
  readonly #deleteEntry: StatementSync;
  readonly #forgetLedgers: StatementSync;
  readonly #forgetTransactions: StatementSync;
  readonly #accountIndex: AccountIndex;

  constructor(db: DatabaseSync) {
    this.#insertLedger = db.prepare(INSERT_LEDGER);
    this.#insertTransaction = db.prepare(INSERT_TRANSACTION);
    this.#putEntry = db.prepare(PUT_ENTRY);
    this.#deleteEntry = db.prepare('DELETE FROM entries WHERE key = ?');
    this.#forgetLedgers = db.prepare('DELETE FROM ledgers WHERE sequence < ?');
    this.#forgetTransactions = db.prepare('DELETE FROM transactions WHERE ledger < ?');
    this.#accountIndex = new AccountIndex(db);
  }

  write({ header, headerXdr, hash, baseFee, transactions, changes }: ClosedLedger): void {
    this.#insertLedger.run({
      sequence: header.ledgerSeq,
      hash,
      close_time: header.scpValue.closeTime,
      header: headerXdr,
      base_fee: baseFee,
    });
    for (const transaction of transactions) this.#writeTransaction(header.ledgerSeq, transaction);
    for (const change of changes) this.#writeEntry(change);
  }

  /** Deletes history only; does not touch the state. */
  forgetBefore(oldestKept: number): void {
    this.#forgetLedgers.run(oldestKept);
    this.#forgetTransactions.run(oldestKept);
    this.#accountIndex.forgetBefore(oldestKept);
  }

  #writeTransaction(ledger: number, closed: ClosedTransaction): void {
    const { tx } = closed;
    this.#insertTransaction.run({
      ledger,
      application_order: closed.applicationOrder,
      hash: tx.hash,
      inner_hash: tx.inner?.hash ?? null,
      successful: closed.successful ? 1 : 0,
      fee_charged: closed.feeCharged,
      max_fee: tx.feeBid,
      operation_count: tx.operationCount,
      envelope: tx.envelopeXdr,
      result: closed.resultXdr,
      fee_changes: closed.feeChangesXdr,
      meta: closed.metaXdr,
      resource_fee_charged: resourceFeeCharged(closed.meta),
      refund_changes: closed.refundChangesXdr,
      events: JSON.stringify(eventsOf(closed.meta)),
    });
    this.#accountIndex.add(ledger, closed);
  }

  #writeEntry({ key, after }: EntryChange): void {
    const keyXdr = Buffer.from(key, 'base64');
    if (after === undefined) this.#deleteEntry.run(keyXdr);
    else this.#putEntry.run(keyXdr, entryXdr(after));
  }
}

function resourceFeeCharged(meta: xdr.TransactionMetaWire): bigint | null {
  const ext = meta.v === 4 ? meta.v4.sorobanMeta?.ext : undefined;
  if (ext?.v !== 1) return null;
  const { totalNonRefundableResourceFeeCharged, totalRefundableResourceFeeCharged } = ext.v1;
  return totalNonRefundableResourceFeeCharged + totalRefundableResourceFeeCharged;
}
