/**
 * Who may approve what another member asks for. The door of this slice for approvals.
 *
 * | rule                                              | why                                                          |
 * |---------------------------------------------------|--------------------------------------------------------------|
 * | the requester never counts                        | two people decide                                            |
 * | nor who has given the requesting program a secret | such a person could be both                                  |
 * | only rights from before the request count         | nobody adds an account, or demotes a member, to get through  |
 * | rights count as they are at the last decision     | an approval of a member who has left since is void           |
 * | the team is locked first                          | rights cannot change between the decision and its commit     |
 */
import type { Db, Trx } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import type { LoginCaller } from '../authenticate.ts';
import { APPROVERS } from './roles.ts';
import {
  type Approver,
  findApprover,
  listApprovers,
  lockTeamOfWallet,
  shortOfApprovers,
} from './team-store.ts';

export type { Approver };

/** Everyone who may approve for the wallet now. Its team stays locked until the transaction ends. */
export async function lockApprovers(trx: Trx, wallet_id: string): Promise<Approver[]> {
  const team_id = await lockTeamOfWallet(trx, wallet_id);
  return listApprovers(trx, team_id, wallet_id);
}

/** Who of them may decide about a request: everyone but the requester, with rights from before it. */
export function eligibleFor(
  approvers: Approver[],
  request: { requested_by: string | null; created_at: Date },
): Set<string> {
  const eligible = approvers.filter(
    ({ user_id, since, knows }) =>
      user_id !== request.requested_by &&
      !knows.includes(request.requested_by ?? '') &&
      since <= request.created_at,
  );
  return new Set(eligible.map(({ user_id }) => user_id));
}

/** The caller as an approver, for what a page offers. Null for a role that may not approve. */
export async function callerAsApprover(db: Db, { user, member }: LoginCaller): Promise<Approver | null> {
  if (!APPROVERS.includes(member.role)) return null;
  return (await findApprover(db, user.id)) ?? null;
}

/**
 * Whether so many approvals can be had whoever asks: one of the approvers may be the requester.
 * @throws AppError `too_few_approvers`
 */
export function requireEnough(approvers: Approver[], required: number): void {
  if (approvers.length > required) return;
  throw new AppError(
    'too_few_approvers',
    `${required} approvals beside the requester need ${required + 1} members who may approve for this wallet ` +
      `(owner, admin or approver); there are ${approvers.length}. Add members first, or ask for fewer approvals.`,
  );
}

/**
 * Runs a change of members, in a transaction that has locked the team.
 * @throws AppError `too_few_approvers` when a wallet could no longer get the approvals that its policy asks for
 */
export async function keepingApprovers<T>(trx: Trx, team_id: string, change: () => Promise<T>): Promise<T> {
  const short_before = new Set(await shortOfApprovers(trx, team_id));
  const changed = await change();
  const short = (await shortOfApprovers(trx, team_id)).filter((wallet_id) => !short_before.has(wallet_id));
  if (short.length === 0) return changed;
  throw new AppError(
    'too_few_approvers',
    `The policy of ${short.join(', ')} asks for more approvals than the other members could give. Change the policy, or add ` +
      'a member who may approve, first.',
  );
}
