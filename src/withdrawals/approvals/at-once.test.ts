/**
 * Members of a team who decide at once, on two processes, while the time ends and rights change: whatever the order, a withdrawal
 * is queued with enough approvals of members who may approve, or failed, never both, and no decision comes after that.
 */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { ACTOR } from '../../../test/support/acting.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { seededRandom } from '../../../test/support/random.ts';
import type { Actor } from '../../audit/audit.ts';
import { changeRights, insertMember, lockTeam } from '../../auth/teams/team-store.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../lib/ids.ts';
import { NATIVE } from '../../stellar/asset.ts';
import type { Wallet } from '../../wallets/access.ts';
import { createClaims } from '../engine/claims.ts';
import type { Withdrawal } from '../engine/store.ts';
import { changePolicy } from '../policies/policy-changes.ts';
import { approveWithdrawal, rejectWithdrawal } from './decide-withdrawal.ts';
import { endExpired } from './expiry.ts';

const ROUNDS = 30;
const REQUIRED = 2;
const APPROVERS = 5;

let world: InProcessService;
let processes: Deps[];
let wallet: Wallet;
let members: string[];
let requester: Actor;

before(async () => {
  world = await startInProcess();
  processes = [world.deps, world.another()];
  wallet = await world.wallet();
  const { ledger, close_time } = await latest();
  await world.deps.db.insertInto('withdrawal_cursor').values({ ledger, close_time }).execute();
  members = [];
  for (let count = 0; count < APPROVERS; count++) members.push(await newMember('approver'));
  requester = { ...ACTOR, id: await newMember('operator') };
  const rule = { required: REQUIRED, above: [], for: ['withdrawals' as const], without_factor: true };
  const by = { actor: { ...ACTOR, id: wallet.owner_id }, wallet };
  await changePolicy(world.deps, by, (policy) => ({ ...policy, approvals: rule }));
});
after(() => world.close());

async function latest() {
  const { sequence: ledger, close_time } = await world.deps.stellar.latestLedger();
  return { ledger, close_time };
}

async function newMember(role: 'approver' | 'operator'): Promise<string> {
  const now = world.deps.clock.now();
  const id = newId('usr', now);
  await world.deps.db.transaction().execute(async (trx) => {
    const user = { id, email: `${id}@example.com`, name: id, password_hash: '' };
    await trx
      .insertInto('users')
      .values({ ...user, email_folded: user.email })
      .execute();
    await insertMember(trx, { user_id: id, team_id: wallet.owner_id, role, wallet_ids: null, now });
  });
  return id;
}

async function requested(): Promise<Withdrawal> {
  const created_at = world.deps.clock.now();
  const id = newId('wd', created_at);
  const { holder, violation } = await createClaims(world.deps).claim({
    id,
    wallet_id: wallet.id,
    owner_id: wallet.owner_id,
    idempotency_key: id,
    created_at,
    operation: 'payment',
    ...NATIVE,
    destination: wallet.account,
    amount_stroops: 5n,
    memo_id: null,
    memo_return: null,
    refund_of: null,
    wallet_account: wallet.account,
    actor: requester,
  });
  assert.equal(violation, null);
  assert.equal(holder?.status, 'awaiting_approval');
  return holder;
}

const read = (id: string) =>
  world.deps.db.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

function decide(deps: Deps, verb: 'approve' | 'reject', row: Withdrawal, user_id: string): Promise<unknown> {
  const said = {
    by: { actor: { ...ACTOR, id: user_id }, wallet },
    order_hash: row.order_hash ?? '',
    comment: null,
  };
  return verb === 'approve'
    ? approveWithdrawal(deps, row.id, { ...said, decision: 'approved' })
    : rejectWithdrawal(deps, row.id, { ...said, decision: 'rejected' });
}

/** The member gets other rights and the old ones back: their decisions about older requests are void. */
async function shake(user_id: string): Promise<void> {
  const { db, clock } = world.deps;
  for (const role of ['viewer', 'approver'] as const)
    await db.transaction().execute(async (trx) => {
      await lockTeam(trx, wallet.owner_id);
      await changeRights(trx, user_id, { role, wallet_ids: null, now: clock.now() });
    });
}

function expire(deps: Deps, row: Withdrawal): Promise<unknown> {
  const end = row.approval_expires_at ?? assert.fail();
  return endExpired({ ...deps, clock: { ...deps.clock, now: () => new Date(end.getTime() + 1) } });
}

test('any acts at once leave the withdrawal awaiting, queued with enough approvals, or failed, and it ends once', async () => {
  const random = seededRandom('approvals at once');
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const row = await requested();
    const acts = Array.from({ length: random.integer(1, 12) }, () => {
      const deps = random.pick(processes);
      const user_id = random.pick([...members, requester.id ?? '']);
      if (random.chance(0.04)) return expire(deps, row);
      if (random.chance(0.06)) return shake(random.pick(members));
      return decide(deps, random.chance(0.08) ? 'reject' : 'approve', row, user_id);
    });
    await Promise.allSettled(acts);
    const now = await read(row.id);
    seen.add(now.status);
    assertConsistent(now);
    if (now.status === 'awaiting_approval') await expire(world.deps, row);
    else for (const member of members) await assert.rejects(decide(world.deps, 'approve', row, member));
    const later = await read(row.id);
    if (now.status !== 'awaiting_approval') assert.deepEqual(later, now);
    // Nothing signs here: what is queued leaves the queue.
    await world.deps.db.deleteFrom('withdrawals').where('id', '=', row.id).execute();
  }
  assert.deepEqual([...seen].sort(), ['awaiting_approval', 'failed', 'queued']);
});

function assertConsistent({
  status,
  approvals,
  approved_at,
  failure_code,
  envelope_xdr,
  tx_source,
}: any): void {
  const deciders = approvals.map(({ user_id }: any) => user_id);
  assert.equal(new Set(deciders).size, deciders.length, 'each member decides once');
  const own = approvals.filter(({ user_id }: any) => user_id === requester.id);
  assert.ok(
    own.every(({ decision }: any) => decision === 'rejected'),
    'the requester takes back at most',
  );
  const rejected = approvals.filter(({ decision }: any) => decision === 'rejected').length;
  assert.deepEqual([envelope_xdr, tx_source], [null, null]);
  if (status === 'queued') {
    assert.ok(approved_at);
    assert.equal(rejected, 0);
    assert.ok(approvals.length >= REQUIRED);
  } else assert.equal(approved_at, null);
  if (status === 'failed') assert.equal(failure_code === 'rejected', rejected === 1);
  if (status === 'awaiting_approval') assert.equal(rejected, 0);
}
