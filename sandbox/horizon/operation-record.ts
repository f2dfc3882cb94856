import { hex } from '../ledger/bytes.ts';
import { timeText } from '../time-text.ts';
import { accountFields } from './addresses.ts';
import type { AppliedOperation } from './applied-operation.ts';
import type { AppliedTransaction } from './applied-transaction.ts';
import { effectsOf } from './effects.ts';
import type { Links } from './links.ts';
import { operationFields } from './operation-fields.ts';
import { toid } from './toid.ts';
import { transactionRecord } from './transaction-record.ts';

export function operationId({ row }: AppliedTransaction, at: AppliedOperation): bigint {
  return toid(row.ledger, row.application_order, at.index + 1);
}

/** Horizon's operation resource. It always names the own hash of the transaction, whichever hash the client used. */
export function operationRecord(
  applied: AppliedTransaction,
  at: AppliedOperation,
  { links, join }: { links: Links; join: boolean },
) {
  const id = `${operationId(applied, at)}`;
  const hash = hex(applied.row.hash);
  const { type, type_i, sponsor, ...fields } = operationFields(at);
  return {
    _links: {
      self: links.to(`/operations/${id}`),
      transaction: links.to(`/transactions/${hash}`),
      effects: links.to(`/operations/${id}/effects`),
      succeeds: links.to(`/effects?order=desc&cursor=${id}`),
      precedes: links.to(`/effects?order=asc&cursor=${id}`),
    },
    id,
    paging_token: id,
    transaction_successful: at.successful,
    ...accountFields('source_account', at.source),
    type,
    type_i,
    created_at: timeText(applied.row.close_time),
    transaction_hash: hash,
    ...(join ? { transaction: transactionRecord({ ...applied, hash }, links) } : {}),
    sponsor,
    ...fields,
  };
}

/**
 * The operations that Horizon counts as /payments. A claimed balance and a taken offer also bring money and are not
 * among them, so an integrator who must miss nothing reads effects.
 */
export function isPayment(at: AppliedOperation): boolean {
  const { type } = at.operation.body;
  if (type === 24) return assetBalanceChanges(at).length > 0;
  return [CREATE_ACCOUNT, PAYMENT, PATH_STRICT_RECEIVE, ACCOUNT_MERGE, PATH_STRICT_SEND].includes(type);
}

const CREATE_ACCOUNT = 0;
const PAYMENT = 1;
const PATH_STRICT_RECEIVE = 2;
const ACCOUNT_MERGE = 8;
const PATH_STRICT_SEND = 13;

function assetBalanceChanges(at: AppliedOperation): unknown[] {
  const changes = operationFields(at).asset_balance_changes;
  return Array.isArray(changes) ? changes : [];
}

/** The effects of the operation, each with its number from 1. */
export function effectRecords(applied: AppliedTransaction, at: AppliedOperation, links: Links) {
  const id = operationId(applied, at);
  return effectsOf(at).map((effect, index) => {
    const number = index + 1;
    const pagingToken = `${id}-${number}`;
    const { account, account_muxed, account_muxed_id, type, type_i, ...fields } = effect;
    const record = {
      _links: {
        operation: links.to(`/operations/${id}`),
        succeeds: links.to(`/effects?order=desc&cursor=${pagingToken}`),
        precedes: links.to(`/effects?order=asc&cursor=${pagingToken}`),
      },
      id: `${`${id}`.padStart(19, '0')}-${`${number}`.padStart(10, '0')}`,
      paging_token: pagingToken,
      account,
      account_muxed,
      account_muxed_id,
      type,
      type_i,
      created_at: timeText(applied.row.close_time),
      ...fields,
    };
    return { number: BigInt(number), account, record };
  });
}
