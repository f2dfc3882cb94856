/** The only writer of policy_changes: looser rules that are pending. Written with the lock of wallet_policies held. */
import { strict as assert } from 'node:assert';
import { type Selectable, sql } from 'kysely';
import type { PageInVain } from '../../approvals/end-in-vain.ts';
import { isInVain } from '../../approvals/requesters.ts';
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

/** Returns the changes in the order in which they were made, by wallet. */
export async function readChanges(db: Db, wallet_ids: string[]): Promise<Map<string, PendingChange[]>> {
  const rows = await db
    .selectFrom('policy_changes')
    .selectAll()
    .where('wallet_id', '=', sql<string>`any(${wallet_ids}::text[])`)
    .orderBy('id')
    .execute();
  const by_wallet = Map.groupBy(rows, ({ wallet_id }) => wallet_id);
  return new Map([...by_wallet].map(([id, own]) => [id, own.map(readRow)]));
}

/** Returns the changes that await approvals at `now`, newest first. `before`: the end of an id, without its prefix. */
export async function awaitingChanges(
  db: Db,
  { team_id, wallet_ids }: { team_id: string; wallet_ids: string[] | null },
  { limit, before, now }: PageRequest & { now: Date },
): Promise<(RequestedChange & { wallet_id: string })[]> {
  let query = db
    .selectFrom('policy_changes')
    .innerJoin('wallet_owners', 'wallet_owners.id', 'policy_changes.wallet_id')
    .selectAll('policy_changes')
    .where('owner_id', '=', team_id)
    .where('approved_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('policy_changes.id', 'desc')
    .limit(limit);
  if (wallet_ids) query = query.where('wallet_id', '=', sql<string>`any(${wallet_ids}::text[])`);
  if (before !== undefined) query = query.where('policy_changes.id', '<', `pch_${before}`);
  return (await query.execute()).map((row) => {
    const change = readRow(row);
    assert(isRequested(change));
    return { ...change, wallet_id: row.wallet_id };
  });
}

/**
 * Returns wallets with a requested change that is decided or over by now, or whose requester is gone: their policies can be
 * rewritten without it.
 */
export async function walletsWithEndedRequests(
  db: Db,
  now: Date,
  { after, limit }: PageInVain,
): Promise<{ id: string }[]> {
  return db
    .selectFrom('policy_changes')
    .innerJoin('wallet_owners', 'wallet_owners.id', 'policy_changes.wallet_id')
    .select('wallet_id as id')
    .distinct()
    .where('wallet_id', '>', after)
    .where('expires_at', 'is not', null)
    .where(({ or, and, eb }) =>
      or([
        and([eb('approved_at', 'is not', null), eb('takes_effect_at', '<=', now)]),
        and([eb('approved_at', 'is', null), isInVain(REQUEST, now)]),
      ]),
    )
    .orderBy('wallet_id')
    .limit(limit)
    .execute();
}

const REQUEST = {
  expires_at: 'policy_changes.expires_at',
  requested_by: 'policy_changes.requested_by',
  team_id: 'wallet_owners.owner_id',
  created_at: 'policy_changes.created_at',
};

/** Makes `after` of `before`, which is what the table has of the wallet. A change with a new decision is a new row. */
export async function replaceChanges(
  trx: Trx,
  wallet_id: string,
  { before, after }: { before: PendingChange[]; after: PendingChange[] },
): Promise<void> {
  const gone = before.filter((change) => !after.includes(change)).map(({ id }) => id);
  if (gone.length > 0) {
    const { numDeletedRows } = await trx
      .deleteFrom('policy_changes')
      .where('id', '=', sql<string>`any(${gone}::text[])`)
      .executeTakeFirst();
    assert.equal(
      numDeletedRows,
      BigInt(gone.length),
      'pending changes are read under the lock of their policy',
    );
  }
  const rows = after.filter((change) => !before.includes(change)).map((change) => rowOf(wallet_id, change));
  if (rows.length > 0) await trx.insertInto('policy_changes').values(rows).execute();
}

function rowOf(wallet_id: string, { approvals, request, ...change }: PendingChange) {
  return {
    ...change,
    wallet_id,
    new_approvals: approvalsText(approvals),
    approvals_required: request?.approvals_required ?? 0,
    approvals: JSON.stringify(request?.decisions ?? []),
    expires_at: request?.expires_at ?? null,
    approved_at: request?.approved_at ?? null,
  };
}

function readRow({
  wallet_id: _,
  new_approvals,
  approvals: decisions,
  approvals_required,
  expires_at,
  approved_at,
  ...change
}: Selectable<Tables['policy_changes']>): PendingChange {
  const known = { ...change, approvals: readApprovals(new_approvals) };
  if (expires_at === null) return { ...known, request: null };
  return { ...known, request: { approvals_required, decisions, expires_at, approved_at } };
}
