/** Two withdrawals that need the approval of another member: one is approved, one rejected. */
import { strict as assert } from 'node:assert';
import { changePolicy } from '../../src/withdrawals/policies/policy-changes.ts';
import type { DecisionCall } from '../oracle/evidence.ts';
import { seededRandom } from '../support/random.ts';
import { decide } from './approvers.ts';
import { ask } from './clients.ts';
import { pastAllGates, type Scenario, SMALLEST } from './exhaustive.ts';
import { actorOf, teamOf } from './members.ts';
import { newOrder } from './orders.ts';
import type { SimulatedService } from './simulated-service.ts';

const MOST_TRIES = 20;
/** None of them knows a credential of the program, which may be the one that asks. */
const APPROVERS = ['owner', 'admin'];

export const scenarioOfApprovals: Scenario = {
  name: 'approvals',
  setting: {
    ...SMALLEST,
    env: { CHANNELS_MAX: '0', WITHDRAW_VALID_SECONDS: '30', WITHDRAW_WAIT_SECONDS: '60' },
    teams: true,
    roles: ['settler'],
  },
  async play(world) {
    const [wallet] = world.accounts.wallets;
    assert(wallet);
    const [owner] = teamOf(world.desk, wallet.owner.id);
    assert(owner);
    const by = { actor: actorOf(owner), wallet: { id: wallet.id, owner_id: owner.team_id } };
    const approvals = { required: 1, above: [], for: ['withdrawals' as const], without_factor: true };
    await pastAllGates(world, (deps) => changePolicy(deps, by, (target) => ({ ...target, approvals })));
    await Promise.all([
      untilDecided(world, owner.team_id, 'approved'),
      untilDecided(world, owner.team_id, 'rejected'),
    ]);
  },
};

/** The members ask and decide again until it is done. */
async function untilDecided(
  { desk, scheduler, world, office }: SimulatedService,
  team_id: string,
  decision: DecisionCall['decision'],
): Promise<void> {
  const random = seededRandom(decision);
  const order = newOrder({ ...desk, random }, ['plain'], desk.serial++);
  for (let tries = MOST_TRIES; tries > 0; tries--) {
    const [row] = await office.ask(
      'select id, wallet_id, order_hash, status, requested_by from withdrawals where idempotency_key = $1',
      [order.key],
    );
    if (!row) await ask(desk, order);
    else if (row.status !== 'awaiting_approval') return;
    else {
      const members = teamOf(desk, team_id);
      const member = members.find(({ role, id }) => APPROVERS.includes(role) && id !== row.requested_by);
      assert(member);
      await decide(desk, member, row, decision);
    }
    await scheduler.sleep(world, 3_000);
  }
}
