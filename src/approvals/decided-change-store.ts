/** The only writer of decided_changes. Call it in the transaction in which the change is decided, or goes away. */
import { type Selectable, sql } from 'kysely';
import type { Membership } from '../auth/teams/team-store.ts';
import type { Db, Trx } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { type DecidedPage, newestDecided } from './decided.ts';
import { seesChangesOfMembers } from './who-sees.ts';

/** A change of a policy or of access that is decided or over. `change`: JSON as the API showed it then. */
export type DecidedChange = Selectable<Tables['decided_changes']>;

export async function recordDecided(trx: Trx, changes: DecidedChange[]): Promise<void> {
  if (changes.length === 0) return;
  // Members can decide about a change of a policy again, under a stricter rule. Once a millisecond is enough for a list.
  await trx
    .insertInto('decided_changes')
    .values(changes)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Lists those that the member sees, newest decision first: the same changes as while they waited. */
export async function listDecidedChanges(
  db: Db,
  { team_id, role, wallet_ids }: Membership,
  page: DecidedPage,
): Promise<DecidedChange[]> {
  const columns = { team_id: 'team_id', decided_at: sql<Date>`decided_changes.decided_at` };
  const { where, order } = newestDecided('decided_changes', columns, team_id, page);
  let query = db.selectFrom('decided_changes').selectAll().where(where).orderBy(order).limit(page.limit);
  if (!seesChangesOfMembers(role)) query = query.where('kind', '<>', 'members');
  if (wallet_ids) query = query.where(sql<boolean>`coalesce(wallet_ids && ${wallet_ids}::text[], true)`);
  return query.execute();
}
