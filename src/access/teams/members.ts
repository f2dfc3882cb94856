/** Who is in a team, and with which rights. Every change locks the team first, so that what holds now decides. */
import { isDeepStrictEqual } from 'node:util';
import { keepingApprovers } from '../../approvals/approvers.ts';
import { audited } from '../../audit/audit.ts';
import type { Requester } from '../../auth/callers/authenticate.ts';
import { lockTeamOf, requireManage } from '../../auth/callers/lock-team.ts';
import { hashChosen, requireUncommon } from '../../auth/passwords/choose-password.ts';
import { type NamedProgram, programsKnownTo } from '../../auth/teams/program-store.ts';
import { usesAllWallets } from '../../auth/teams/roles.ts';
import {
  changeRights,
  countJoined,
  countOwners,
  endMembership,
  findMember,
  findTeam,
  insertMember,
  isMemberEmail,
  lockTeam,
  type Member,
  notOfTeam,
  type Rights,
  renameTeam,
  type Team,
} from '../../auth/teams/team-store.ts';
import { notePasswordKnown, whoCouldBe } from '../../auth/users/known-password-store.ts';
import { endSessions } from '../../auth/users/operator-store.ts';
import { insertUser } from '../../auth/users/user-store.ts';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type AwaitsApproval, awaitApprovals } from '../changes/access-changes.ts';
import { revokeInvitationsBy } from './invitation-store.ts';

type MemberDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'metrics' | 'device_keys'>;

/** Renames the team of the caller. */
export async function changeName(deps: MemberDeps, { login, actor }: Requester, name: string): Promise<Team> {
  const { team_id } = login.member;
  return audited(deps, actor, async (trx, note) => {
    await lockTeam(trx, team_id);
    const { name: before } = await findTeam(trx, team_id);
    const team = await renameTeam(trx, team_id, name);
    const target = { kind: 'team', id: team_id };
    note({ team_id, action: 'team.renamed', target, before: { name: before }, after: { name } });
    return team;
  });
}

/**
 * Makes a user who is a member of the caller's team from the beginning, or asks for the approvals that it needs. Whether
 * another team has a user with that e-mail changes nothing.
 * @throws AppError `role_missing`, `already_in_team` when the e-mail is that of a member, `too_many_invitations`,
 * `too_many_logins`, `invalid_request`
 */
export async function addMember(
  deps: MemberDeps,
  { login: caller, actor }: Requester,
  member: Rights & { email: string; name: string; password: string },
): Promise<Member | AwaitsApproval> {
  const { email, name, role, wallet_ids, password } = member;
  await requireUncommon(password, email, 'password');
  // Here too, so that a repeated request chooses no password.
  if (await isMemberEmail(deps.db, caller.member.team_id, email)) throw isMember();
  const now = deps.clock.now();
  const id = newId('usr', now);
  const turn = { known: true, group: caller.user.id };
  const password_hash = await hashChosen(deps, { email, password, field: 'password', turn, own_id: null });
  return audited(deps, actor, async (trx, note) => {
    const { team_id } = await lockTeamOf(trx, caller, [role]);
    await checkRights(trx, team_id, { role, wallet_ids });
    if (await isMemberEmail(trx, team_id, email)) throw isMember();
    await requireFewJoined(trx, { team_id, email }, now);
    const awaiting = await awaitApprovals(
      trx,
      { by: { login: caller, actor }, note, now: deps.clock.now() },
      {
        kind: 'members',
        operation: 'addMember',
        wallet_id: null,
        wallet_ids,
        target_id: null,
        change: { email, name, role, wallet_ids },
      },
    );
    if (awaiting) return awaiting;
    await insertUser(trx, { id, email, name, password_hash, password_of_team: true });
    await notePasswordKnown(trx, id, await whoCouldBe(trx, caller.user.id));
    await insertMember(trx, { user_id: id, team_id, role, wallet_ids, now });
    const target = { kind: 'member', id };
    note({ team_id, action: 'member.added', target, after: { email, name, role, wallet_ids } });
    return requireMember(trx, team_id, id);
  });
}

/**
 * Of invitations, and of new members, in 24 hours: both get mails, whether or not they know of the team. So a team must not
 * invite or add strangers without end.
 */
export const MOST_OF_TEAM = 50;
export const MOST_WITH_EMAIL = 3;

/** Checks that not too many members have joined in the last 24 hours. The team is locked. @throws AppError `too_many_invitations` */
async function requireFewJoined(
  trx: Trx,
  member: { team_id: string; email: string },
  now: Date,
): Promise<void> {
  const { of_team, with_email } = await countJoined(trx, member, new Date(now.getTime() - DAY_MS));
  if (with_email >= MOST_WITH_EMAIL)
    throw new AppError(
      'too_many_invitations',
      `A team adds one e-mail at most ${MOST_WITH_EMAIL} times in 24 hours.`,
    );
  if (of_team >= MOST_OF_TEAM)
    throw new AppError('too_many_invitations', `A team gets at most ${MOST_OF_TEAM} members in 24 hours.`);
}

