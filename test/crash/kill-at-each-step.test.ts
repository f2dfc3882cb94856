/** A withdrawal killed at each of its steps: afterwards its key has one payment at most, and the truth is told. */
import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import {
  assertPaidOnce,
  type Lock,
  newOrder,
  type Order,
  paymentsOf,
  rowOf,
  STEP_TIMEOUT_MS,
  type Stage,
  setStage,
  untilSettled,
  withdraw,
} from './stage.ts';

/** What is true in the instant of the kill. */
type Left = { row: null | 'queued' | 'signed' | 'confirmed'; sent: boolean; on_ledger: boolean };

type Step = {
  name: string;
  /** Brings the service to the step and keeps it there. `ordered` sends the request. */
  reach(stage: Stage, order: Order, ordered: () => void): Promise<Lock | null>;
  left: Left;
  /** Default: its sessions end before its locks do, so that a blocked statement never takes effect. */
  statement_survives?: boolean;
};

const NOTHING: Left = { row: null, sent: false, on_ledger: false };
const QUEUED: Left = { row: 'queued', sent: false, on_ledger: false };
const SIGNED: Left = { row: 'signed', sent: false, on_ledger: false };
const APPLIED: Left = { row: 'signed', sent: true, on_ledger: true };

const STEPS: Step[] = [
  {
    name: 'before the claim',
    left: NOTHING,
    async reach({ proxy }, _order, ordered) {
      const held = proxy.hold('getLedgerEntries', 'request');
      ordered();
      await held;
      return null;
    },
  },
  {
    name: 'in the middle of the claim',
    left: NOTHING,
    async reach(stage, _order, ordered) {
      const lock = await stage.lock('lock table withdrawals in exclusive mode'); // reads pass
      ordered();
      await stage.blocked('insert into withdrawals');
      return lock;
    },
  },
  { name: 'after the claim, before the lane', left: QUEUED, reach: reachLane },
  { name: 'while the server still gives the lane', left: QUEUED, statement_survives: true, reach: reachLane },
  {
    name: 'after the lane, before signing',
    left: QUEUED,
    async reach({ proxy }, _order, ordered) {
      const held = proxy.hold('getFeeStats', 'request');
      ordered();
      await held;
      return null;
    },
  },
  { name: 'after signing, before the commit', left: QUEUED, reach: reachCommit },
  {
    name: 'while the server still commits the envelope',
    left: SIGNED,
    statement_survives: true,
    reach: reachCommit,
  },
  {
    name: 'after the commit, before sending',
    left: SIGNED,
    async reach({ proxy }, _order, ordered) {
      const held = proxy.hold('sendTransaction', 'request');
      ordered();
      await held;
      return null;
    },
  },
  {
    name: 'after sending, before the answer to it',
    left: APPLIED,
    async reach({ proxy, sandbox }, _order, ordered) {
      const held = proxy.hold('sendTransaction', 'answer');
      ordered();
      await held;
      sandbox.closeLedger();
      return null;
    },
  },
  {
    name: 'after the proof was asked for, before it came',
    left: APPLIED,
    async reach({ proxy }, _order, ordered) {
      const held = proxy.hold(
        'getTransaction',
        'answer',
        (_call, answer) => answer.result.status === 'SUCCESS',
      );
      ordered();
      await held;
      return null;
    },
  },
  { name: 'after the proof, before recording it', left: APPLIED, reach: reachRecording },
  {
    name: 'after recording, before the answer',
    left: { row: 'confirmed', sent: true, on_ledger: true },
    async reach(stage, order, ordered) {
      // Recording stops at its last statement; the table lock queues behind it, and the next reader behind that.
      const lane = await reachRecording(
        stage,
        order,
        ordered,
        `lanes where account = '${order.wallet.account}'`,
      );
      const table = stage.lock('lock table withdrawals in access exclusive mode');
      await eventually('its place in the queue', async () => {
        const wanted = `select from pg_locks where mode = 'AccessExclusiveLock' and not granted`;
        return (await stage.query(`${wanted} and relation = to_regclass('withdrawals')`)).length > 0;
      });
      await lane.release();
      const lock = await table;
      await stage.blocked('from withdrawals');
      const { rows } = await lock.client.query('select status from withdrawals where idempotency_key = $1', [
        order.key,
      ]);
      assert.equal(rows[0].status, 'confirmed');
      return lock;
    },
  },
];

