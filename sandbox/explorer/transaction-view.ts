import type { xdr } from '@stellar/stellar-sdk/base';
import { base64, hex } from '../ledger/bytes.ts';
import type { Transaction } from '../ledger/transaction.ts';
import { timeBoundsOf } from '../ledger/transaction.ts';
import type { StellarNode } from '../node.ts';
import type { StoredTransaction } from '../store/ledger-store.ts';
import { timeText } from '../time-text.ts';
import { operationSentence } from './operation-sentences.ts';
import { explainResult } from './result-explanations.ts';
import { addressOf, publicKeyAddress, units, visible } from './sentence-parts.ts';

export function parsed(node: StellarNode, row: StoredTransaction): Transaction {
  return node.parse(row.envelope);
}

/** One row of a list: the first operation, and how many more there are. */
export function transactionLine(node: StellarNode, row: StoredTransaction) {
  const { tx } = parsed(node, row);
  const [first] = tx.operations;
  return {
    ...where(row),
    successful: row.successful === 1,
    words: first === undefined ? [] : operationSentence(first, tx.sourceAccount),
    more_operations: tx.operations.length - 1,
    memo: memoView(tx.memo),
  };
}

export function transactionView(node: StellarNode, row: StoredTransaction) {
  const transaction = parsed(node, row);
  const { tx, inner } = transaction;
  const explained = explainResult(row.result);
  const bounds = timeBoundsOf(tx);
  return {
    ...where(row),
    inner_hash: inner === null ? null : hex(inner.hash),
    successful: row.successful === 1,
    result: explained.transaction,
    source_account: addressOf(tx.sourceAccount),
    fee_account: publicKeyAddress({ ed25519: transaction.feeSource }),
    fee_charged: units(row.fee_charged),
    max_fee: units(transaction.feeBid),
    sequence: tx.seqNum.toString(),
    memo: memoView(tx.memo),
    valid_from: bounds === null || bounds.minTime === 0n ? null : boundText(bounds.minTime),
    valid_until: bounds === null || bounds.maxTime === 0n ? null : boundText(bounds.maxTime),
    signature_count: transaction.signatures.length + (inner?.signatures.length ?? 0),
    operations: tx.operations.map((operation, index) => ({
      words: operationSentence(operation, tx.sourceAccount),
      result: explained.operations[index] ?? null,
    })),
    xdr: { envelope: base64(row.envelope), result: base64(row.result), meta: base64(row.meta) },
  };
}

function where(row: StoredTransaction) {
  return {
    hash: hex(row.hash),
    ledger: row.ledger,
    closed_at: timeText(row.close_time),
    cursor: `${row.ledger}-${row.application_order}`,
  };
}

/** The page shows `value`. `bytes` holds the real bytes when the text is not UTF-8. */
function memoView(memo: xdr.MemoWire) {
  if (memo.type === 0) return null;
  if (memo.type === 1)
    return { type: 'text', value: visible(memo.text.toString()), bytes: hex(memo.text.bytes) };
  if (memo.type === 2) return { type: 'id', value: memo.id.toString() };
  if (memo.type === 3) return { type: 'hash', value: hex(memo.hash) };
  return { type: 'return', value: hex(memo.retHash) };
}

/** A bound that a Date cannot hold stays a number. */
function boundText(epoch_s: bigint): string {
  return Number.isNaN(new Date(Number(epoch_s) * 1000).getTime()) ? `${epoch_s}` : timeText(epoch_s);
}