/**
 * Changes the rights of a member, or asks for the approvals that the change needs. New rights hold at once. An absent role stays as
 * it is. Absent wallets stay as they are, unless a given role uses every wallet.
 * @throws AppError `not_found`, `role_missing`, `last_owner`, `too_few_approvers`, `invalid_request`
 */
export async function changeMember(
  deps: MemberDeps,
  { login: caller, actor }: Requester,
  change: { user_id: string } & { [K in keyof Rights]?: Rights[K] | undefined },
): Promise<Member | AwaitsApproval> {
  return audited(deps, actor, async (trx, note) => {
    const own = await lockTeamOf(trx, caller, []);
    const member = await requireMember(trx, own.team_id, change.user_id);
    const { user_id, role: before, wallet_ids: used } = member;
    const role = change.role ?? before;
    const kept = usesAllWallets(role) && change.role !== undefined ? null : used;
    const wallet_ids = change.wallet_ids === undefined ? kept : change.wallet_ids;
    requireManage(own.role, [before, role]);
    await checkRights(trx, own.team_id, { role, wallet_ids });
    if (before === 'owner' && role !== 'owner') await requireAnotherOwner(trx, own.team_id);
    const now = deps.clock.now();
    if (role === before && isDeepStrictEqual(wallet_ids, used)) return member;
    const awaiting = await awaitApprovals(
      trx,
      { by: { login: caller, actor }, note, now },
      {
        kind: 'members',
        operation: 'changeMember',
        wallet_id: null,
        target_id: user_id,
        wallet_ids: wallet_ids && used && [...used, ...wallet_ids],
        change: { role, wallet_ids, before: { role: before, wallet_ids: used } },
      },
    );
    if (awaiting) return awaiting;
    await keepingApprovers(trx, own.team_id, () => changeRights(trx, user_id, { role, wallet_ids, now }));
    if (role !== before) await revokeInvitationsBy(trx, user_id, now);
    note({
      team_id: own.team_id,
      action: 'member.changed',
      target: { kind: 'member', id: user_id },
      before: { role: before, wallet_ids: used },
      after: { role, wallet_ids },
    });
    return requireMember(trx, own.team_id, user_id);
  });
}

/**
 * Ends a membership and every session of the user: the tokens are refused when this returns. Everyone may leave. Returns the service
 * users of the team with a credential that the user knows: these go on, so the team replaces their credentials.
 * @throws AppError `not_found`, `role_missing`, `last_owner`, `too_few_approvers`
 */
export async function removeMember(
  deps: MemberDeps,
  { login: caller, actor }: Requester,
  user_id: string,
): Promise<NamedProgram[]> {
  const now = deps.clock.now();
  return audited(deps, actor, async (trx, note) => {
    const own = await lockTeamOf(trx, caller, []);
    const { role, email } = await requireMember(trx, own.team_id, user_id);
    if (user_id !== caller.user.id) requireManage(own.role, [role]);
    if (role === 'owner') await requireAnotherOwner(trx, own.team_id);
    await keepingApprovers(trx, own.team_id, () => endMembership(trx, user_id, now));
    await endSessions(trx, user_id);
    await revokeInvitationsBy(trx, user_id, now);
    const target = { kind: 'member', id: user_id };
    note({ team_id: own.team_id, action: 'member.removed', target, before: { email, role } });
    return programsKnownTo(trx, own.team_id, user_id);
  });
}

/** @throws AppError `invalid_request` when the wallets do not fit the role, or are not the team's */
export async function checkRights(trx: Trx, team_id: string, { role, wallet_ids }: Rights): Promise<void> {
  const wrong = (message: string) =>
    new AppError('invalid_request', 'The wallets are not right.', {
      details: [{ path: '/wallet_ids', message }],
    });
  if (wallet_ids === null) return;
  if (usesAllWallets(role)) throw wrong(`must be absent: the role ${role} uses every wallet`);
  const [stranger] = await notOfTeam(trx, team_id, wallet_ids);
  if (stranger !== undefined) throw wrong(`${stranger} is no wallet of the team`);
}

/** Makes the error that refuses to add or to invite the e-mail of a member. */
export function isMember(): AppError {
  return new AppError('already_in_team', 'The user with this e-mail is a member already.');
}

async function requireAnotherOwner(trx: Trx, team_id: string): Promise<void> {
  if ((await countOwners(trx, team_id)) > 1) return;
  throw new AppError('last_owner', 'A team has at least one owner. Make another member an owner first.');
}

async function requireMember(trx: Trx, team_id: string, user_id: string): Promise<Member> {
  const member = await findMember(trx, team_id, user_id);
  if (!member) throw new AppError('not_found', 'There is no such member.');
  return member;
}
