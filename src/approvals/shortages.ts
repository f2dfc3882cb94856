/** Pure: where a team has too few members to approve what may be asked for. */

import type { Approver, Identity } from '../auth/teams/approver-store.ts';
import type { AskingProgram, NamedProgram } from '../auth/teams/program-store.ts';
import { usesWallet } from '../auth/teams/roles.ts';
import type { ApprovalNeed } from './need-store.ts';

/**
 * What is asked for in a wallet could not get its approvals. `program`: what this service user asks for; null: what a member
 * asks for. `able`: how many members could approve it.
 */
export type Shortage = { wallet_id: string; required: number; able: number; program: NamedProgram | null };

/** Returns the wallets in which too few members could approve what may be asked for. `approvers` and `programs`: those of the team. */
export function shortages(
  needs: ApprovalNeed[],
  approvers: Approver[],
  programs: AskingProgram[],
): Shortage[] {
  return needs.flatMap(({ wallet_id, required, withdrawals }) => {
    const uses = (rights: { wallet_ids: string[] | null }) => usesWallet(rights, wallet_id);
    const all = approvers.filter(uses).map(({ user_id, knows }) => ({ user_id, known: knownNow(knows) }));
    const ableFor = (asker: string) =>
      all.filter(({ user_id, known }) => user_id !== asker && !known.has(asker)).length;
    const found: Shortage[] = [];
    // Any of them may be the member who asks.
    const fewest = Math.min(...(all.length > 0 ? all.map(({ user_id }) => ableFor(user_id)) : [0]));
    if (fewest < required) found.push({ wallet_id, required, able: fewest, program: null });
    if (!withdrawals) return found; // a program asks for nothing else
    for (const { id, name } of programs.filter(uses)) {
      const able = ableFor(id);
      if (able < required) found.push({ wallet_id, required, able, program: { id, name } });
    }
    return found;
  });
}

function knownNow(knows: Identity[]): Set<string> {
  return new Set(knows.filter(({ until }) => until === null).map(({ id }) => id));
}

/** Describes what is short, and what to do first. */
export function shortInWords(short: Shortage[]): string {
  const facts = short.map(
    ({ wallet_id, required, able, program }) =>
      `${wallet_id} needs ${required === 1 ? '1 approval' : `${required} approvals`}, ` +
      (program
        ? `and without the members who know a credential of the service user ${program.name} (${program.id}) ${able} could approve what it asks for.`
        : `and beside the requester ${able} members could approve (owner, admin or approver).`),
  );
  const advice = short.some(({ program }) => program)
    ? 'First add a member who may approve, retire a credential that one of them knows, or let who knows one already give the ' +
      'next one; or let the policy ask for fewer approvals.'
    : 'First add a member who may approve, or let the policy ask for fewer approvals. A member whose first password or ' +
      'invitation link another member has seen chooses another password first.';
  return [...facts, advice].join(' ');
}
