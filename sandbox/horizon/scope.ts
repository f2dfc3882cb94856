import { hex } from '../ledger/bytes.ts';
import type { StellarNode } from '../node.ts';
import type { Place } from '../store/history-query.ts';
import type { StoredTransaction } from '../store/ledger-store.ts';
import type { PageQuery } from './params.ts';
import { accountParam, hashParam, ledgerParam, operationParam } from './params.ts';
import { notFound } from './problem.ts';
import type { HorizonRequest } from './request.ts';
import { operationOf, placeOf } from './toid.ts';

/** The part of history that a collection shows. */
export type Scope =
  | { kind: 'all' }
  | { kind: 'ledger'; sequence: number }
  | { kind: 'account'; ed25519: Uint8Array }
  | { kind: 'transaction'; row: StoredTransaction; operation?: number };

/** @throws Problem 400, or 404 when the node does not know the account, ledger or transaction */
export type ScopeOf = (request: HorizonRequest) => Scope;

export const everything: ScopeOf = () => ({ kind: 'all' });

/** An account without a known transaction has no history, whether it is funded or not. */
export const ofAccount: ScopeOf = (request) => {
  const ed25519 = accountParam(request);
  if (!request.node.hasTransactionsOf(ed25519)) throw notFound();
  return { kind: 'account', ed25519 };
};

export const ofLedger: ScopeOf = (request) => {
  const sequence = ledgerParam(request);
  if (request.node.ledger(sequence) === undefined) throw notFound();
  return { kind: 'ledger', sequence };
};

/** By the hash of the transaction, or by that of the inner transaction of a fee-bump. */
export const ofTransaction: ScopeOf = (request) => {
  const row = request.node.transaction(Buffer.from(hashParam(request), 'hex'));
  if (row === undefined) throw notFound();
  return { kind: 'transaction', row };
};

export const ofOperation: ScopeOf = (request) => {
  const id = operationParam(request);
  const row = transactionAt(request.node, placeOf(id));
  if (row === undefined) throw notFound();
  return { kind: 'transaction', row, operation: operationOf(id) };
};

export function transactionAt(node: StellarNode, place: Place): StoredTransaction | undefined {
  const query = { from: place, order: 'asc', limit: 1, include_failed: true, account: null } as const;
  const [row] = node.transactions(query, place.ledger);
  return row?.application_order === place.application_order ? row : undefined;
}

type WalkOptions = {
  include_failed: boolean;
  /** The transactions that an account takes part in, or also those that only change an entry it owns. */
  participants_only: boolean;
};

/**
 * The transactions of the scope from the cursor of the page on, the one of the cursor included. Reads a page at a
 * time.
 */
export function* walk(
  node: StellarNode,
  scope: Scope,
  page: PageQuery,
  { include_failed, participants_only }: WalkOptions,
): Generator<StoredTransaction> {
  if (scope.kind === 'transaction') {
    if (include_failed || scope.row.successful === 1) yield scope.row;
    return;
  }
  const account = scope.kind === 'account' ? { ed25519: scope.ed25519, participants_only } : null;
  const ledger = scope.kind === 'ledger' ? scope.sequence : null;
  const step = page.order === 'asc' ? 1 : -1;
  const limit = page.limit + 1;
  let from = placeOf(page.id);
  for (;;) {
    const rows = node.transactions({ from, order: page.order, limit, include_failed, account }, ledger);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    from = { ledger: last.ledger, application_order: last.application_order + step };
  }
}

export function isAbout(scope: Scope, accounts: Uint8Array[]): boolean {
  return scope.kind !== 'account' || accounts.some((account) => hex(account) === hex(scope.ed25519));
}
