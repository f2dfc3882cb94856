/** Payouts that members must approve: one approval for the whole file, and never less than the policy asks for. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { payoutReader } from '../support/payouts.ts';
import { removeAndBringBack } from '../support/removed-and-back.ts';
import { assertError, joinService, type Member, unique, type Wallet } from '../support/running-service.ts';

const world = await joinService('undelayed');
after(() => world.stop());

let payee: string;
let members: Record<'operator' | 'anna' | 'bert', Member>;
let wallet: Wallet;
before(async () => {
  payee = (await world.ledger.fund()).publicKey();
  members = {
    operator: await world.newMember('operator'),
    anna: await world.newMember('approver'),
    bert: await world.newMember('approver'),
  };
});
beforeEach(async () => {
  wallet = await world.newWallet();
});

const path = (rest: string) => `/v1/wallets/${wallet.id}${rest}`;
async function ask(required: number, amount_stroops = 100n, more: object = {}) {
  const approvals = { required, for: ['withdrawals'], above: [{ amount_stroops }], without_factor: true };
  const body = { approvals, ...more };
  const answer = await world.api('PATCH', path('/policy'), { token: world.token, body });
  assert.equal(answer.status, 200, answer.text);
}
async function made(amounts: bigint[], { token } = members.operator) {
  const rows = amounts.map((amount_stroops) => ({
    idempotency_key: unique('row'),
    destination: payee,
    amount_stroops,
  }));
  const body = { name: 'May', rows };
  const answer = await world.api('POST', path('/payouts'), { token, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}
const act = (payout: any, verb: string, { token }: { token: string }, body?: object) =>
  world.api('POST', path(`/payouts/${payout.id}/${verb}`), { token, ...(body && { body }) });
async function awaiting(amounts = [60n, 61n], by = members.operator) {
  const answer = await act(await made(amounts, by), 'start', by);
  assert.equal(answer.body.data.status, 'awaiting_approval', answer.text);
  return answer.body.data;
}
const decide = (
  verb: 'approve' | 'reject',
  payout: any,
  by: { token: string },
  order_hash = payout.order_hash,
) => act(payout, verb, by, { order_hash });
const { read, until, withdrawalsOf } = payoutReader(world);

describe('a payout of a wallet that asks for approvals', () => {
  it('awaits them by the sum of its rows: to split an amount avoids nothing; up to it none are needed', async () => {
    await ask(1);
    const below = await act(await made([40n, 60n]), 'start', members.operator);
    assert.equal(below.body.data.status, 'running', below.text);
    const draft = await made([40n, 61n], members.operator);
    const { items } = (await world.api('GET', path('/payouts'), members.operator)).body.data;
    const listed = items.find(({ id }: any) => id === draft.id);
    const one = (await world.api('GET', path(`/payouts/${draft.id}`), members.operator)).body.data;
    const refusals = [
      await act(draft, 'pause', members.operator),
      await decide('approve', { ...draft, order_hash: '0'.repeat(64) }, members.anna),
    ].map(({ status, body }) => {
      assert.equal(status, 409);
      return body.data;
    });
    for (const { status, approvals_required, approvals_cause, order_hash } of [
      draft,
      listed,
      one,
      ...refusals,
    ])
      assert.deepEqual(
        [status, approvals_required, approvals_cause, order_hash],
        ['draft', 1n, 'amount', null],
      );
    const payout = (await act(draft, 'start', members.operator)).body.data;
    const { status, approvals_required, approvals_cause } = payout;
    assert.deepEqual([status, approvals_required, approvals_cause], ['awaiting_approval', 1n, 'amount']);
    assert.match(payout.order_hash, /^[0-9a-f]{64}$/);
    assert.deepEqual(await withdrawalsOf(payout), []);
    await until(below.body.data, 'completed');
    assert.equal((await awaiting([1n])).approvals_cause, 'sum'); // with what was paid without approvals
  });

  it('is in the list of what awaits approvals, and runs with the last one; each withdrawal shows who approved it', async () => {
    await ask(2);
    const payout = await awaiting();
    const list = await world.api('GET', '/v1/approvals', { token: members.anna.token });
    const item = list.body.data.items.find(({ payout: found }: any) => found?.id === payout.id);
    assert.deepEqual([item.kind, item.may_decide, item.payout.counts.waiting], ['payout', true, 2n]);
    assert.equal((await decide('approve', payout, members.anna)).body.data.status, 'awaiting_approval');
    assert.deepEqual(await withdrawalsOf(payout), []);
    assert.equal((await decide('approve', payout, members.bert)).body.data.status, 'running');
    await until(payout, 'completed');
    for (const row of await withdrawalsOf(payout)) {
      const { status, approvals_required, approvals_cause, approvals, requested_by } = row;
      assert.deepEqual([status, approvals_required, approvals_cause], ['confirmed', 2, 'amount']);
      assert.equal(requested_by, members.operator.id);
      assert.deepEqual(
        approvals.map(({ user_id }: any) => user_id),
        [members.anna.id, members.bert.id],
      );
    }
  });

  it('403 for who started it and for roles that may not, 409 for another hash and the second decision', async () => {
    await ask(2);
    const payout = await awaiting();
    assertError(await decide('approve', payout, members.operator), 403, 'role_missing');
    assertError(await decide('approve', payout, members.anna, 'ab'.repeat(32)), 409, 'order_changed');
    const approvals = (without_factor: boolean) =>
      world.query(
        `update wallet_policies set approvals = approvals || jsonb_build_object('without_factor', $2::boolean) where wallet_id = $1`,
        [wallet.id, without_factor],
      );
    await approvals(false);
    assertError(await decide('approve', payout, members.anna), 403, 'factor_required');
    await approvals(true);
    assert.equal((await decide('approve', payout, members.anna)).status, 200);
    assertError(await decide('approve', payout, members.anna), 409, 'already_decided');
    const own = await act(await made([200n]), 'start', { token: world.token });
    assertError(await decide('approve', own.body.data, { token: world.token }), 403, 'may_not_approve');
  });

  it('a rejection, or the requester who takes it back, cancels it: nothing of it is paid', async () => {
    await ask(1);
    for (const by of [members.anna, members.operator]) {
      const payout = await awaiting();
      const rejected = await decide('reject', payout, by);
      assert.equal(rejected.body.data.status, 'cancelled', rejected.text);
      assert.deepEqual(
        [rejected.body.data.reason.code, rejected.body.data.counts.cancelled],
        ['rejected', 2n],
      );
      assertError(await decide('approve', payout, members.bert), 409, 'not_awaiting_approval');
      assert.deepEqual(await withdrawalsOf(payout), []);
    }
  });

  it('ends after 24 hours', async () => {
    await ask(1);
    const payout = await awaiting();
    const late = `update payouts set approval_expires_at = now() - interval '1 second' where id = $1`;
    await world.query(late, [payout.id]);
    assertError(await decide('approve', payout, members.anna), 409, 'not_awaiting_approval');
    assert.equal((await until(payout, 'cancelled')).reason.code, 'approval_expired');
  });

  it('is among the decided requests afterwards, however it ended, also while it runs', async () => {
    await ask(1);
    const [cancelled, rejected, approved] = [await awaiting(), await awaiting(), await awaiting()];
    await act(cancelled, 'cancel', members.operator);
    await decide('reject', rejected, members.anna);
    await decide('approve', approved, members.anna);
    const { body } = await world.api('GET', '/v1/approvals/decided', { token: members.anna.token });
    const ours = body.data.items.filter(({ wallet_id }: any) => wallet_id === wallet.id);
    assert.deepEqual(
      ours.map(({ kind, payout, outcome }: any) => [kind, payout.id, outcome]),
      [
        ['payout', approved.id, 'approved'],
        ['payout', rejected.id, 'rejected'],
        ['payout', cancelled.id, 'cancelled'],
      ],
      'the payments of a payout are decided with it',
    );
    assert.equal(ours[0].payout.totals[0].amount_stroops, 121n);
  });

  it('ends when the member who started it is removed, also one who came back, before anybody approves it', async () => {
    await ask(1);
    const [leaver, returned] = [await world.newMember('operator'), await world.newMember('operator')];
    const payouts = [await awaiting(undefined, leaver), await awaiting(undefined, returned)];
    const left = await world.api('DELETE', `/v1/team/members/${leaver.id}`, { token: world.token });
    assert.equal(left.status, 200, left.text);
    await removeAndBringBack(world, returned.id);
    for (const payout of payouts)
      assertError(await decide('approve', payout, members.anna), 409, 'not_awaiting_approval');
    for (const payout of payouts)
      assert.equal((await until(payout, 'cancelled')).reason.code, 'requester_removed');
  });

  it('409 order_changed when a row was changed since: nobody approves what they did not see', async () => {
    await ask(1);
    const payout = await awaiting();
    await world.query(
      `update payout_rows set row_hash = repeat('0', 64), amount_stroops = 9000 where payout_id = $1 and number = 1`,
      [payout.id],
    );
    assertError(await decide('approve', payout, members.anna), 409, 'order_changed');
  });

  it('a policy that asks for more by now pauses it: nothing is paid, and a resume does not help', async () => {
    const payout = await made([60n, 61n]);
    // Started before there was a rule, and not a row begun.
    const started = `update payouts set status = 'paused', started_at = now(), requested_by = $2 where id = $1`;
    await world.query(started, [payout.id, members.operator.id]);
    await ask(1);
    for (let tries = 1; tries <= 2; tries++) {
      assert.equal((await act(payout, 'resume', members.operator)).status, 200);
      const { reason } = await until(payout, 'paused');
      assert.equal(reason.code, 'approvals_required');
      assert.match(reason.message, /^The policy asks for more approvals by now/);
    }
    assert.deepEqual(await withdrawalsOf(payout), []);
  });

  it('payments without approvals since its start pause it, and the reason says how much they were', async () => {
    await ask(1);
    const payout = await made([60n]);
    // Started before the other payment, and not a row begun.
    const started = `update payouts set status = 'paused', started_at = now(), requested_by = $2 where id = $1`;
    await world.query(started, [payout.id, members.operator.id]);
    const other = await act(await made([50n]), 'start', members.operator);
    await until(other.body.data, 'completed');
    assert.equal((await act(payout, 'resume', members.operator)).status, 200);
    const { reason } = await until(payout, 'paused');
    assert.equal(reason.code, 'approvals_required');
    assert.match(reason.message, /^The wallet has paid 50 stroops without approvals/);
    assert.deepEqual(await withdrawalsOf(payout), []);
  });
});

describe('what is signed is what was approved', () => {
  const blockedOf = async () => {
    const [blocked] = await world.query('select blocked_reason from tx_sources where account = $1', [
      wallet.account,
    ]);
    return blocked?.blocked_reason ?? null;
  };

  for (const [what, statement] of [
    ['the row of the file', `update payout_rows set amount_stroops = 9000 where payout_id = $1`],
    ['a hash in the file', `update payout_rows set row_hash = repeat('0', 64) where payout_id = $1`],
    ['the hash of the file', `update payouts set rows_hash = repeat('0', 64) where id = $1`],
  ] as const)
    it(`nothing is signed when somebody has changed ${what}`, async () => {
      await ask(1);
      const payout = await awaiting([500n]);
      // In the transaction of nobody: between the approval and the claim.
      await world.query(
        `create or replace function tamper() returns trigger language plpgsql as $$ begin ${statement.replace('$1', 'new.id')}; return null; end $$`,
      );
      await world.query(
        `create or replace trigger tamper after update on payouts for each row
           when (old.status = 'awaiting_approval' and new.status = 'running') execute function tamper()`,
      );
      try {
        assert.equal((await decide('approve', payout, members.anna)).status, 200);
        await eventually('it is stopped', async () => {
          const now = await read(payout);
          return now.status === 'paused' || (await blockedOf()) !== null;
        });
        const rows = await withdrawalsOf(payout);
        assert.ok(rows.every(({ envelope_xdr }) => envelope_xdr === null));
      } finally {
        await world.query('drop trigger tamper on payouts');
      }
    });

  it('a withdrawal of a payout that was changed after its claim is not signed', async () => {
    await ask(1, 10_000n);
    await world.query(
      `create or replace function tamper() returns trigger language plpgsql as $$ begin new.amount_stroops := 9000; return new; end $$`,
    );
    await world.query(
      `create or replace trigger tamper before insert on withdrawals for each row
         when (new.payout_id is not null) execute function tamper()`,
    );
    try {
      const payout = await made([500n]);
      assert.equal((await act(payout, 'start', members.operator)).body.data.status, 'running');
      await eventually('it is stopped', async () => (await blockedOf()) !== null);
      assert.match(await blockedOf(), /is not what its members have approved/);
      const [row] = await withdrawalsOf(payout);
      assert.deepEqual([row.status, row.envelope_xdr], ['queued', null]);
    } finally {
      await world.query('drop trigger tamper on withdrawals');
    }
  });
});
