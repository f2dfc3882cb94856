/** What changes while withdrawals await approvals: rights of members, rules of approvals, and the operator's freeze. */
import { strict as assert } from 'node:assert';
import { changeMember, removeMember } from '../../src/access/teams/members.ts';
import { insertMember, lockTeam } from '../../src/auth/teams/team-store.ts';
import { disableUser, enableUser } from '../../src/auth/users/operator-store.ts';
import type { Deps } from '../../src/deps.ts';
import { NATIVE } from '../../src/stellar/asset.ts';
import type { Approvals } from '../../src/withdrawals/policies/approval-rules.ts';
import { freezeByOperator, unfreezeByOperator } from '../../src/withdrawals/policies/operator-freeze.ts';
import { changePolicy } from '../../src/withdrawals/policies/policy-changes.ts';
import { ACTOR } from '../support/acting.ts';
import type { Random } from '../support/random.ts';
import type { SimulatedMember, SimulatedWallet } from './accounts.ts';
import type { Desk } from './desk.ts';
import { asked } from './integrators.ts';
import { actorOf, requesterOf, teamOf } from './members.ts';
import type { SimulatedService } from './simulated-service.ts';

/** Some payments are above it, and most wallets pay more than it together. */
const ABOVE = [{ ...NATIVE, amount_stroops: 400_000_000n }];
const RULES: readonly Approvals[] = [
  { required: 1, above: [], for: ['withdrawals'], without_factor: true },
  { required: 1, above: ABOVE, for: ['withdrawals'], without_factor: true },
  { required: 2, above: ABOVE, for: ['withdrawals', 'policies'], without_factor: true },
  { required: 2, above: [], for: ['withdrawals'], without_factor: true },
  { required: 3, above: ABOVE, for: ['withdrawals'], without_factor: true },
];

/** Gives some wallets one of these rules before anybody asks for a withdrawal. */
export async function setRules(
  world: SimulatedService,
  random: Random,
  rules: readonly Approvals[] = RULES,
): Promise<void> {
  const { wallets } = world.accounts;
  const deps = { ...world.office.deps, db: world.database.direct() };
  const first = random.pick(wallets);
  for (const wallet of wallets.filter((one) => one === first || random.chance(0.5))) {
    const owner = ownerOf(world.desk, wallet);
    const approvals = random.pick(rules);
    const by = { actor: actorOf(owner), wallet: { id: wallet.id, owner_id: owner.team_id } };
    await changePolicy(deps, by, (target) => ({ ...target, approvals }));
    world.desk.approving.push(wallet);
  }
}

function ownerOf(desk: Pick<Desk, 'accounts'>, { owner }: SimulatedWallet): SimulatedMember {
  const found = teamOf(desk, owner.id).find(({ role }) => role === 'owner');
  assert(found);
  return found;
}

type Change = (desk: Desk, wallet: SimulatedWallet) => Promise<unknown>;

/** One change after another, until the desk closes. */
export async function changeTeams(desk: Desk, pause_ms: number): Promise<void> {
  const { random, scheduler, world } = desk;
  while (!desk.closing) {
    await scheduler.sleep(world, random.integer(0, pause_ms));
    await random.pick(CHANGES)(desk, random.pick(desk.approving));
  }
}

const CHANGES: readonly Change[] = [
  giveRights,
  giveRights,
  comeOrGo,
  disableOrEnable,
  changeRule,
  changeRule,
  freeze,
];

/** Of the members who do nothing else. */
function approverOf(desk: Desk, wallet: SimulatedWallet): SimulatedMember {
  return desk.random.pick(teamOf(desk, wallet.owner.id).filter(({ role }) => role === 'approver'));
}

/** To an approver: another role, other wallets, or what the role was at first. */
function giveRights(desk: Desk, wallet: SimulatedWallet) {
  const { random } = desk;
  const { id: user_id } = approverOf(desk, wallet);
  const role = random.pick(['approver', 'approver', 'viewer', 'admin'] as const);
  const wallet_ids = role !== 'admin' && random.chance(0.3) ? [wallet.id] : null;
  const by = requesterOf(ownerOf(desk, wallet));
  return asked(desk, `${role} for ${user_id}`, (deps) =>
    changeMember(deps, by, { user_id, role, wallet_ids }),
  );
}

/** An approver leaves the team, and one who has left comes back, as with an invitation. */
function comeOrGo(desk: Desk, wallet: SimulatedWallet) {
  const { id: user_id, team_id } = approverOf(desk, wallet);
  const by = requesterOf(ownerOf(desk, wallet));
  if (desk.random.chance(0.5))
    return asked(desk, `the end of ${user_id}`, (deps) => removeMember(deps, by, user_id));
  return asked(desk, `${user_id} to come again`, (deps) => comeAgain(deps, { user_id, team_id }));
}

async function comeAgain({ db, clock }: Deps, member: { user_id: string; team_id: string }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockTeam(trx, member.team_id);
    await insertMember(trx, { ...member, role: 'approver', wallet_ids: null, now: clock.now() });
  });
}

/** As the operator does it; it does not wait for the lock of the team. */
function disableOrEnable(desk: Desk, wallet: SimulatedWallet) {
  const { id: user_id } = approverOf(desk, wallet);
  if (desk.random.chance(0.6))
    return asked(desk, `to enable ${user_id}`, ({ db }) => enableUser(db, user_id));
  return asked(desk, `to disable ${user_id}`, ({ db, clock }) =>
    db.transaction().execute((trx) => disableUser(trx, { user_id, unusable_hash: '-', now: clock.now() })),
  );
}

/** A stricter rule holds at once. A looser one awaits approvals. */
function changeRule(desk: Desk, wallet: SimulatedWallet) {
  const owner = ownerOf(desk, wallet);
  const approvals = desk.random.chance(0.1) ? null : desk.random.pick(RULES);
  const by = { actor: actorOf(owner), wallet: { id: wallet.id, owner_id: owner.team_id } };
  return asked(desk, `a rule with ${approvals?.required} for ${wallet.id}`, (deps) =>
    changePolicy(deps, by, (target) => ({ ...target, approvals })),
  );
}

async function freeze(desk: Desk, wallet: SimulatedWallet): Promise<void> {
  await asked(desk, `a freeze of ${wallet.id}`, (deps) => freezeByOperator(deps, byOperator(wallet), null));
  await desk.scheduler.sleep(desk.world, desk.random.integer(1_000, 20_000));
  await asked(desk, `the end of the freeze of ${wallet.id}`, (deps) =>
    unfreezeByOperator(deps, byOperator(wallet)),
  );
}

function byOperator({ id, owner }: SimulatedWallet) {
  return { actor: { ...ACTOR, kind: 'operator' as const, id: null }, wallet: { id, owner_id: owner.id } };
}

/** What a fault has kept from being ended. */
export async function unfreezeAll({ approving }: Desk, deps: Deps): Promise<void> {
  for (const wallet of approving)
    await unfreezeByOperator(deps, byOperator(wallet)).catch((error) =>
      deps.log.info({ err: error }, 'not frozen'),
    );
}
