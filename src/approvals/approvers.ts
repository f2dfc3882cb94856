/**
 * Who may approve what another member asks for. The door of this slice for approvals.
 *
 * | rule                                              | why                                                          |
 * |---------------------------------------------------|--------------------------------------------------------------|
 * | the requester never counts                        | two people decide                                            |
 * | nor who knew a credential of the requesting       | such a person could be both, also when the credential has    |
 * | program at the request, or since                  | ended before the approval                                    |
 * | nor two members of whom one person knows the      | such a person could be both, until an hour after the member  |
 * | password, or that one and a program               | has chosen another one and has no factor from before         |
 * | only rights from before the request count         | nobody adds an account, or demotes a member, to get through  |
 * | rights count as they are at the last decision     | an approval of a member who has left since is void           |
 * | who has no second factor does not count, unless   | a password alone is stolen more easily                       |
 * | the policies say `without_factor`                 |                                                              |
 * | the team is locked first                          | rights cannot change between the decision and its commit     |
 */

import type { LoginCaller } from '../auth/callers/authenticate.ts';
import { type Approver, findApprover, listApprovers } from '../auth/teams/approver-store.ts';
import { listAskingPrograms } from '../auth/teams/program-store.ts';
import { APPROVERS, usesWallet } from '../auth/teams/roles.ts';
import { lockTeamOfWallet } from '../auth/teams/team-store.ts';
import { KNOWN_AFTER_END_MS } from '../auth/users/known-password-store.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../lib/errors.ts';
import { listApprovalNeeds, type Need, needOfWallet } from './need-store.ts';
import { type Shortage, shortages, shortInWords } from './shortages.ts';

export { type Approver, listApprovalNeeds, lockTeamOfWallet };

/** Who may decide. `needs_factor`: only with a second factor. */
export type Deciders = { approvers: Approver[]; needs_factor: boolean };

/** Locks the team of a wallet until the transaction ends, so that no rule becomes stricter. Returns who may decide for the wallet now. */
export async function lockApprovers(trx: Trx, wallet_id: string): Promise<Deciders> {
  const team_id = await lockTeamOfWallet(trx, wallet_id);
  const need = await needOfWallet(trx, team_id, wallet_id);
  const approvers = await listApprovers(trx, team_id);
  return {
    approvers: approvers.filter((approver) => usesWallet(approver, wallet_id)),
    needs_factor: needsFactor(need ? [need] : []),
  };
}

/** Returns who of these members may decide for a wallet of these needs. */
export function decidersFor(needs: Need[], approvers: Approver[]): Deciders {
  return {
    approvers: approvers.filter((approver) => needs.some(({ wallet_id }) => usesWallet(approver, wallet_id))),
    needs_factor: needsFactor(needs),
  };
}

/** Returns false only where at least one policy asks for approvals, and every such policy says `without_factor`. */
export function needsFactor(needs: Pick<Need, 'without_factor'>[]): boolean {
  return needs.length === 0 || needs.some(({ without_factor }) => !without_factor);
}

/** Who asked, and when. */
type Asked = { requested_by: string | null; created_at: Date };

/**
 * Returns the ids of the users who may decide about a request: everyone with rights from before it, except the requester and whoever
 * could be the requester (`knewRequester`).
 */
export function eligibleFor(approvers: Approver[], asked: Asked): Set<string> {
  const eligible = approvers.filter(
    (approver) =>
      approver.user_id !== asked.requested_by &&
      !knewRequester(approver, asked) &&
      approver.since <= asked.created_at,
  );
  return new Set(eligible.map(({ user_id }) => user_id));
}

/** Returns the ids of the users whose approvals count: those who may decide, and have the factor that they need. */
export function countingFor({ approvers, needs_factor }: Deciders, asked: Asked): Set<string> {
  return eligibleFor(
    approvers.filter(({ has_factor }) => has_factor || !needs_factor),
    asked,
  );
}

/**
 * Returns true when one person could be the approver and the requester: by a credential or a password that they knew at the request,
 * or since.
 */
export function knewRequester({ knows }: Approver, { requested_by, created_at }: Asked): boolean {
  return knows.some(
    ({ id, until }) =>
      id === requested_by && (until === null || until.getTime() + KNOWN_AFTER_END_MS > created_at.getTime()),
  );
}

/** Returns the caller as an approver, for what a page offers; null for a role that may not approve, and for a service user. */
export async function callerAsApprover(db: Db, { user, member }: LoginCaller): Promise<Approver | null> {
  if (!APPROVERS.includes(member.role)) return null;
  return (await findApprover(db, member.team_id, user.id)) ?? null;
}

/**
 * Checks that the approvals that the wallet's policy asks for can be had whoever asks: a member or a program. Call it in the
 * transaction that has changed the policy.
 * @throws AppError `too_few_approvers`
 */
export async function requireEnough(trx: Trx, wallet_id: string): Promise<void> {
  const team_id = await lockTeamOfWallet(trx, wallet_id);
  const short = (await shortagesOf(trx, team_id)).filter((each) => each.wallet_id === wallet_id);
  if (short.length > 0) throw tooFew(short);
}

/**
 * Runs a change of members or of service users, in a transaction that has locked the team.
 * @throws AppError `too_few_approvers` when what is asked for in a wallet could no longer get the approvals that its policy
 * asks for
 */
export async function keepingApprovers<T>(trx: Trx, team_id: string, change: () => Promise<T>): Promise<T> {
  const nameOf = ({ wallet_id, program }: Shortage) => `${wallet_id} ${program?.id}`;
  const short_before = new Set((await shortagesOf(trx, team_id)).map(nameOf));
  const changed = await change();
  const short = (await shortagesOf(trx, team_id)).filter((each) => !short_before.has(nameOf(each)));
  if (short.length > 0) throw tooFew(short);
  return changed;
}

async function shortagesOf(trx: Trx, team_id: string): Promise<Shortage[]> {
  const needs = await listApprovalNeeds(trx, team_id);
  if (needs.length === 0) return [];
  const approvers = await listApprovers(trx, team_id);
  return shortages(needs, approvers, await listAskingPrograms(trx, team_id));
}

function tooFew(short: Shortage[]): AppError {
  return new AppError('too_few_approvers', shortInWords(short));
}
