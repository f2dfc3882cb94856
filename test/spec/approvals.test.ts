/** Approvals: nobody pays alone what the team wants approved by others. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { tellerBeside as teller } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { addApp } from '../support/factors.ts';
import { removeAndBringBack } from '../support/removed-and-back.ts';
import {
  assertError,
  assertFault,
  joinService,
  type Member,
  unique,
  type Wallet,
} from '../support/running-service.ts';

/** A looser policy takes effect at once, so that only approvals keep it back. */
const world = await joinService('undelayed');
after(() => world.stop());

let payee: string;
let members: Record<'operator' | 'anna' | 'bert' | 'carl' | 'viewer', Member>;
before(async () => {
  payee = (await world.ledger.fund()).publicKey();
  const roles = { operator: 'operator', anna: 'approver', bert: 'approver', carl: 'admin', viewer: 'viewer' };
  const added = await Promise.all(
    Object.entries(roles).map(async ([name, role]) => [name, await world.newMember(role)] as const),
  );
  members = Object.fromEntries(added) as typeof members;
});

let wallet: Wallet;
beforeEach(async () => {
  wallet = await world.newWallet();
});

const path = (rest: string) => `/v1/wallets/${wallet.id}${rest}`;
const setPolicy = (body: object, token = world.token) => world.api('PATCH', path('/policy'), { token, body });
async function ask(
  required = 2,
  kinds = ['withdrawals'],
  above: object[] = [{ amount_stroops: 100n }],
  more: object = {},
) {
  const of_payments = kinds.includes('withdrawals') && { above };
  const rule = { required, for: kinds, without_factor: true, ...of_payments, ...more };
  const answer = await setPolicy({ approvals: rule });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}
const pay = (amount_stroops = 101n, key = unique('key'), token = members.operator.token) =>
  world.withdraw(wallet, { destination: payee, amount_stroops }, { key, token });
async function awaiting(amount_stroops?: bigint, key?: string, token?: string) {
  const answer = await pay(amount_stroops, key, token);
  assert.equal(answer.status, 202, answer.text);
  assert.equal(answer.body.data.status, 'awaiting_approval');
  return answer.body.data;
}
const decide = (verb: 'approve' | 'reject', asked: any, { token }: { token: string }, body: object = {}) =>
  world.api('POST', path(`/withdrawals/${asked.id}/${verb}`), {
    token,
    body: { order_hash: asked.order_hash, ...body },
  });
const approve = (asked: any, by: { token: string }, body?: object) => decide('approve', asked, by, body);
const reject = (asked: any, by: { token: string }, body?: object) => decide('reject', asked, by, body);
const read = async (asked: any) =>
  (await world.api('GET', path(`/withdrawals/${asked.id}`), { token: world.token })).body.data;
async function approved(asked: any, by: { token: string }) {
  const answer = await approve(asked, by);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}
const paid = (asked: any) =>
  eventually(`${asked.id} is paid`, async () => {
    const now = await read(asked);
    return now.status === 'confirmed' ? now : null;
  });
async function assertUntouched(asked: any) {
  const [row] = await world.query('select * from withdrawals where id = $1', [asked.id]);
  const { status, tx_source, envelope_xdr, stellar_tx_hash } = row;
  assert.deepEqual(
    { status, tx_source, envelope_xdr, stellar_tx_hash },
    { status: 'awaiting_approval', tx_source: null, envelope_xdr: null, stellar_tx_hash: null },
  );
}

async function program(by: Member) {
  const rights = { name: unique('program'), role: 'operator' };
  const made = await world.api('POST', '/v1/team/service-users', { token: by.token, body: rights });
  assert.equal(made.status, 201, made.text);
  const { id, client_secret } = made.body.data;
  const body = { grant_type: 'client_credentials', client_id: id, client_secret };
  const given = await world.api('POST', '/v1/auth/token', { body });
  assert.equal(given.status, 200, given.text);
  return { id: id as string, token: given.body.data.token as string };
}

