import { type RawBuilder, sql } from 'kysely';

/**
 * Says in SQL whether the requester is gone: a member who has left since or is disabled, a service user who is removed or disabled. One who was
 * removed and came back is another requester: the removal has ended what they had asked for. False for null.
 */
export function isGone({
  requested_by,
  team_id,
  created_at,
}: Record<'requested_by' | 'team_id' | 'created_at', RawBuilder<unknown>>) {
  return sql<boolean>`(
    exists (select from users
             where users.id = ${requested_by}
               and (disabled_at is not null
                    or not exists (select from team_members member
                                    where member.user_id = users.id and member.team_id = ${team_id}
                                      and left_at is null and joined_at <= ${created_at})))
    or exists (select from service_users
                where service_users.id = ${requested_by}
                  and (disabled_at is not null or removed_at is not null or service_users.team_id <> ${team_id})))`;
}
