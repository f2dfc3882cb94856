/**
 * Invitations: a link that is mailed, or shown once, makes one e-mail address a member of the team. Only a hash of its token is kept.
 *
 * A crash before the commit leaves the invitation open and makes nobody a member; after the commit the member can log in.
 */
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { audited } from '../../audit/audit.ts';
import type { Requester } from '../../auth/callers/authenticate.ts';
import { lockTeamOf } from '../../auth/callers/lock-team.ts';
import { credentialHash } from '../../auth/credentials/credential-hash.ts';
import { proveLogin, requireSecondFactor } from '../../auth/factors/login-challenge.ts';
import type { Proof } from '../../auth/factors/proofs.ts';
import { openLogin, verifyLogin } from '../../auth/login/login.ts';
import { hashChosen, requireUncommon } from '../../auth/passwords/choose-password.ts';
import type { SessionClient } from '../../auth/sessions/sessions.ts';
import {
  endMembership,
  insertMember,
  isMemberEmail,
  isNeeded,
  lockTeam,
  type Rights,
  teamOfUser,
} from '../../auth/teams/team-store.ts';
import { userActor } from '../../auth/users/actor.ts';
import { notePasswordKnown, whoCouldBe } from '../../auth/users/known-password-store.ts';
import { findUser, insertUser, type User } from '../../auth/users/user-store.ts';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { addressGroup } from '../../lib/client-address.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type AwaitsApproval, awaitApprovals } from '../changes/access-changes.ts';
import {
  countInvitations,
  findInvitation,
  type Invitation,
  insertInvitation,
  knowersOf,
  lockInvitation,
  markAccepted,
  revokeInvitation,
} from './invitation-store.ts';
import { checkRights, isMember, MOST_OF_TEAM, MOST_WITH_EMAIL } from './members.ts';
import { noInvitation, unknownLink } from './received-invitation.ts';

const TOKEN_BYTES = 32;
const VALID_MS = 7 * DAY_MS;
/**
 * Makes an invitation. Returns it with its token, which nobody can read again; or asks for the approvals that it needs.
 * @throws AppError `role_missing`, `already_in_team` when the e-mail is that of a member, `too_many_invitations`, `invalid_request`
 */
export async function invite(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>,
  { login: caller, actor }: Requester,
  { email, role, wallet_ids }: Rights & { email: string },
): Promise<{ invitation: Invitation; token: string } | AwaitsApproval> {
  const now = deps.clock.now();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return audited(deps, actor, async (trx, note) => {
    const { team_id } = await lockTeamOf(trx, caller, [role]);
    await checkRights(trx, team_id, { role, wallet_ids });
    if (await isMemberEmail(trx, team_id, email)) throw isMember();
    await requireInvitationsLeft(trx, { team_id, email }, now);
    const awaiting = await awaitApprovals(
      trx,
      { by: { login: caller, actor }, note, now },
      {
        kind: 'members',
        operation: 'createInvitation',
        wallet_id: null,
        wallet_ids,
        target_id: null,
        change: { email, role, wallet_ids },
      },
    );
    if (awaiting) return awaiting;
    const expires_at = new Date(now.getTime() + VALID_MS);
    const row = { id: newId('inv', now), team_id, email, role, wallet_ids, created_at: now, expires_at };
    const known_to = await whoCouldBe(trx, caller.user.id);
    const hashed = { token_hash: credentialHash(token), known_to };
    await insertInvitation(trx, { ...row, invited_by: caller.user.id, ...hashed });
    const target = { kind: 'invitation', id: row.id };
    note({ team_id, action: 'invitation.created', target, after: { email, role, wallet_ids, expires_at } });
    return { invitation: { ...row, invited_by: caller.user.id }, token };
  });
}

/**
 * Checks that the team has not made too many invitations. Open ones count, and those of the last 24 hours: revoking makes no room.
 * The team is locked.
 * @throws AppError `too_many_invitations`
 */
async function requireInvitationsLeft(
  trx: Trx,
  to: { team_id: string; email: string },
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS);
  const { of_team, to_email } = await countInvitations(trx, to, { now, since });
  const wait = 'Revoke open ones; those of the last 24 hours count on.';
  if (to_email >= MOST_WITH_EMAIL)
    throw new AppError(
      'too_many_invitations',
      `A team has at most ${MOST_WITH_EMAIL} invitations of one e-mail. ${wait}`,
    );
  if (of_team >= MOST_OF_TEAM)
    throw new AppError('too_many_invitations', `A team has at most ${MOST_OF_TEAM} invitations. ${wait}`);
}

/** @throws AppError `not_found` when the team of the caller has no such invitation that is neither accepted nor revoked */
export async function revoke(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>,
  { login, actor }: Requester,
  id: string,
): Promise<void> {
  const { team_id } = login.member;
  await audited(deps, actor, async (trx, note) => {
    if (!(await revokeInvitation(trx, team_id, id, deps.clock.now())))
      throw new AppError('not_found', 'There is no such open invitation.');
    note({ team_id, action: 'invitation.revoked', target: { kind: 'invitation', id } });
  });
}

export type Acceptance = {
  invitation: string;
  password: string;
  /** Of a new user; undefined for one who has a password. */
  name: string | undefined;
  ip: string;
  devices: readonly string[];
  client: SessionClient;
  /** The answer to the challenge that a first attempt got, of a user who has a second factor. */
  second_factor: { challenge: string; proof: Proof } | undefined;
};

