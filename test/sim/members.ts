/** Who acts in a team: asks for withdrawals, decides about them, changes rights. */
import type { Actor } from '../../src/audit/audit.ts';
import type { LoginCaller } from '../../src/auth/callers/authenticate.ts';
import { ACTOR } from '../support/acting.ts';
import type { SimulatedMember, SimulatedWallet } from './accounts.ts';
import type { Desk } from './desk.ts';

const PAYERS = ['owner', 'admin', 'operator'];

export function actorOf({ id, program }: SimulatedMember): Actor {
  return { ...ACTOR, kind: program ? 'service_user' : 'user', id, name: id };
}

/** Somebody who may ask for payments; one for all where the team has no others. `asked_by`: who it is in truth. */
export function askerFor(desk: Desk, { owner }: SimulatedWallet): { actor: Actor; asked_by: string } {
  const payers = teamOf(desk, owner.id).filter(({ role }) => PAYERS.includes(role));
  const actor = payers.length === 0 ? ACTOR : actorOf(desk.random.pick(payers));
  return { actor: desk.seenAs(actor), asked_by: actor.id ?? '' };
}

export function teamOf({ accounts }: Pick<Desk, 'accounts'>, team_id: string): SimulatedMember[] {
  return accounts.members.filter((member) => member.team_id === team_id);
}

/** A login of the member with an owner's role, for changes of the team. What these do not read is not there. */
export function requesterOf(member: SimulatedMember): { login: LoginCaller; actor: Actor } {
  const { id, team_id } = member;
  const login = {
    kind: 'login',
    by: 'user',
    user: { id },
    member: { team_id, role: 'owner', wallet_ids: null },
  };
  return { login: login as unknown as LoginCaller, actor: actorOf(member) };
}
