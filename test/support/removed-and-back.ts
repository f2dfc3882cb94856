import type { RunningService } from './running-service.ts';

/** Takes the member out of the team and back into it at once, with the same rights: the login goes on. */
export async function removeAndBringBack({ query }: Pick<RunningService, 'query'>, user_id: string) {
  await query(
    `with removed as (
       update team_members set left_at = clock_timestamp() where user_id = $1 and left_at is null returning *
     )
     insert into team_members (user_id, team_id, role, email_folded, wallet_ids, joined_at)
     select user_id, team_id, role, email_folded, wallet_ids, left_at from removed`,
    [user_id],
  );
}
