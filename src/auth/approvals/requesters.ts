/** Requesters that are gone: what they have asked for ends. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** Says whether this user has left or is disabled, or this service user is removed or disabled; false for null. */
export function isGone(requested_by: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from users
             where users.id = ${requested_by}
               and (disabled_at is not null
                    or not exists (select from team_members member
                                    where member.user_id = users.id and left_at is null)))
    or exists (select from service_users
                where service_users.id = ${requested_by} and (disabled_at is not null or removed_at is not null)))`;
}

/** Returns those of these users and service users that are gone. */
export async function goneAmong(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::text[]) as asked (id) where ${isGone(sql.ref('asked.id'))}
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Says whether one is gone. `requested_by`: null where nobody knows the requester. */
export async function isRequesterGone(db: Db, requested_by: string | null): Promise<boolean> {
  return requested_by !== null && (await goneAmong(db, [requested_by])).size > 0;
}
