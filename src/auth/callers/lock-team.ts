import type { Trx } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';
import { mayManage, type Role } from '../teams/roles.ts';
import { lockTeam, type Membership, teamOfUser } from '../teams/team-store.ts';
import type { LoginCaller } from './authenticate.ts';

/**
 * Locks the caller's team and returns the caller's rights as they are now, which may be fewer than when the request came.
 * @throws AppError `unauthenticated` when the caller is no longer in the team; `role_missing` when the caller may not give these
 * roles
 */
export async function lockTeamOf(
  trx: Trx,
  { user, member: { team_id } }: LoginCaller,
  roles: Role[],
): Promise<Membership> {
  await lockTeam(trx, team_id);
  const own = await teamOfUser(trx, user.id);
  if (!own || own.team_id !== team_id)
    throw new AppError('unauthenticated', 'You are no longer a member of the team.');
  requireManage(own.role, roles);
  return own;
}

/** @throws AppError `role_missing` when the role may not manage members with each of these other roles */
export function requireManage(role: Role, others: Role[]): void {
  const refused = others.find((other) => !mayManage(role, other));
  if (refused)
    throw new AppError('role_missing', `Your role (${role}) cannot manage members with the role ${refused}.`);
}
