/**
 * The only writer of policy_change_requests: changes of policies that members must approve. They are not beside the other
 * pending changes, because the version before would apply them without approvals. Written with the lock of wallet_policies
 * held.
 */
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import type { PageRequest } from '../../db/newest-first.ts';
import type { Tables } from '../../db/tables.ts';
import { approvalsText, readApprovals } from './approval-rules.ts';
import type { ChangeRequest, PendingChange } from './policies.ts';

/** A change that needs approvals, whether it has them or not. */
export type RequestedChange = PendingChange & { request: ChangeRequest };

export function isRequested(change: PendingChange): change is RequestedChange {
  return change.request !== null;
}

/** In the order in which they were made, by wallet. */
export async function readRequests(db: Db, wallet_ids: string[]): Promise<Map<string, RequestedChange[]>> {
  const rows = await db
    .selectFrom('policy_change_requests')
    .selectAll()
    .where('wallet_id', 'in', wallet_ids)
    .orderBy('id')
    .execute();
  const by_wallet = Map.groupBy(rows, ({ wallet_id }) => wallet_id);
  return new Map([...by_wallet].map(([id, own]) => [id, own.map(readRow)]));
}

/** The changes that await approvals at `now`, newest first. `before`: the end of an id, without its prefix. */
export async function awaitingChanges(
  db: Db,
  { team_id, wallet_ids }: { team_id: string; wallet_ids: string[] | null },
  { limit, before, now }: PageRequest & { now: Date },
): Promise<(RequestedChange & { wallet_id: string })[]> {
  let query = db
    .selectFrom('policy_change_requests')
    .innerJoin('wallet_owners', 'wallet_owners.id', 'policy_change_requests.wallet_id')
    .selectAll('policy_change_requests')
    .where('owner_id', '=', team_id)
    .where('approved_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('policy_change_requests.id', 'desc')
    .limit(limit);
  if (wallet_ids) query = query.where('wallet_id', '=', sql<string>`any(${wallet_ids}::text[])`);
  if (before !== undefined) query = query.where('policy_change_requests.id', '<', `pch_${before}`);
  return (await query.execute()).map((row) => ({ ...readRow(row), wallet_id: row.wallet_id }));
}

/** Wallets with a change that is decided or over by now: their policies can be rewritten without it. */
export async function walletsWithEndedRequests(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('policy_change_requests')
    .select('wallet_id')
    .distinct()
    .where(({ or, and, eb }) =>
      or([
        and([eb('approved_at', 'is not', null), eb('takes_effect_at', '<=', now)]),
        and([eb('approved_at', 'is', null), eb('expires_at', '<=', now)]),
      ]),
    )
    .limit(limit)
    .execute();
  return rows.map(({ wallet_id }) => wallet_id);
}

export async function replaceRequests(
  trx: Trx,
  wallet_id: string,
  changes: RequestedChange[],
): Promise<void> {
  await trx.deleteFrom('policy_change_requests').where('wallet_id', '=', wallet_id).execute();
  const rows = changes.map(({ approvals, request: { decisions, ...request }, ...change }) => ({
    ...change,
    ...request,
    wallet_id,
    new_approvals: approvalsText(approvals),
    approvals: JSON.stringify(decisions),
  }));
  if (rows.length > 0) await trx.insertInto('policy_change_requests').values(rows).execute();
}

function readRow({
  wallet_id: _,
  new_approvals,
  approvals: decisions,
  requested_by,
  approvals_required,
  expires_at,
  approved_at,
  ...change
}: Selectable<Tables['policy_change_requests']>): RequestedChange {
  return {
    ...change,
    approvals: readApprovals(new_approvals),
    request: { requested_by, approvals_required, decisions, expires_at, approved_at },
  };
}
