/** When a request ends without a decision: its time is over, or its requester is gone. */
import { type RawBuilder, sql } from 'kysely';
import { isGone } from '../auth/teams/is-gone.ts';
import type { Db } from '../db/database.ts';

/** Who asked which team, and when. `requested_by`: null where nobody knows the requester. */
export type Asked = { requested_by: string | null; team_id: string; created_at: Date };

/** `expires_at`: when it ends unless it is approved. */
export type OpenRequest = Asked & { expires_at: Date };

/**
 * Says of a row, in SQL, what `reasonToEnd` says of a request: whether it ends at `now` without a decision. `columns`: where the
 * row has the members of the request.
 */
export function isInVain(columns: Record<keyof OpenRequest, string>, now: Date): RawBuilder<boolean> {
  const { expires_at, requested_by, team_id, created_at } = columns;
  const asked = {
    requested_by: sql.ref(requested_by),
    team_id: sql.ref(team_id),
    created_at: sql.ref(created_at),
  };
  return sql<boolean>`(${sql.ref(expires_at)} <= ${now} or ${isGone(asked)})`;
}

/** Returns why the request ends at `now` without a decision; null while members may decide. */
export async function reasonToEnd(
  db: Db,
  { requested_by, team_id, created_at, expires_at }: OpenRequest,
  now: Date,
): Promise<'approval_expired' | 'requester_removed' | null> {
  if (expires_at <= now) return 'approval_expired';
  const asked = {
    requested_by: sql`${requested_by}::text`,
    team_id: sql`${team_id}::text`,
    created_at: sql`${created_at}::timestamptz`,
  };
  const { rows } = await sql<{ gone: boolean }>`select ${isGone(asked)} as gone`.execute(db);
  return rows[0]?.gone ? 'requester_removed' : null;
}
