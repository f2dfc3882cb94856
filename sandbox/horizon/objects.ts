import { accountRecord } from './account-record.ts';
import { appliedOperations, appliedTransaction } from './applied-transaction.ts';
import { feeStats } from './fee-stats.ts';
import { ledgerRecord } from './ledger-record.ts';
import { operationRecord } from './operation-record.ts';
import { accountParam, hashParam, joinsTransactions, ledgerParam, operationParam } from './params.ts';
import { beforeHistory, notFound } from './problem.ts';
import type { HorizonRequest } from './request.ts';
import { rootRecord } from './root.ts';
import { transactionAt } from './scope.ts';
import { operationOf, placeOf } from './toid.ts';
import { transactionRecord } from './transaction-record.ts';

/** A single resource. @throws Problem 400, 404, or 410 when it is older than the history */
export type ObjectOf = (request: HorizonRequest) => Record<string, unknown>;

export const root: ObjectOf = ({ node, links }) => rootRecord(node, links);

export const fees: ObjectOf = ({ node }) => feeStats(node);

export const account: ObjectOf = (request) => {
  const record = accountRecord(request.node, accountParam(request), request.links);
  if (record === undefined) throw notFound();
  return record;
};

export const ledger: ObjectOf = (request) => {
  const { node, links } = request;
  const sequence = ledgerParam(request);
  if (sequence < node.oldest.sequence) throw beforeHistory();
  const found = node.ledger(sequence);
  if (found === undefined) throw notFound();
  return ledgerRecord(found, node.counts(found), links);
};

/** Shown under the hash in the request: of a fee-bump its own hash or that of the inner transaction. */
export const transaction: ObjectOf = (request) => {
  const hash = hashParam(request);
  const row = request.node.transaction(Buffer.from(hash, 'hex'));
  if (row === undefined) throw notFound();
  return transactionRecord(appliedTransaction(row, hash), request.links);
};

export const operation: ObjectOf = (request) => {
  const { node, links } = request;
  const join = joinsTransactions(request);
  const id = operationParam(request);
  const row = transactionAt(node, placeOf(id));
  if (row === undefined) throw notFound();
  const applied = appliedTransaction(row);
  const at = appliedOperations(applied, node.options.passphrase)[operationOf(id) - 1];
  if (at === undefined) throw notFound();
  return operationRecord(applied, at, { links, join });
};
