/**
 * Pure: what a transaction pays to whom. These are all the ways in which an account gets something without its own
 * signature; what it claims, trades or takes out of a pool, it signs for itself.
 *
 * | way in                                 | the amount is in                 | and is true because             |
 * |----------------------------------------|----------------------------------|---------------------------------|
 * | payment, create_account,               | the operation                    | the result is success, which    |
 * | path_payment_strict_receive            |                                  | moves exactly that              |
 * | path_payment_strict_send, account_merge| the operation's result           | it is the result                |
 * | transfer and mint of a Stellar Asset   | an event of invoke_host_function | the result is the hash of all   |
 * | Contract                               |                                  | events                          |
 *
 * The ledger's header covers the results, so that every credit is proven by it. Events of classic operations are in no
 * hash, and nothing is believed of them.
 */
import { strict as assert } from 'node:assert';
import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerTransaction } from '../stellar.ts';
import { type DecodedTransaction, decodedTransaction } from '../transactions/applied.ts';
import { movementOf } from './classic-movement.ts';
import { accountTransfers, provenEvents } from './contract-events.ts';
import { type Movement, reasonForNone } from './movement.ts';

/**
 * `value`: digits of an id, a text, or base64 of a hash and of a return hash. A text that is no UTF-8, or has a zero
 * byte, which no column of PostgreSQL can hold, is `base64:` and its bytes: never to be taken for a text of digits.
 */
export type Memo = { type: 'none'; value: null } | { type: 'id' | 'text' | 'hash' | 'return'; value: string };
export type MemoType = Memo['type'];

/** A movement that counts, with what its transaction says. */
export type Credit = Movement & {
  /** Of the transaction, whatever was muxed. */
  memo: Memo;
  operation_index: number;
};

/**
 * Every credit of a transaction, one for each paying operation or event. A failed transaction moves nothing.
 * Memo and operations of a fee-bump are those of its inner transaction.
 * @throws MetaMissing when events are needed and this source has none; Error when the transaction does not decode, or
 * contradicts itself: then nothing is known, and it must not count as one without credits.
 */
export function creditsOf(passphrase: string, transaction: LedgerTransaction): Credit[] {
  const decoded = openTransaction(passphrase, transaction);
  if (!decoded.outcome.successful) return [];
  const memo = memoOf(decoded.inner.memo);
  return decoded.inner.operations.flatMap((_, operation_index) =>
    movementsOf(passphrase, decoded, transaction.meta, operation_index)
      .filter((movement) => reasonForNone(movement) === null)
      .map((movement) => ({ ...movement, memo, operation_index })),
  );
}

/** @throws Error when it does not decode, contradicts itself, or is another than its hash says. */
export function openTransaction(passphrase: string, transaction: LedgerTransaction): DecodedTransaction {
  const decoded = decodedTransaction(passphrase, transaction);
  if (decoded.hash !== transaction.hash)
    throw new Error(`the envelope of ${decoded.hash} under ${transaction.hash}`);
  return decoded;
}

/** What an operation of a successful transaction moves to accounts. @throws like `creditsOf` */
export function movementsOf(
  passphrase: string,
  { inner, operation_results }: DecodedTransaction,
  meta: Buffer | null,
  operation_index: number,
): Movement[] {
  const operation = inner.operations[operation_index];
  const result = operation_results[operation_index];
  assert(operation && result?.type === 'opInner');
  if (result.tr.type === 'invokeHostFunction')
    return accountTransfers(passphrase, provenEvents(result, meta, operation_index));
  const movement = movementOf(operation, result.tr, inner.sourceAccount);
  return movement ? [movement] : [];
}

export function memoOf(memo: xdr.Memo): Memo {
  switch (memo.type) {
    case 'memoNone':
      return { type: 'none', value: null };
    case 'memoId':
      return { type: 'id', value: memo.id.toString() };
    case 'memoText':
      return { type: 'text', value: textOf(memo.text) };
    case 'memoHash':
      return { type: 'hash', value: base64(memo.hash.value) };
    case 'memoReturn':
      return { type: 'return', value: base64(memo.retHash.value) };
  }
}

function textOf(text: xdr.XdrString): string {
  const read = text.asStringOrBytes();
  return typeof read === 'string' && !read.includes('\0') ? read : `base64:${base64(text.bytes)}`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
