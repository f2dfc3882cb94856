/**
 * Approvals, killed at each of their steps: what is left is the state before the step or the state after it. A withdrawal that
 * awaits approvals is never signed; an approved one is paid once; a rejected or expired one never.
 */

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Answer } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { inThisForm } from '../support/form.ts';
import { haveOwnPassword } from '../support/own-password.ts';
import { asksAccounts } from '../support/rpc-proxy.ts';
import {
  type ControlledService,
  envelopesOf,
  type Lock,
  newOrder,
  type Order,
  paymentsOf,
  rowOf,
  STEP_TIMEOUT_MS,
  untilOutcome,
  withdraw,
} from './controlled-service.ts';
import { LONG, setUp } from './kill-at-step.ts';

const PASSWORD = 'a long enough secret';

type Status = 'awaiting_approval' | 'queued' | 'failed';
type Act = 'approve' | 'reject' | 'expire';
type Step = {
  name: string;
  reach(stage: ControlledService, order: Order, act: () => void): Promise<Lock | null>;
  left: Status;
  act: Act;
  /** Another step leaves the same rows behind, and `npm test` runs that one. */
  long_only?: boolean;
};

/** The row is locked by the test: the act waits for it, inside its transaction. */
async function reachRow(stage: ControlledService, { key }: Order, act: () => void): Promise<Lock> {
  const row = `select * from withdrawals where idempotency_key = '${key}'`;
  const lock = await stage.lock(`${row} for update`);
  act();
  await stage.blocked('from withdrawals where wallet_id');
  return lock;
}

/** The act has changed the row, and waits for the audit log: the last statement before the commit. */
async function reachCommit(stage: ControlledService, _order: Order, act: () => void): Promise<Lock> {
  const lock = await stage.lock('select * from audit_heads for update');
  act();
  await stage.blocked('append_audit');
  return lock;
}

/** The approval is committed and answered, and the service asks for the sequence number that it signs on. */
async function reachSigning(stage: ControlledService, order: Order, act: () => void): Promise<null> {
  const held = stage.proxy.hold('getLedgerEntries', 'request', async (call) => {
    return asksAccounts(call) && ((await rowOf(stage, order))?.tx_source ?? null) !== null;
  });
  act();
  await held;
  return null;
}

const LEFT = 'awaiting_approval' as const;
const STEPS: Step[] = [
  ...(['approve', 'reject'] as const).map((act): Step => {
    const long_only = act === 'reject';
    return { act, name: `${act}: before the row is changed`, reach: reachRow, left: LEFT, long_only };
  }),
  ...(['approve', 'reject', 'expire'] as const).map((act): Step => {
    return {
      act,
      name: `${act}: after the row is changed, before the commit`,
      reach: reachCommit,
      left: LEFT,
    };
  }),
  { act: 'approve', name: 'approve: after the commit, before signing', reach: reachSigning, left: 'queued' },
];

suite('approvals', { concurrency: false }, () => {
  const set = setUp(LONG);
  let approver: string;

  before(async () => {
    const { stage, wallet } = set;
    const body = { email: 'approver@example.com', name: 'Approver', password: PASSWORD, role: 'approver' };
    const added = await stage.api('POST', '/v1/team/members', { token: stage.token, body });
    assert.equal(added.status, 201, added.text);
    const { email, password } = body;
    await haveOwnPassword(stage, email);
    const login = await stage.api('POST', '/v1/auth/login', { body: { email, password } });
    assert.equal(login.status, 200, login.text);
    approver = login.body.data.token;
    const rule = { approvals: { required: 1, for: ['withdrawals'], without_factor: true } };
    const path = `/v1/wallets/${wallet.id}/policy`;
    const policy = await stage.api('PATCH', path, { token: stage.token, body: rule });
    assert.equal(policy.status, 200, policy.text);
  });

  async function requested(order: Order): Promise<any> {
    const answer = await withdraw(set.stage, order);
    assert.equal(answer.status, 202, answer.text);
    return answer.body.data;
  }

  function decide(verb: 'approve' | 'reject', { id, order_hash }: any): Promise<Answer> {
    const path = `/v1/wallets/${set.wallet.id}/withdrawals/${id}/${verb}`;
    return set.stage.api('POST', path, { token: approver, body: { order_hash } });
  }

  const isOver = (id: string) =>
    set.stage.query(`update withdrawals set approval_expires_at = now() - interval '1 hour' where id = $1`, [
      id,
    ]);

  async function assertNeverSigned(order: Order): Promise<void> {
    assert.deepEqual(envelopesOf(set.stage, order), []);
    assert.equal((await paymentsOf(set.stage, order)).length, 0);
    assert.equal((await rowOf(set.stage, order)).envelope_xdr, null);
  }

  /** Does the act again after the restart, and gives the row once it has its outcome. */
  async function finish(act: Act, order: Order, asked: any): Promise<any> {
    if (act !== 'expire') {
      const again = await decide(act, asked);
      const done = again.status === 409 && again.body.error.code === 'not_awaiting_approval';
      assert.ok(again.status === 200 || done, again.text);
    }
    if (act === 'approve') await untilOutcome(set.stage, order);
    return eventually('the outcome', async () => {
      const row = await rowOf(set.stage, order);
      return row.settled_at ? row : null;
    });
  }

  for (const { name, act, reach, left } of inThisForm(STEPS)) {
    test(`killed at ${name}: ${left}, and the act can be done again`, {
      timeout: STEP_TIMEOUT_MS,
    }, async () => {
      const { stage, wallet } = set;
      const order = newOrder(stage, wallet);
      const asked = await requested(order);
      let acted: Promise<unknown> = Promise.resolve();
      const lock = await reach(stage, order, () => {
        acted = act === 'expire' ? isOver(asked.id) : decide(act, asked).catch(() => 'lost');
      });
      await stage.kill();
      await stage.endSessions();
      await lock?.release();
      await acted;
      const row = await rowOf(stage, order);
      assert.equal(row.status, left);
      assert.equal(row.approvals.length, left === 'queued' ? 1 : 0);
      if (left === LEFT) await assertNeverSigned(order);
      await stage.restart();
      await stage.endLeases();
      const { status, failure_code, approvals } = await finish(act, order, asked);
      if (act === 'approve') {
        assert.deepEqual([status, approvals.length], ['confirmed', 1]);
        assert.equal((await paymentsOf(stage, order)).length, 1);
      } else {
        const code = act === 'reject' ? 'rejected' : 'approval_expired';
        assert.deepEqual([status, failure_code], ['failed', code]);
        await assertNeverSigned(order);
      }
    });
  }
});