/**
 * Makes the e-mail of the invitation a member, and logs in. A new user gives a name and chooses a password; one who has a password
 * proves it, and leaves a team of one that has no wallets. Whether there are users with the e-mail changes no answer, because
 * whoever has made the invitation knows its token.
 * @throws AppError `not_found` for a token that is unknown, used, expired or revoked, and `too_many_logins` after too many of them;
 * `wrong_credentials` and `too_many_logins` as a login does; `second_factor_required` with a challenge, and the errors of its answer, before anything is
 * changed; `already_in_team`; `invalid_request` for the new password, or for one that a team has chosen
 */
export async function acceptInvitation(
  deps: Deps,
  acceptance: Acceptance,
): Promise<{ token: string; user: User; devices: string[] }> {
  const { ip } = acceptance;
  const token_hash = credentialHash(acceptance.invitation);
  const invited = await findInvitation(deps.db, token_hash, deps.clock.now());
  if (!invited) throw await unknownLink(deps, ip);
  const { email } = invited;
  if (await isMemberEmail(deps.db, invited.team_id, email)) throw isMember();
  const { name } = acceptance;
  const verified = name === undefined ? await proveUser(deps, { ...acceptance, email }) : null;
  const made = name === undefined ? null : await newUser(deps, { email, name }, acceptance);
  const now = deps.clock.now();
  const id = verified?.user.id ?? made?.id ?? '';
  const actor = userActor({ id, email }, null, ip);
  await audited(deps, actor, async (trx, note) => {
    const joined = await lockTeams(trx, { token_hash, user_id: verified?.user.id, now });
    if (await isMemberEmail(trx, joined.team_id, email)) throw isMember();
    if (made) {
      await insertUser(trx, { ...made, email });
      await notePasswordKnown(trx, made.id, await knowersOf(trx, joined.id));
    }
    const left_id = await leaveTeamOfOne(trx, id, now);
    const { team_id, role, wallet_ids } = joined;
    await insertMember(trx, { user_id: id, team_id, role, wallet_ids, now });
    await markAccepted(trx, joined.id, now);
    const target = { kind: 'member', id };
    const after = { email, role, wallet_ids, invitation_id: joined.id, invited_by: joined.invited_by };
    note({ team_id, action: 'member.added', target, after });
    if (left_id !== null) note({ team_id: left_id, action: 'member.removed', target });
  });
  const member = verified ?? { user: await requireUser(deps, id), device: null };
  return openLogin(deps, member, acceptance);
}

/**
 * Checks the password of a user, and the second factor too: whoever knows only the password must not take the user to another team.
 * Refuses a password that a team has chosen, because that team would have an access to the next team.
 * @throws AppError as `acceptInvitation`
 */
async function proveUser(deps: Deps, { second_factor, ip, ...given }: Acceptance & { email: string }) {
  const verified = await verifyLogin(deps, { ...given, ip }, { members: false });
  if (verified.user.password_of_team)
    throw new AppError(
      'invalid_request',
      'A team has chosen this password. Give a name, and choose a password of your own.',
      {
        details: [
          { path: '/password', message: 'was chosen by a team: choose one of your own, as a new user' },
        ],
      },
    );
  if (!second_factor) {
    await requireSecondFactor(deps, verified, ip);
    return verified;
  }
  const proven = await proveLogin(deps, { ...second_factor, ip });
  if (proven.user.id !== verified.user.id)
    throw new AppError('challenge_ended', 'This is the challenge of another user.');
  return proven;
}

async function requireUser({ db }: Deps, id: string) {
  const user = await findUser(db, id);
  assert(user, 'the commit made the user');
  return user;
}

async function newUser(
  deps: Deps,
  { email, name }: { email: string; name: string },
  { password, ip }: Acceptance,
) {
  await requireUncommon(password, email, 'password');
  const turn = { known: false, group: addressGroup(ip) };
  const password_hash = await hashChosen(deps, { email, password, field: 'password', turn, own_id: null });
  return { id: newId('usr', deps.clock.now()), name, password_hash };
}

/**
 * Locks the team of the invitation and the team that the user is in, in the order of their ids, and then the invitation. The removal
 * of a member locks the team before the invitations too. Returns the invitation.
 * @throws AppError `not_found`
 */
async function lockTeams(
  trx: Trx,
  { token_hash, user_id, now }: { token_hash: Buffer; user_id: string | undefined; now: Date },
): Promise<Invitation> {
  const found = await findInvitation(trx, token_hash, now);
  if (!found) throw noInvitation();
  const { team_id } = found;
  const left = user_id === undefined ? undefined : await teamOfUser(trx, user_id);
  for (const id of new Set([team_id, left?.team_id ?? team_id].toSorted())) await lockTeam(trx, id);
  const locked = await lockInvitation(trx, token_hash, now);
  if (!locked) throw noInvitation();
  return locked;
}

/**
 * Ends the membership in a team of one that has no wallets and no service users. Returns the id of the team, which stays as a row
 * that nobody is in; null for a user who was in none.
 * @throws AppError `already_in_team` for a user in any other team
 */
async function leaveTeamOfOne(trx: Trx, user_id: string, now: Date): Promise<string | null> {
  const left = await teamOfUser(trx, user_id);
  if (!left) return null;
  if (left.role !== 'owner' || (await isNeeded(trx, left.team_id)))
    throw new AppError(
      'already_in_team',
      'You are in a team that has wallets or other members. A user is in one team: leave that team first.',
    );
  await endMembership(trx, user_id, now);
  return left.team_id;
}
