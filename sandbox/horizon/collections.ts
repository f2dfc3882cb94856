import type { StellarNode } from '../node.ts';
import { operationParticipants } from '../store/participants.ts';
import { accountAddress } from './addresses.ts';
import type { AppliedOperation } from './applied-operation.ts';
import type { AppliedTransaction } from './applied-transaction.ts';
import { appliedOperations, appliedTransaction } from './applied-transaction.ts';
import type { Collection, HorizonRecord } from './collection.ts';
import { inOrder, isBeyond, isEffectBeyond } from './collection.ts';
import { ledgerRecord } from './ledger-record.ts';
import { effectRecords, isPayment, operationId, operationRecord } from './operation-record.ts';
import type { PageQuery } from './params.ts';
import { includesFailed, joinsTransactions } from './params.ts';
import type { Scope, ScopeOf } from './scope.ts';
import { isAbout, walk } from './scope.ts';
import { placeOf, toid } from './toid.ts';
import { transactionRecord } from './transaction-record.ts';

export const ledgers: Collection =
  ({ node, links }) =>
  (page) =>
    node
      .ledgers(placeOf(page.id).ledger, page.order, page.limit + 1)
      .filter(({ sequence }) => isBeyond(page, toid(sequence)))
      .slice(0, page.limit)
      .map((ledger) => ledgerRecord(ledger, node.counts(ledger), links));

export const transactions =
  (scopeOf: ScopeOf): Collection =>
  (request) => {
    const { node, links } = request;
    const include_failed = includesFailed(request);
    const scope = scopeOf(request);
    return (page) =>
      walk(node, scope, page, { include_failed, participants_only: true })
        .filter((row) => isBeyond(page, toid(row.ledger, row.application_order)))
        .take(page.limit)
        .map((row) => transactionRecord(appliedTransaction(row), links))
        .toArray();
  };

/** @param only the operations of the collection: all, or payments */
export const operations =
  (scopeOf: ScopeOf, only: (at: AppliedOperation) => boolean = () => true): Collection =>
  (request) => {
    const { node, links } = request;
    const join = joinsTransactions(request);
    const askedForFailed = includesFailed(request);
    const scope = scopeOf(request);
    // Horizon shows failed operations to a client that names a transaction. Such a client must read
    // transaction_successful.
    const include_failed = askedForFailed || scope.kind === 'transaction';
    return (page) =>
      operationsOf(node, scope, page, { include_failed, participants_only: true })
        .filter(({ applied, at }) => isBeyond(page, operationId(applied, at)))
        .filter(({ at }) => only(at) && isAbout(scope, participantsOf(at)))
        .take(page.limit)
        .map(({ applied, at }) => operationRecord(applied, at, { links, join }))
        .toArray();
  };

export const payments = (scopeOf: ScopeOf): Collection => operations(scopeOf, isPayment);

export const effects =
  (scopeOf: ScopeOf): Collection =>
  (request) => {
    const { node, links } = request;
    const scope = scopeOf(request);
    const account = scope.kind === 'account' ? accountAddress({ type: 0, ed25519: scope.ed25519 }) : null;
    return (page) =>
      operationsOf(node, scope, page, { include_failed: false, participants_only: false })
        .flatMap(({ applied, at }) =>
          inOrder(page, effectRecords(applied, at, links))
            .filter(({ number }) => isEffectBeyond(page, operationId(applied, at), number))
            .filter((effect) => account === null || effect.account === account)
            .map(({ record }): HorizonRecord => record),
        )
        .take(page.limit)
        .toArray();
  };

type Applied = { applied: AppliedTransaction; at: AppliedOperation };

/**
 * The operations of the transactions in the scope, in the direction of the page, from the transaction of its cursor
 * on.
 */
function* operationsOf(
  node: StellarNode,
  scope: Scope,
  page: PageQuery,
  options: Parameters<typeof walk>[3],
): Generator<Applied> {
  const { passphrase } = node.options;
  const wanted = scope.kind === 'transaction' ? scope.operation : undefined;
  for (const row of walk(node, scope, page, options)) {
    const applied = appliedTransaction(row);
    for (const at of inOrder(page, appliedOperations(applied, passphrase))) {
      if (wanted === undefined || wanted === at.index + 1) yield { applied, at };
    }
  }
}

function participantsOf({ transaction, operation, meta }: AppliedOperation): Uint8Array[] {
  return operationParticipants(transaction, operation, meta);
}
