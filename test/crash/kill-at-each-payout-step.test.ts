/**
 * A payout, killed at each step of its loop: each row becomes one withdrawal and is paid once; nothing is paid of a payout that was
 * not started.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { inThisForm } from '../support/form.ts';
import {
  type ControlledService,
  type Lock,
  newOrder,
  type Order,
  paymentsOf,
  STEP_TIMEOUT_MS,
} from './controlled-service.ts';
import { LONG, setUp } from './kill-at-step.ts';

const ROWS = 3;
type Left = { status: string; withdrawals: number };
type Step = {
  name: string;
  reach(stage: ControlledService, act: () => Promise<void>): Promise<Lock | null>;
  left: Left;
  /** Another step leaves the same rows behind, and `npm test` runs that one. */
  long_only?: boolean;
};

/** The loop looks at the wallet and the payees of the next rows, and gets no answer. */
async function reachLook(stage: ControlledService, act: () => Promise<void>): Promise<null> {
  const held = stage.proxy.hold('getLedgerEntries', 'request', async ({ params }) => params.keys.length > 1);
  await act();
  await held;
  return null;
}

/** The loop looks, and then a statement of the claim waits for what the test has locked. */
async function reachLocked(stage: ControlledService, act: () => Promise<void>, table: string, waits: string) {
  await reachLook(stage, act);
  const lock = await stage.lock(`select * from ${table} for update`);
  stage.proxy.honest();
  await stage.blocked(waits);
  return lock;
}

/** The claim is committed, and the service sends the first envelope of the payout. */
async function reachSending(stage: ControlledService, act: () => Promise<void>): Promise<null> {
  const held = stage.proxy.hold('sendTransaction', 'request');
  await act();
  await held;
  return null;
}

/** The network has it, and its answer does not come. */
async function reachAnswer(stage: ControlledService, act: () => Promise<void>): Promise<null> {
  const held = stage.proxy.hold('sendTransaction', 'answer');
  await act();
  await held;
  return null;
}

/** The start itself waits for the audit log. */
async function reachStart(stage: ControlledService, act: () => Promise<void>): Promise<Lock> {
  const lock = await stage.lock('select * from audit_heads for update');
  void act().catch(() => 'lost');
  await stage.blocked('append_audit');
  return lock;
}

const STEPS: Step[] = [
  { name: 'the start, before its commit', reach: reachStart, left: { status: 'draft', withdrawals: 0 } },
  {
    name: 'the look at the payees', // nothing is written yet
    long_only: true,
    reach: reachLook,
    left: { status: 'running', withdrawals: 0 },
  },
  {
    name: 'the claim, before the policy is checked', // the keys are inserted
    long_only: true,
    reach: (stage, act) => reachLocked(stage, act, 'wallet_policies', 'wallet_policies'),
    left: { status: 'running', withdrawals: 0 },
  },
  {
    name: 'the claim, before its commit', // the rows are noted, and the audit log is the last statement
    reach: (stage, act) => reachLocked(stage, act, 'audit_heads', 'append_audit'),
    left: { status: 'running', withdrawals: 0 },
  },
  { name: 'the first sending', reach: reachSending, left: { status: 'running', withdrawals: ROWS } },
  {
    name: 'the answer to the first sending',
    long_only: true,
    reach: reachAnswer,
    left: { status: 'running', withdrawals: ROWS },
  },
];

suite('payouts', { concurrency: false }, () => {
  const set = setUp(LONG);

  async function draft(orders: Order[]): Promise<string> {
    const { stage, wallet } = set;
    const rows = orders.map(({ key, destination, memo, amount_stroops }) => ({
      idempotency_key: key,
      destination,
      amount_stroops,
      memo_id: BigInt(memo),
    }));
    const path = `/v1/wallets/${wallet.id}/payouts`;
    const made = await stage.api('POST', path, { token: stage.token, body: { name: 'crash', rows } });
    assert.equal(made.status, 201, made.text);
    return `${path}/${made.body.data.id}`;
  }

  async function start(path: string): Promise<void> {
    const started = await set.stage.api('POST', `${path}/start`, { token: set.stage.token });
    assert.equal(started.status, 200, started.text);
  }

  const read = async (path: string) =>
    (await set.stage.api('GET', path, { token: set.stage.token })).body.data;
  const withdrawalsOf = (path: string) =>
    set.stage.query('select * from withdrawals where payout_id = $1', [path.split('/').at(-1)]);

  for (const { name, reach, left } of inThisForm(STEPS))
    test(`killed at ${name}: each row is claimed once and paid once`, {
      timeout: STEP_TIMEOUT_MS,
    }, async () => {
      const { stage, wallet } = set;
      const orders = Array.from({ length: ROWS }, () => newOrder(stage, wallet));
      const path = await draft(orders);
      const lock = await reach(stage, () => start(path));
      await stage.kill();
      await stage.endSessions();
      await lock?.release();
      const id = path.split('/').at(-1);
      const [row] = await stage.query('select status from payouts where id = $1', [id]);
      const waiting = await stage.query(
        `select 1 from payout_rows where payout_id = $1 and status = 'waiting'`,
        [id],
      );
      const claimed = await withdrawalsOf(path);
      assert.deepEqual({ status: row.status, withdrawals: claimed.length }, left);
      assert.equal(waiting.length, ROWS - left.withdrawals, 'a key is claimed and its row noted, or neither');
      await stage.restart();
      await stage.endLeases();
      if (left.status === 'draft') {
        for (const order of orders) assert.equal((await paymentsOf(stage, order)).length, 0);
        await start(path);
      }
      const completed = await eventually('its end', async () => {
        const now = await read(path);
        return now.status === 'completed' ? now : null;
      });
      assert.equal(Number(completed.counts.confirmed), ROWS);
      assert.equal((await withdrawalsOf(path)).length, ROWS);
      for (const order of orders) assert.equal((await paymentsOf(stage, order)).length, 1);
    });
});