describe('a withdrawal above the amount', () => {
  it('202 awaiting_approval: the key is taken, nothing is signed, and it is paid with the last approval', async () => {
    await ask(2);
    const key = unique('key');
    const asked = await awaiting(101n, key);
    assert.equal(asked.requested_by, members.operator.id);
    assert.deepEqual([asked.approvals_required, asked.approvals_cause], [2n, 'amount']);
    assert.deepEqual(asked.approvals, []);
    assert.match(asked.order_hash, /^[0-9a-f]{64}$/);
    assert.equal(Date.parse(asked.approval_expires_at) - Date.parse(asked.created_at), 24 * 3_600_000);
    const repeated = await pay(101n, key);
    assertError(repeated, 409, 'idempotency_key_in_flight');
    assert.equal(repeated.body.data.id, asked.id);
    assertError(await pay(102n, key), 409, 'idempotency_key_mismatch');
    const first = await approve(asked, members.anna, { comment: ' the invoice is right ' });
    assert.equal(first.body.data.status, 'awaiting_approval', first.text);
    const [{ at: _, ...decision }] = first.body.data.approvals;
    assert.deepEqual(decision, {
      user_id: members.anna.id,
      decision: 'approved',
      comment: 'the invoice is right',
    });
    await assertUntouched(asked);
    assert.equal((await approved(asked, members.bert)).status, 'pending');
    const done = await paid(asked);
    assert.equal(done.approvals.length, 2);
    assertError(await pay(101n, key), 409, 'idempotency_key_reused');
  });

  it('an amount up to the limit is paid as before; an asset that the rule does not name always awaits', async () => {
    await ask(1);
    assert.equal((await pay(100n)).status, 201);
    await ask(1, ['withdrawals'], []);
    await awaiting(1n);
  });

  it('payments add up: once 24 hours without approvals reach the amount, the next one awaits them', async () => {
    await ask(1);
    assert.equal((await pay(60n)).status, 201);
    const foreseen = async (amount_stroops: bigint) => {
      const { body } = await world.api('POST', path('/withdraw/preview'), {
        token: members.operator.token,
        body: { destination: payee, amount_stroops },
      });
      return body.data.approvals_required;
    };
    assert.deepEqual([await foreseen(40n), await foreseen(41n)], [0n, 1n]);
    const asked = await awaiting(41n);
    assert.equal(asked.approvals_cause, 'sum');
    await approved(asked, members.anna);
    assert.equal((await paid(asked)).approvals_cause, 'sum');
    assert.equal((await pay(40n)).status, 201, 'what was approved does not count');
    await awaiting(1n);
  });

  it('401 for an API key, 403 for the other roles, 404 for another team', async () => {
    await ask(1);
    const asked = await awaiting();
    assertError(await approve(asked, { token: wallet.api_key }), 401, 'login_required');
    for (const member of [members.operator, members.viewer])
      assertError(await approve(asked, member), 403, 'role_missing');
    assertError(await reject(asked, members.viewer), 403, 'role_missing');
    const others = await awaiting(101n, unique('key'), world.token);
    assertError(await reject(others, members.operator), 403, 'may_not_approve');
    assertError(await approve(asked, await world.newUser()), 404, 'not_found');
    await assertUntouched(asked);
  });

  it('403 for who asked, whatever the role; another owner or admin may', async () => {
    await ask(1);
    const asked = await awaiting(101n, unique('key'), members.carl.token);
    assertError(await approve(asked, members.carl), 403, 'may_not_approve');
    const log = await world.api('GET', '/v1/audit?action=right.refused', { token: world.token });
    assert.ok(
      log.body.data.items.some(
        ({ actor, target }: any) => actor.id === members.carl.id && target.id === 'approveWithdrawal',
      ),
      log.text,
    );
    assert.equal((await approved(asked, { token: world.token })).status, 'pending');
    await paid(asked);
  });

  it('its requester takes it back: it is failed, nothing was signed, and nobody approves it any more', async () => {
    await ask(1);
    const asked = await awaiting();
    assertError(
      await reject({ ...asked, order_hash: 'ab'.repeat(32) }, members.operator),
      409,
      'order_changed',
    );
    const answer = await reject(asked, members.operator, { comment: 'the wrong payee' });
    assert.equal(answer.status, 200, answer.text);
    const { status, failure, stellar_tx_hash } = answer.body.data;
    assert.deepEqual([status, failure.code, stellar_tx_hash], ['failed', 'rejected', null]);
    assert.match(failure.message, /The requester took the withdrawal back/);
    assertError(await approve(asked, members.anna), 409, 'not_awaiting_approval');
  });

  it('429 above 1,000 that await approvals: nothing is kept, and the key is free', async () => {
    await ask(1);
    const { id } = await awaiting();
    await world.query(
      `insert into withdrawals (id, idempotency_key, approvals_required, wallet_id, owner_id, status, operation, destination,
                                amount_stroops, leased_until, order_hash, approval_expires_at, requested_by, created_at)
       select id || '_' || number, 'many ' || number, 1, wallet_id, owner_id, status, operation, destination,
              amount_stroops, leased_until, order_hash, approval_expires_at, requested_by, created_at
         from withdrawals, generate_series(1, 999) as number where id = $1`,
      [id],
    );
    const key = unique('key');
    assertError(await pay(101n, key), 429, 'too_many_waiting');
    assert.equal((await pay(100n, key)).status, 201);
  });

  it('409 for the second decision of a member, and after the end', async () => {
    await ask(2);
    const asked = await awaiting();
    await approved(asked, members.anna);
    assertError(await approve(asked, members.anna), 409, 'already_decided');
    assertError(await reject(asked, members.anna), 409, 'already_decided');
    assert.equal((await reject(asked, members.bert)).status, 200);
    assertError(await approve(asked, members.carl), 409, 'not_awaiting_approval');
  });

  it('409 order_changed for the hash of another order; 400 without a hash', async () => {
    await ask(1);
    const [one, other] = [await awaiting(101n), await awaiting(102n)];
    assert.notEqual(one.order_hash, other.order_hash);
    assertError(await approve({ ...one, order_hash: other.order_hash }, members.anna), 409, 'order_changed');
    assertFault(await approve({ ...one, order_hash: undefined }, members.anna), '/order_hash');
    assertFault(await approve(one, members.anna, { comment: 'x'.repeat(501) }), '/comment');
    await assertUntouched(one);
  });

  it('of many approvals at once each member counts once, and it is paid once', async () => {
    await ask(2);
    const asked = await awaiting();
    const by = [members.anna, members.bert].flatMap((member) => Array(8).fill(member));
    const answers = await Promise.all(by.map((member) => approve(asked, member)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 2);
    const { approvals, stellar_tx_hash } = await paid(asked);
    assert.equal(approvals.length, 2);
    assert.ok(stellar_tx_hash);
  });

  it('is failed with the code rejected after one rejection, without a transaction', async () => {
    await ask(2);
    const asked = await awaiting();
    await approved(asked, members.anna);
    const answer = await reject(asked, members.bert, { comment: 'unknown payee' });
    const { status, failure, stellar_tx_hash, approvals } = answer.body.data;
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([status, failure.code, stellar_tx_hash], ['failed', 'rejected', null]);
    assert.deepEqual(
      approvals.map(({ decision }: any) => decision),
      ['approved', 'rejected'],
    );
  });

  it('ends with approval_expired when its time is over, and cannot be approved then', async () => {
    await ask(1);
    const asked = await awaiting();
    await world.query(
      `update withdrawals set approval_expires_at = now() - interval '1 second' where id = $1`,
      [asked.id],
    );
    const ended = await eventually('it is over', async () => {
      const now = await read(asked);
      return now.status === 'failed' ? now : null;
    });
    assert.deepEqual([ended.failure.code, ended.stellar_tx_hash], ['approval_expired', null]);
    assertError(await approve(asked, members.anna), 409, 'not_awaiting_approval');
  });

  it('ends with requester_removed when its requester is removed, also one who came back, or disabled, before anybody approves it', async () => {
    await ask(1);
    const leaver = await world.newMember('operator');
    const disabled = await world.newMember('operator');
    const returned = await world.newMember('operator');
    const { id, token } = await program(members.carl);
    const asked = [];
    for (const by of [leaver.token, disabled.token, returned.token, token])
      asked.push(await awaiting(101n, unique('key'), by));
    const answers = [
      await world.api('DELETE', `/v1/team/members/${leaver.id}`, { token: world.token }),
      await world.api('PATCH', `/v1/team/service-users/${id}`, {
        token: world.token,
        body: { enabled: false },
      }),
    ];
    for (const answer of answers) assert.equal(answer.status, 200, answer.text);
    await removeAndBringBack(world, returned.id);
    const { code, output } = await teller(['user', 'disable', disabled.email], world.environment);
    assert.equal(code, 0, output);
    for (const one of asked) assertError(await approve(one, members.anna), 409, 'not_awaiting_approval');
    for (const one of asked) {
      const ended = await eventually(`${one.id} is over`, async () => {
        const now = await read(one);
        return now.status === 'failed' ? now : null;
      });
      assert.deepEqual([ended.failure.code, ended.stellar_tx_hash], ['requester_removed', null]);
    }
    await approved(await awaiting(), members.anna);
  });

  it('is never signed when its row is changed: approving is refused, and the signer compares again', async () => {
    await ask(1);
    const [early, late] = [await awaiting(101n), await awaiting(102n)];
    await world.query('update withdrawals set amount_stroops = 1000000 where id = $1', [early.id]);
    assertError(await approve(early, members.anna), 409, 'order_changed');
    await assertUntouched(early);
    const changed = `update withdrawals set status = 'queued', approved_at = now(), amount_stroops = 1000000,
      approvals = jsonb_build_array(jsonb_build_object(
        'user_id', $2::text, 'decision', 'approved', 'comment', null, 'order_hash', order_hash, 'at', created_at))
      where id = $1`;
    await world.query(changed, [late.id, members.anna.id]);
    const reason = await eventually('the signer refuses it', async () => {
      const [found] = await world.query(
        'select blocked_reason from tx_sources where withdrawal_id = $1 and blocked_reason is not null',
        [late.id],
      );
      return found?.blocked_reason ?? null;
    });
    assert.match(reason, /not what its members have approved/);
    const [{ envelope_xdr }] = await world.query('select envelope_xdr from withdrawals where id = $1', [
      late.id,
    ]);
    assert.equal(envelope_xdr, null);
  });

  it('counts in lists, filters and the available balance, and awaits as a refund too', async () => {
    await ask(1);
    const { hash } = await world.ledger.pay(await world.ledger.fund(), wallet.account, 500n);
    const [deposit] = await world.depositsOf(wallet, hash);
    const available = async () => {
      const { body } = await world.api('GET', path('/balances'), { token: world.token });
      return body.data.items[0].available_stroops as bigint;
    };
    const full = await available();
    const refund = await world.api('POST', path(`/deposits/${deposit.id}/refund`), {
      token: members.operator.token,
      body: {},
    });
    assert.equal(refund.status, 202, refund.text);
    assert.equal(refund.body.data.refund_of, deposit.id);
    assert.equal(full - (await available()), 500n);
    for (const list of ['/withdrawals', '/transactions']) {
      const { body } = await world.api('GET', path(`${list}?status=awaiting_approval`), {
        token: world.token,
      });
      assert.deepEqual(
        body.data.items.map(({ id, status }: any) => [id, status]),
        [[refund.body.data.id, 'awaiting_approval']],
      );
    }
    const preview = await world.api('POST', path('/withdraw/preview'), {
      token: members.operator.token,
      body: { destination: payee, amount_stroops: 101n },
    });
    assert.equal(preview.body.data.approvals_required, 1n);
  });
});

describe('the policy as it is at the approval', () => {
  it('a freeze, by the owner or the operator, and a lower limit stop what awaits; it stays until its end', async () => {
    await ask(1);
    const asked = await awaiting();
    await setPolicy({ frozen: true });
    assertError(await approve(asked, members.anna), 422, 'policy_frozen');
    await setPolicy({ frozen: false });
    const { code } = await teller(['wallet', 'freeze', wallet.id], world.environment);
    assert.equal(code, 0);
    assertError(await approve(asked, members.anna), 422, 'policy_frozen');
    await teller(['wallet', 'unfreeze', wallet.id], world.environment);
    await setPolicy({ max_withdrawal_stroops: 100n });
    assertError(await approve(asked, members.anna), 422, 'policy_amount_limit');
    await assertUntouched(asked);
    assert.equal((await reject(asked, members.anna)).status, 200);
  });

  it('one that asks for more approvals gets more; one that asks for fewer does not', async () => {
    await ask(1);
    const asked = await awaiting();
    await ask(2);
    assert.equal((await approved(asked, members.anna)).status, 'awaiting_approval');
    assert.equal((await approved(asked, members.bert)).status, 'pending');
    await paid(asked);
  });

  it('what awaits counts in the limit of 24 hours, and is never counted twice', async () => {
    await ask(1);
    await setPolicy({ max_rolling_24h_stroops: 150n });
    const asked = await awaiting(101n);
    assertError(await pay(50n), 422, 'policy_daily_limit');
    assert.equal((await pay(49n)).status, 201);
    const preview = await world.api('GET', path(`/withdrawals/${asked.id}/preview`), {
      token: members.anna.token,
    });
    assert.deepEqual(preview.body.data.problems, [], preview.text);
    await approved(asked, members.anna);
    await paid(asked);
  });
});

describe('the approvers', () => {
  /** An approver until the test ends. */
  async function guest(t: TestContext): Promise<Member> {
    const member = await world.newMember('approver');
    t.after(() => world.api('DELETE', `/v1/team/members/${member.id}`, { token: world.token }));
    return member;
  }

  it('a member who is added or promoted after the request does not count', async () => {
    await ask(1);
    const asked = await awaiting();
    const late = await world.newMember('approver');
    assertError(await approve(asked, late), 403, 'may_not_approve');
    const change = (role: string) =>
      world.api('PATCH', `/v1/team/members/${members.viewer.id}`, { token: world.token, body: { role } });
    assert.equal((await change('approver')).status, 200);
    assertError(await approve(asked, members.viewer), 403, 'may_not_approve');
    assert.equal((await change('viewer')).status, 200);
    await assertUntouched(asked);
    assert.equal((await approved(await awaiting(), late)).status, 'pending');
    assert.equal(
      (await world.api('DELETE', `/v1/team/members/${late.id}`, { token: world.token })).status,
      200,
    );
  });

  it('a member without a second factor decides nothing before they add one; to do without one is a looser rule', async (t) => {
    const dora = await guest(t);
    await ask(1, ['withdrawals'], undefined, { without_factor: false });
    const looser = await ask(1);
    const [change] = looser.pending;
    assert.deepEqual([looser.approvals.without_factor, change.status], [false, 'awaiting_approval']);
    const asked = await awaiting();
    const shown = async () => {
      const { body } = await world.api('GET', '/v1/approvals', { token: dora.token });
      const own = body.data.items.filter(({ wallet_id }: any) => wallet_id === wallet.id);
      return own.map(({ may_decide, factor_required }: any) => [may_decide, factor_required]);
    };
    assert.deepEqual(await shown(), Array(2).fill([false, true]));
    for (const decided of [await approve(asked, dora), await reject(asked, dora)])
      assertError(decided, 403, 'factor_required');
    const approveChange = () =>
      world.api('POST', path(`/policy/pending/${change.id}/approve`), {
        token: dora.token,
        body: { order_hash: change.order_hash },
      });
    assertError(await approveChange(), 403, 'factor_required');
    await assertUntouched(asked);
    await addApp(world, { ...dora, password: 'a long enough secret' });
    assert.deepEqual(await shown(), Array(2).fill([true, false]));
    assert.equal((await approved(asked, dora)).status, 'pending');
    assert.equal((await approveChange()).status, 200);
    assert.equal((await approved(await awaiting(), members.anna)).status, 'pending');
  });

  it('an approval counts no more when its member has removed the factor since', async (t) => {
    const [dora, eve] = [await guest(t), await guest(t)];
    for (const each of [dora, eve]) await addApp(world, { ...each, password: 'a long enough secret' });
    await ask(2, ['withdrawals'], undefined, { without_factor: false });
    const asked = await awaiting();
    await approved(asked, dora);
    await world.query('delete from second_factors where user_id = $1', [dora.id]);
    assert.equal((await approved(asked, eve)).status, 'awaiting_approval');
  });

  it('an approval of a member who has left since, or lost the role, does not count', async () => {
    const leaving = await world.newMember('approver');
    await ask(2);
    const asked = await awaiting();
    await approved(asked, leaving);
    const left = await world.api('DELETE', `/v1/team/members/${leaving.id}`, { token: world.token });
    assert.equal(left.status, 200, left.text);
    assertError(await approve(asked, leaving), 401, 'unauthenticated');
    assert.equal((await approved(asked, members.anna)).status, 'awaiting_approval');
    await assertUntouched(asked);
    assert.equal((await approved(asked, members.bert)).status, 'pending');
    await paid(asked);
  });

  it('409 for a policy that the team could not satisfy, and for the removal or demotion that would do that', async () => {
    assertError(
      await setPolicy({ approvals: { required: 9, for: ['withdrawals'] } }),
      409,
      'too_few_approvers',
    );
    await ask(3); // owner, anna, bert, carl: any three beside the requester
    for (const { id } of [members.anna, members.carl]) {
      const removed = await world.api('DELETE', `/v1/team/members/${id}`, { token: world.token });
      assertError(removed, 409, 'too_few_approvers');
      const body = { role: 'viewer' };
      const demoted = await world.api('PATCH', `/v1/team/members/${id}`, { token: world.token, body });
      assertError(demoted, 409, 'too_few_approvers');
    }
    const other = await world.api('PATCH', `/v1/team/members/${members.viewer.id}`, {
      token: world.token,
      body: { role: 'auditor' },
    });
    assert.equal(other.status, 200, other.text);
    const { code, output } = await teller(['wallet', 'clear-approvals', wallet.id], world.environment);
    assert.equal(code, 0, output);
    assert.match(output, /^Cleared: /);
    assert.equal((await pay()).status, 201);
  });
});

const decideChange = (verb: string, change: any, { token }: { token: string }) =>
  world.api('POST', path(`/policy/pending/${change.id}/${verb}`), {
    token,
    body: { order_hash: change.order_hash },
  });

describe('a change of the policy', () => {
  it('400 for a rule with a part that does nothing', async () => {
    const wrong: [object, string][] = [
      [{ required: 1, for: [] }, '/approvals/for'],
      [{ required: 1, for: ['owners'] }, '/approvals/for/0'],
      [{ required: 1, for: ['members'], above: [{ amount_stroops: 1n }] }, '/approvals/above'],
      [{ required: 1, for: ['policies'], above: [{ amount_stroops: 1n }] }, '/approvals/above'],
      [{ required: 0, for: ['policies'] }, '/approvals/required'],
      [{ required: 0, without_factor: true }, '/approvals/required'],
      [{ required: 11, for: ['policies'] }, '/approvals/required'],
    ];
    for (const [approvals, at] of wrong) assertFault(await setPolicy({ approvals }), at);
  });

  it('that is looser awaits approvals under the policy before it; a stricter one holds at once', async () => {
    await ask(1, ['policies']);
    await setPolicy({ max_withdrawal_stroops: 10n });
    const looser = await setPolicy({ max_withdrawal_stroops: 20n });
    assert.equal(looser.body.data.max_withdrawal_stroops, 10n);
    const [change] = looser.body.data.pending;
    assert.equal(change.status, 'awaiting_approval');
    assertError(await decideChange('approve', change, { token: world.token }), 403, 'may_not_approve');
    assertError(await decideChange('approve', change, members.operator), 403, 'role_missing');
    assertError(
      await decideChange('approve', { ...change, order_hash: 'ab'.repeat(32) }, members.anna),
      409,
      'order_changed',
    );
    assert.equal((await decideChange('approve', change, members.anna)).status, 200);
    const { body } = await world.api('GET', path('/policy'), { token: world.token });
    assert.deepEqual([body.data.max_withdrawal_stroops, body.data.pending], [20n, []]);
    const frozen = await setPolicy({ frozen: true });
    assert.equal(frozen.body.data.frozen, true);
  });

  it('that a removed member asked for, also one who came back, is not approved, and goes away', async () => {
    await ask(1, ['policies']);
    await setPolicy({ max_withdrawal_stroops: 10n });
    const remove = async ({ id }: Member) => {
      const left = await world.api('DELETE', `/v1/team/members/${id}`, { token: world.token });
      assert.equal(left.status, 200, left.text);
    };
    for (const leave of [remove, ({ id }: Member) => removeAndBringBack(world, id)]) {
      const leaver = await world.newMember('admin');
      const [change] = (await setPolicy({ max_withdrawal_stroops: 20n }, leaver.token)).body.data.pending;
      await leave(leaver);
      const { status } = await decideChange('approve', change, members.anna);
      assert.ok([404, 409].includes(status));
      const policy = await eventually('the change is gone', async () => {
        const { body } = await world.api('GET', path('/policy'), { token: world.token });
        return body.data.pending.length === 0 ? body.data : null;
      });
      assert.equal(policy.max_withdrawal_stroops, 10n);
    }
  });

  it('that ends the approvals always awaits them, whatever they are for', async () => {
    await ask(1);
    const ended = await setPolicy({ approvals: { required: 0 } });
    assert.equal(ended.body.data.approvals.required, 1n);
    const [change] = ended.body.data.pending;
    assert.equal(change.field, 'approvals');
    await awaiting();
    assert.equal((await decideChange('reject', change, members.anna)).status, 200);
    const { body } = await world.api('GET', path('/policy'), { token: world.token });
    assert.deepEqual(body.data.pending, []);
    assertError(await decideChange('approve', change, members.bert), 404, 'not_found');
  });

  it('of the allow list awaits with for destinations; other fields do not', async () => {
    await setPolicy({ destinations: [payee], max_withdrawal_stroops: 10n });
    await ask(1, ['destinations']);
    const other = (await world.ledger.fund()).publicKey();
    const { pending } = (await setPolicy({ destinations: [payee, other] })).body.data;
    assert.deepEqual(
      pending.map(({ field, destination, status }: any) => [field, destination, status]),
      [['destinations', other, 'awaiting_approval']],
    );
    const { max_withdrawal_stroops } = (await setPolicy({ max_withdrawal_stroops: 20n })).body.data;
    assert.equal(max_withdrawal_stroops, 20n);
  });
});

describe('GET /v1/approvals', () => {
  it('lists what awaits, newest first, and says what the caller may decide', async () => {
    await ask(1, ['withdrawals', 'policies']);
    const asked = await awaiting();
    const { pending } = (await setPolicy({ approvals: { required: 0 } })).body.data;
    const listOf = async (token: string, limit = 50) => {
      const { body } = await world.api('GET', `/v1/approvals?limit=${limit}`, { token });
      return body.data;
    };
    const ours = ({ wallet_id }: any) => wallet_id === wallet.id;
    const shown = (await listOf(members.anna.token)).items.filter(ours);
    assert.deepEqual(
      shown.map(({ kind, may_decide, withdrawal, change }: any) => [
        kind,
        may_decide,
        (withdrawal ?? change).id,
      ]),
      [
        ['policy_change', true, pending[0].id],
        ['withdrawal', true, asked.id],
      ],
    );
    const own = (await listOf(world.token)).items.filter(ours);
    assert.deepEqual(
      own.map(({ may_decide }: any) => may_decide),
      [false, true],
    );
    const seen = (await listOf(members.viewer.token)).items.filter(ours);
    assert.ok(seen.every(({ may_decide }: any) => !may_decide));
    const { items, next_cursor } = await listOf(members.anna.token, 1);
    const rest = await world.api('GET', `/v1/approvals?cursor=${next_cursor}`, { token: members.anna.token });
    assert.equal(items.length, 1);
    assert.deepEqual(rest.body.data.items[0].withdrawal.id, asked.id);
  });
});

describe('GET /v1/approvals/decided', () => {
  const decidedPage = async (query: string, { token }: { token: string }) => {
    const { body, text } = await world.api('GET', `/v1/approvals/decided?${query}`, { token });
    assert.ok(body.data, text);
    return body.data;
  };
  const decidedOf = async (by: { token: string }) =>
    (await decidedPage('limit=200', by)).items.filter((item: any) => item.wallet_id === wallet.id);
  const requestOf = (item: any) => item.withdrawal ?? item.payout ?? item.change ?? item.access_change;
  const outcomesOf = (items: any[]) => items.map((item) => [requestOf(item).id, item.outcome]);
  const passed = (asked: any) =>
    world.query(`update withdrawals set approval_expires_at = now() - interval '1 second' where id = $1`, [
      asked.id,
    ]);

  it('lists withdrawals that were decided or are over, newest decision first, with who decided what and why', async () => {
    await ask(1);
    const [late, rejected, approvedOne] = [await awaiting(), await awaiting(), await awaiting()];
    assert.deepEqual(await decidedOf(members.anna), [], 'what waits is in the other list');
    await approve(approvedOne, members.anna, { comment: 'the invoice is right' });
    await reject(rejected, members.bert, { comment: 'unknown payee' });
    await passed(late);
    await eventually('it is over', async () => ((await read(late)).status === 'failed' ? true : null));
    const items = await decidedOf(members.anna);
    assert.deepEqual(outcomesOf(items), [
      [late.id, 'approval_expired'],
      [rejected.id, 'rejected'],
      [approvedOne.id, 'approved'],
    ]);
    assert.deepEqual(
      items.map(({ kind, withdrawal: { requested_by, destination, amount_stroops } }: any) => [
        kind,
        requested_by,
        destination,
        amount_stroops,
      ]),
      items.map(() => ['withdrawal', members.operator.id, payee, 101n]),
    );
    const said = ({ withdrawal, decided_at }: any) =>
      withdrawal.approvals.map(({ user_id, decision, comment, at }: any) => [
        user_id,
        decision,
        comment,
        at === decided_at,
      ]);
    assert.deepEqual(items.map(said), [
      [],
      [[members.bert.id, 'rejected', 'unknown payee', true]],
      [[members.anna.id, 'approved', 'the invoice is right', true]],
    ]);
  });

  it('keeps changes of the policy as they were, with every way in which they end', async () => {
    await ask(1, ['policies']);
    await setPolicy({ max_withdrawal_stroops: 10n });
    const wish = async (max_withdrawal_stroops: bigint) =>
      (await setPolicy({ max_withdrawal_stroops })).body.data.pending[0];
    const revoked = await wish(20n);
    await world.api('DELETE', path(`/policy/pending/${revoked.id}`), { token: world.token });
    const replaced = await wish(21n);
    const rejected = await wish(22n);
    await decideChange('reject', rejected, members.anna);
    const late = await wish(23n);
    await world.query(`update policy_changes set expires_at = now() - interval '1 second' where id = $1`, [
      late.id,
    ]);
    // A write of the policy may find it before the loop does.
    const approvedOne = await wish(9_007_199_254_740_993n);
    await decideChange('approve', approvedOne, members.anna);
    const items = await decidedOf(members.viewer);
    assert.deepEqual(outcomesOf(items), [
      [approvedOne.id, 'approved'],
      [late.id, 'approval_expired'],
      [rejected.id, 'rejected'],
      [replaced.id, 'cancelled'],
      [revoked.id, 'cancelled'],
    ]);
    const [{ kind, change }] = items;
    assert.deepEqual(
      [kind, change.field, change.limit_stroops, change.order_hash],
      ['policy_change', 'max_withdrawal_stroops', 9_007_199_254_740_993n, approvedOne.order_hash],
    );
    assert.equal(change.approvals[0].user_id, members.anna.id);
  });

  it('has every page, also of what was decided at one time; 400 for the cursor of another list', async () => {
    await ask(1);
    const asked = [await awaiting(), await awaiting(), await awaiting()];
    for (const each of asked) await reject(each, members.anna);
    await world.query(
      `update withdrawals set settled_at = (select max(settled_at) from withdrawals where wallet_id = $1) where wallet_id = $1`,
      [wallet.id],
    );
    const listed: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: any = await decidedPage(`limit=1${cursor && `&cursor=${cursor}`}`, members.anna);
      listed.push(...page.items.map((item: any) => requestOf(item).id));
      cursor = page.next_cursor;
    }
    assert.equal(new Set(listed).size, listed.length);
    assert.deepEqual(listed.slice(0, 3), asked.map(({ id }) => id).toReversed());
    for (const _ of [1, 2]) await awaiting();
    const waiting = await world.api('GET', '/v1/approvals?limit=1', { token: members.anna.token });
    const { next_cursor } = waiting.body.data;
    assert.ok(next_cursor);
    const wrong = await world.api('GET', `/v1/approvals/decided?cursor=${next_cursor}`, {
      token: members.anna.token,
    });
    assertError(wrong, 400, 'invalid_request');
  });

  it('shows a member only what is asked of the wallets of the member', async () => {
    await ask(1);
    await reject(await awaiting(), members.anna);
    const other = await world.newWallet();
    const limited = await world.newMember('viewer');
    await world.query('update team_members set wallet_ids = $2 where user_id = $1', [limited.id, [other.id]]);
    assert.deepEqual(await decidedOf(limited), []);
    assert.equal((await decidedOf(members.viewer)).length, 1);
    assertError(
      await world.api('GET', '/v1/approvals/decided', { token: wallet.api_key }),
      401,
      'login_required',
    );
  });
});

describe('a request of a service user', () => {
  it('is approved by people who know no credential of it, not by who made it or gave it a secret', async () => {
    await ask(1);
    const { id, token } = await program(members.carl);
    const asked = await awaiting(101n, undefined, token);
    assert.equal(asked.requested_by, id);
    const refused = await approve(asked, members.carl);
    assertError(refused, 403, 'may_not_approve');
    assert.match(refused.body.message, /You have made the program that asks/);
    const added = await world.api('POST', `/v1/team/service-users/${id}/secrets`, { token: world.token });
    assert.equal(added.status, 201, added.text);
    assertError(await approve(asked, { token: world.token }), 403, 'may_not_approve');
    await approved(asked, members.anna);
    await paid(asked);
  });

  it('a program approves nothing', async () => {
    await ask(1);
    const { token } = await program(members.carl);
    const asked = await awaiting();
    assertError(await approve(asked, { token }), 403, 'role_missing');
    assert.equal((await read(asked)).status, 'awaiting_approval');
  });
});
