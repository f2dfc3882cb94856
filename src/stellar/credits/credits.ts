/**
 * Pure: the credits of a transaction. This table has every way in which an account receives an asset without its own
 * signature. An account signs itself for what it claims, trades or takes out of a pool.
 *
 * | credit by                              | the amount is in                 | the amount is proven, because   |
 * |----------------------------------------|----------------------------------|---------------------------------|
 * | payment, create_account,               | the operation                    | the result is success: exactly  |
 * | path_payment_strict_receive            |                                  | this amount was moved           |
 * | path_payment_strict_send, account_merge| the operation's result           | it is in the result             |
 * | transfer and mint of a Stellar Asset   | an event of invoke_host_function | the result is a hash over all   |
 * | Contract                               |                                  | events                          |
 *
 * The header of the ledger covers the results, so it proves every credit. No hash covers the events of classic
 * operations: they are ignored.
 */
import { strict as assert } from 'node:assert';
import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerTransaction } from '../stellar.ts';
import { type DecodedTransaction, decodedTransaction } from '../transactions/applied.ts';
import { movementOf } from './classic-movement.ts';
import { accountTransfers, provenEvents } from './contract-events.ts';
import type { Credit, Memo, Movement } from './credit.ts';

/**
<<<<<<< HEAD
 * Every credit of a transaction, one per paying operation or event. A failed transaction has none. Memo and operations of
 * a fee-bump are those of its inner transaction.
 * @throws MetaMissing when the events are needed and the meta is missing; Error when the transaction does not decode or
 * contradicts itself. Then its credits are unknown: never treat it as a transaction without credits.
=======
 * `value`: digits of an id, a text, or base64 of a hash and of a return hash. A text that is no UTF-8, or has a zero
 * byte, which no column of PostgreSQL can hold, is `base64:` and its bytes: never to be taken for a text of digits.
 */
export type Memo = { type: 'none'; value: null } | { type: 'id' | 'text' | 'hash' | 'return'; value: string };

export type Credit = {
  account: string;
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  kind: CreditKind;
  /** Of the destination that was paid, when it was M…. */
  muxed_id: bigint | null;
  /** What the transaction says, whatever was muxed. */
  memo: Memo;
  /**
   * Who paid: the operation's source as G…, muxed or not, else the inner transaction's, never a fee source; of a
   * contract's transfer its `from` (G… or C…), of a mint the issuer.
   */
  source_account: string;
  /** M… of the same, where that is what paid. Events name no muxed sender (CAP-67 has to_muxed_id alone). */
  source_account_muxed: string | null;
  operation_index: number;
  event_index: number;
};

/** What one operation or event moves to an account. It is a credit unless there is a `reasonForNone`. */
export type Movement = Omit<Credit, 'memo' | 'operation_index'>;

/**
 * Every credit of a transaction, one for each paying operation or event. A failed transaction moves nothing.
 * Memo and operations of a fee-bump are those of its inner transaction.
 * @throws MetaMissing when events are needed and this source has none; Error when the transaction does not decode, or
 * contradicts itself: then nothing is known, and it must not count as one without credits.
>>>>>>> h-db
 */
export function creditsOf(passphrase: string, transaction: LedgerTransaction): Credit[] {
  const decoded = openTransaction(passphrase, transaction);
  if (!decoded.outcome.successful) return [];
  const memo = memoOf(decoded.inner.memo);
  return decoded.inner.operations.flatMap((_, operation_index) =>
    movementsOf(passphrase, decoded, transaction.meta, operation_index)
      .filter((movement) => whyNoCredit(movement) === null)
      .map((movement) => ({ ...movement, memo, operation_index })),
  );
}

/** @throws Error when the transaction does not decode, contradicts itself, or has another hash than stated. */
export function openTransaction(passphrase: string, transaction: LedgerTransaction): DecodedTransaction {
  const decoded = decodedTransaction(passphrase, transaction);
  if (decoded.hash !== transaction.hash)
    throw new Error(`the envelope of ${decoded.hash} under ${transaction.hash}`);
  return decoded;
}

/** The movements of one operation of a successful transaction. @throws like `creditsOf` */
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

/**
 * Why a movement is no credit; null for a credit. A payment to the asset's issuer burns the amount (stellar-core
 * TrustLineWrapper::IssuerImpl). A Stellar Asset Contract can move 0. Since CAP-33 an account can be created or merged
 * with 0.
 */
export function whyNoCredit(movement: Movement): 'zero_amount' | 'burned' | null {
  if (movement.asset_issuer === movement.account) return 'burned';
  return movement.amount_stroops > 0n ? null : 'zero_amount';
}

/** The memo of a transaction. */
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
