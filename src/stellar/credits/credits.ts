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
import type { xdr } from '../protocol/sdk.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { type DecodedTransaction, decodedTransaction } from '../transactions/applied.ts';
import { movementOf } from './classic-movement.ts';
import { accountTransfers, provenEvents } from './contract-events.ts';
import type { Credit, Memo, Movement } from './credit.ts';

/**
 * Returns every credit of a transaction, one per paying operation or event. A failed transaction has none. Memo and operations of
 * a fee-bump are those of its inner transaction.
 * @throws MetaMissing when the events are needed and the meta is missing; Error when the transaction does not decode or
 * contradicts itself. Then its credits are unknown: never treat it as a transaction without credits.
 */
export function creditsOf(passphrase: string, transaction: LedgerTransaction): Credit[] {
  return creditsIn(passphrase, openTransaction(passphrase, transaction));
}

/** Returns the credits of an open transaction. @throws like `creditsOf` */
export function creditsIn(passphrase: string, transaction: OpenTransaction): Credit[] {
  if (!transaction.outcome.successful) return [];
  const memo = memoOf(transaction.inner.memo);
  return transaction.inner.operations.flatMap((_, operation_index) =>
    movementsOf(passphrase, transaction, operation_index)
      .filter((movement) => whyNoCredit(movement) === null)
      .map((movement) => ({ ...movement, memo, operation_index })),
  );
}

/** @throws Error when the transaction does not decode, contradicts itself, or has another hash than stated. */
export function openTransaction(passphrase: string, transaction: LedgerTransaction): OpenTransaction {
  const decoded = decodedTransaction(passphrase, transaction);
  if (decoded.hash !== transaction.hash)
    throw new Error(`the envelope of ${decoded.hash} under ${transaction.hash}`);
  const proven = new Map<number, xdr.ContractEvent[]>();
  const eventsOf = (operation_index: number): xdr.ContractEvent[] => {
    const { operation_results } = decoded;
    const events =
      proven.get(operation_index) ??
      provenEvents(operation_results[operation_index], transaction.meta, operation_index);
    proven.set(operation_index, events);
    return events;
  };
  return { ...decoded, eventsOf };
}

/** `eventsOf`: the proven events of a contract call, decoded once. @throws like `provenEvents` */
export type OpenTransaction = DecodedTransaction & {
  eventsOf(operation_index: number): xdr.ContractEvent[];
};

/** Returns the movements of one operation of a successful transaction. @throws like `creditsOf` */
export function movementsOf(
  passphrase: string,
  { inner, operation_results, eventsOf }: OpenTransaction,
  operation_index: number,
): Movement[] {
  const operation = inner.operations[operation_index];
  const result = operation_results[operation_index];
  assert(operation && result?.type === 'opInner');
  if (result.tr.type === 'invokeHostFunction') return accountTransfers(passphrase, eventsOf(operation_index));
  const movement = movementOf(operation, result.tr, inner.sourceAccount);
  return movement ? [movement] : [];
}

/**
 * Says why a movement is no credit; null for a credit. A payment to the asset's issuer burns the amount (stellar-core
 * TrustLineWrapper::IssuerImpl). A Stellar Asset Contract can move 0. Since CAP-33 an account can be created or merged
 * with 0.
 */
export function whyNoCredit(movement: Movement): 'zero_amount' | 'burned' | null {
  if (movement.asset_issuer === movement.account) return 'burned';
  return movement.amount_stroops > 0n ? null : 'zero_amount';
}

/** Reads the memo of a transaction. */
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
