/** What a link of an invitation says to the person who has it, before they accept. */
import { strict as assert } from 'node:assert';
import { credentialHash } from '../../auth/credentials/credential-hash.ts';
import { isDeviceOfUser } from '../../auth/login/login.ts';
import { countAttempt } from '../../auth/passwords/failure-count-store.ts';
import { invitationLimit, tooMany } from '../../auth/passwords/login-limits.ts';
import { findTeam } from '../../auth/teams/team-store.ts';
import { findUser } from '../../auth/users/user-store.ts';
import type { Deps } from '../../deps.ts';
import { addressGroup } from '../../lib/client-address.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { findByLink, type LinkedInvitation } from './invitation-store.ts';

/** For so long a link says that its invitation has expired. Later it says nothing of the team, which may have changed. */
const ANSWERED_MS = 30 * DAY_MS;

export const INVITATION_STATES = ['open', 'accepted', 'expired'] as const;

export type ReceivedInvitation = LinkedInvitation & {
  state: (typeof INVITATION_STATES)[number];
  team_name: string;
  inviter: { name: string; email: string };
  /** Whether a user with the invited e-mail has signed in at this browser before. */
  is_known_device: boolean;
};

/**
 * Reads the invitation of a link. The member who has made it can read it too, so it says nothing about users with the e-mail,
 * except to a browser in which one of them has signed in. An invitation that was revoked, or expired a month ago, says nothing at all.
 * @throws AppError `not_found` for the token of such an invitation, or of none; `too_many_logins` after too many of them
 */
export async function readInvitation(
  deps: Deps,
  { token, ip, devices }: { token: string; ip: string; devices: readonly string[] },
): Promise<ReceivedInvitation> {
  const now = deps.clock.now();
  const invitation = await findByLink(deps.db, credentialHash(token), new Date(now.getTime() - ANSWERED_MS));
  if (!invitation) throw await unknownLink(deps, ip);
  const [team, inviter, is_known_device] = await Promise.all([
    findTeam(deps.db, invitation.team_id),
    findUser(deps.db, invitation.invited_by),
    isDeviceOfUser(deps, { email: invitation.email, devices }),
  ]);
  assert(inviter, 'no user is ever deleted');
  const state = stateOf(invitation, now);
  return { ...invitation, state, team_name: team.name, inviter, is_known_device };
}

function stateOf({ accepted_at, expires_at }: LinkedInvitation, now: Date): ReceivedInvitation['state'] {
  if (accepted_at) return 'accepted';
  return expires_at > now ? 'open' : 'expired';
}

/** Counts a token that opens nothing, and returns the error for it. */
export async function unknownLink(deps: Pick<Deps, 'db' | 'clock'>, ip: string): Promise<AppError> {
  const { wait_ms } = await countAttempt(deps.db, [invitationLimit(addressGroup(ip))], deps.clock.now());
  return wait_ms > 0 ? tooMany('unknown invitations from your addresses', wait_ms) : noInvitation();
}

export function noInvitation(): AppError {
  return new AppError('not_found', 'There is no such invitation, or it cannot be accepted any more.');
}