async function reachLane(stage: Stage, order: Order, ordered: () => void): Promise<Lock> {
  // Not `for update`, which would already stop the claim: its row refers to the lane.
  const lock = await stage.lock(
    `select * from lanes where account = '${order.wallet.account}' for no key update`,
  );
  ordered();
  await stage.blocked('update lanes');
  return lock;
}

/** The row is locked while the fee is being asked for: the next to write to it is the commit of the envelope. */
async function reachCommit(stage: Stage, order: Order, ordered: () => void): Promise<Lock> {
  const fee = Promise.withResolvers<void>();
  const asked = new Promise<void>((resolve) => {
    stage.proxy.treat('getFeeStats', async (call) => {
      resolve();
      await fee.promise;
      call.reply(await call.forward());
    });
  });
  ordered();
  await asked;
  const lock = await stage.lock(
    `select * from withdrawals where idempotency_key = '${order.key}' for no key update`,
  );
  fee.resolve();
  await stage.blocked('envelope_xdr = ');
  return lock;
}

async function reachRecording(
  stage: Stage,
  order: Order,
  ordered: () => void,
  what = `withdrawals where idempotency_key = '${order.key}'`,
): Promise<Lock> {
  const proof = Promise.withResolvers<void>();
  const proven = new Promise<void>((resolve) => {
    stage.proxy.treat('getTransaction', async (call) => {
      const answer = await call.forward();
      if (answer.result.status === 'SUCCESS') {
        resolve();
        await proof.promise;
      }
      call.reply(answer);
    });
  });
  ordered();
  await proven;
  const lock = await stage.lock(`select * from ${what} for no key update`);
  proof.resolve();
  await stage.blocked(what.startsWith('lanes') ? 'update lanes' : 'update withdrawals');
  return lock;
}

suite('a withdrawal', () => {
  let stage: Stage;
  let wallet: Awaited<ReturnType<Stage['newWallet']>>;

  before(async () => {
    stage = await setStage();
    wallet = await stage.newWallet();
    await untilSettled(stage, newOrder(wallet)); // its lane exists from here on
  });
  afterEach(() => stage?.clear());
  after(() => stage?.stop());

  for (const step of STEPS) {
    test(`killed ${step.name} is paid once at most, and its retry tells the truth`, {
      timeout: STEP_TIMEOUT_MS,
    }, async () => {
      const order = newOrder(wallet);
      const envelope = await killAt(stage, step, order);
      await stage.restart();
      await stage.endLeases();
      const told = await untilSettled(stage, order);
      assert.equal(told.status, step.left.row === null ? 201 : 409);
      const row = await assertPaidOnce(stage, order, told);
      if (envelope)
        assert.equal(row.envelope_xdr, envelope, 'what was signed before the kill is what was paid');
    });
  }

  test('left by a killed process is taken up by the next one within its lease, without anybody asking', async (t) => {
    const order = newOrder(wallet);
    const step = STEPS.find(({ name }) => name === 'after the commit, before sending') as Step;
    await killAt(stage, step, order);
    const began = performance.now();
    await stage.restart();
    await eventually('an outcome', async () => (await rowOf(stage, order)).settled_at, 30_000);
    const took_ms = Math.round(performance.now() - began);
    t.diagnostic(`settled ${took_ms} ms after the restart`);
    assert.ok(took_ms < 20_000, 'the lease is 15 s');
    await assertPaidOnce(stage, order, await withdraw(stage, order));
  });
});

/** Gives the envelope that was committed at the instant of the kill, if any. */
async function killAt(stage: Stage, step: Step, order: Order): Promise<string | null> {
  const request = { lost: Promise.resolve<unknown>(null) };
  const lock = await step.reach(stage, order, () => {
    request.lost = withdraw(stage, order).then(
      (answer) => assert.fail(`answered before the kill: ${answer.text}`),
      () => 'lost',
    );
  });
  await stage.kill();
  assert.equal(await request.lost, 'lost');
  if (step.statement_survives) await lock?.release();
  await stage.endSessions();
  if (!step.statement_survives) await lock?.release();
  const row = await rowOf(stage, order);
  const payments = await paymentsOf(stage, order);
  assert.equal(row?.status ?? null, step.left.row);
  assert.equal(payments.length, step.left.on_ledger ? 1 : 0);
  assert.equal(
    (row?.envelope_xdr ?? null) !== null,
    step.left.row === 'signed' || step.left.row === 'confirmed',
  );
  const sends = stage.proxy.calls.filter(
    ({ method, params }) => method === 'sendTransaction' && params.transaction === row?.envelope_xdr,
  );
  if (step.left.sent) assert.ok(sends.length > 0);
  return row?.envelope_xdr ?? null;
}
