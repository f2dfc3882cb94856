/** The only writer of access_changes. Rows are written with the team locked. */
import { type Selectable, sql } from 'kysely';
import type { Approval } from '../../approvals/approval.ts';
import type { PageInVain } from '../../approvals/end-in-vain.ts';
import { isInVain } from '../../approvals/requesters.ts';
import { seesChangesOfMembers } from '../../approvals/who-sees.ts';
import type { Membership } from '../../auth/teams/team-store.ts';
import type { Db, Trx } from '../../db/database.ts';
import { newestFirst, type PageRequest } from '../../db/newest-first.ts';
import type { Tables } from '../../db/tables.ts';

/**
 * A change of access that awaits approvals, or has them. `wallet_ids`: whose policies decide; null for every wallet of the
 * team. `change`: JSON of what it does, without secrets.
 */
export type AccessChange = Selectable<Tables['access_changes']>;

/** A request with what it needs now: `approvals_required` is the most that a policy asks for. */
export type AccessChangeView = AccessChange & { approvals_required: number; is_approved: boolean };

/** What says that two requests are the same. */
type Sameness = Pick<AccessChange, 'team_id' | 'operation' | 'wallet_id' | 'target_id' | 'change'> & {
  requested_by: string;
};

export async function insertAccessChange(trx: Trx, row: Omit<AccessChange, 'approvals'>): Promise<void> {
  await trx.insertInto('access_changes').values(row).execute();
}

/** Returns the open request of the same user for the same change; undefined when there is none from this membership. */
export async function findSame(
  trx: Trx,
  { team_id, requested_by, operation, wallet_id, target_id, change }: Sameness,
  now: Date,
): Promise<AccessChange | undefined> {
  return selectOpen(trx, team_id, now)
    .where('requested_by', '=', requested_by)
    .where('operation', '=', operation)
    .where('wallet_id', 'is not distinct from', wallet_id)
    .where('target_id', 'is not distinct from', target_id)
    .where('change', '=', change)
    .where(({ not }) => not(isEnded(now)))
    .executeTakeFirst();
}

export async function findAccessChange(
  db: Db,
  team_id: string,
  id: string,
  now: Date,
): Promise<AccessChange | undefined> {
  return selectOpen(db, team_id, now).where('id', '=', id).executeTakeFirst();
}

export async function countAccessChanges(db: Db, team_id: string, now: Date): Promise<number> {
  return (await selectOpen(db, team_id, now).execute()).length;
}

/** Lists the open requests that `seesAccessChange` lets the member see, newest first. `before`: the end of an id, without its prefix. */
export async function listAccessChanges(
  db: Db,
  { team_id, role, wallet_ids }: Membership,
  { now, limit, before }: PageRequest & { now: Date },
): Promise<AccessChange[]> {
  const page = newestFirst('access_changes', { team_id }, before === undefined ? before : `ach_${before}`);
  let query = selectOpen(db, team_id, now)
    .where(sql<boolean>`${page.where}`)
    .orderBy(page.order)
    .limit(limit);
  if (!seesChangesOfMembers(role)) query = query.where('kind', '<>', 'members');
  if (wallet_ids) query = query.where(sql<boolean>`coalesce(wallet_ids && ${wallet_ids}::text[], true)`);
  return query.execute();
}

/** Returns true when the member may see the request. A limited member sees it only when it concerns one of their wallets. */
export function seesAccessChange({ role, wallet_ids }: Membership, row: AccessChange): boolean {
  if (row.kind === 'members' && !seesChangesOfMembers(role)) return false;
  return (
    wallet_ids === null || row.wallet_ids === null || row.wallet_ids.some((id) => wallet_ids.includes(id))
  );
}

export async function recordDecisions(
  trx: Trx,
  id: string,
  { approvals, expires_at }: { approvals: Approval[]; expires_at: Date },
): Promise<void> {
  await trx
    .updateTable('access_changes')
    .set({ approvals: JSON.stringify(approvals), expires_at })
    .where('id', '=', id)
    .execute();
}

export async function deleteAccessChange(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('access_changes').where('id', '=', id).execute();
}

/**
 * Lists requests of any team whose time is over, or whose requester has left, was removed or is disabled, oldest first.
 */
export async function accessChangesInVain(
  db: Db,
  now: Date,
  { after, limit }: PageInVain,
): Promise<{ id: string; team_id: string }[]> {
  return db
    .selectFrom('access_changes')
    .select(['id', 'team_id'])
    .where(isEnded(now))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Deletes a request that has ended. Returns the row as it was; undefined when it is gone, or has not ended. */
export async function deleteEnded(trx: Trx, id: string, now: Date): Promise<AccessChange | undefined> {
  return trx
    .deleteFrom('access_changes')
    .where('id', '=', id)
    .where(isEnded(now))
    .returningAll()
    .executeTakeFirst();
}

function isEnded(now: Date) {
  const columns = {
    expires_at: 'access_changes.expires_at',
    requested_by: 'access_changes.requested_by',
    team_id: 'access_changes.team_id',
    created_at: 'access_changes.created_at',
  };
  return isInVain(columns, now);
}

function selectOpen(db: Db, team_id: string, now: Date) {
  return db
    .selectFrom('access_changes')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('expires_at', '>', now);
}
