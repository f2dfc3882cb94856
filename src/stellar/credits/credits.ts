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

export type CreditKind =
  | 'payment'
  | 'create_account'
  | 'path_payment_strict_send'
  | 'path_payment_strict_receive'
  | 'account_merge'
  /** Of the Stellar Asset Contract, from an account or a contract. */
  | 'contract_transfer'
  | 'contract_mint';

/**
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

/**
 * Why what was moved is no credit; null when it is one. An account has no balance of an asset that it issues: what it is
 * paid of it ceases to be (stellar-core, TrustLineWrapper::IssuerImpl). A Stellar Asset Contract moves 0 as it moves any
 * amount, and since CAP-33 an account can be created with 0 and merged with 0.
 */
export function reasonForNone(movement: Movement): 'zero_amount' | 'burned' | null {
  if (movement.asset_issuer === movement.account) return 'burned';
  return movement.amount_stroops > 0n ? null : 'zero_amount';
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
