/**
 * A withdrawal killed at each of its steps: afterwards its key has one payment at most, and the truth is told. The steps
 * themselves are in withdrawal-steps.ts.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import {
  assertLaneIsFree,
  assertOneTransaction,
  assertPaidOnce,
  envelopesOf,
  newOrder,
  type Order,
  paymentsOf,
  rowOf,
  STEP_TIMEOUT_MS,
  type Stage,
  setStage,
  untilSettled,
  type Wallet,
  withdraw,
} from './stage.ts';
import {
  BEFORE_SENDING,
  BUMP_STEPS,
  CHANNEL_STEPS,
  EXPIRY_STEPS,
  PROOF_STEPS,
  SIGNING_STEPS,
  type Step,
} from './withdrawal-steps.ts';

const STEPS_OF_OWN_ACCOUNT = {
  'on its way to an envelope': SIGNING_STEPS,
  'on its way to an outcome': PROOF_STEPS,
  'that is fee-bumped': BUMP_STEPS,
};

/** The longest there is: no ledgers are missed while the service is dead, however slow the machine. */
const LONG = { WITHDRAW_VALID_SECONDS: '3600', WITHDRAW_WAIT_SECONDS: '60' };
/** So that few ledgers close at its time bound. */
const SHORT = { WITHDRAW_VALID_SECONDS: '300', WITHDRAW_WAIT_SECONDS: '60' };

// Each has a network and a service of its own, and waits most of the time.
suite('a withdrawal', { concurrency: true }, () => {
  for (const [name, steps] of Object.entries(STEPS_OF_OWN_ACCOUNT)) {
    suite(name, { concurrency: false }, () => {
      const set = setUp(LONG);
      for (const step of steps) {
        test(`killed ${step.name} is paid once at most, and its retry tells the truth`, {
          timeout: STEP_TIMEOUT_MS,
        }, async () => {
          await paidOnceAfterAll(set.stage, step, newOrder(set.wallet));
        });
      }
    });
  }

  suite('on a channel account', { concurrency: false }, () => {
    const set = setUp(LONG);
    let channel: string;

    before(async () => {
      channel = await set.stage.newChannel();
      const occupied = 'update lanes set holder = $1 where account = $2';
      await set.stage.query(occupied, ['wd_another', set.wallet.account]);
    });

    for (const step of CHANNEL_STEPS) {
      test(`killed ${step.name} is paid once at most, and its retry tells the truth`, {
        timeout: STEP_TIMEOUT_MS,
      }, async () => {
        const row = await paidOnceAfterAll(set.stage, step, newOrder(set.wallet));
        assert.equal(row.lane, channel);
        assert.ok(row.fee_bump_hashes.includes(row.stellar_tx_hash), 'the wallet paid by a fee-bump');
      });
    }
  });

  suite('that the network never took', { concurrency: false }, () => {
    const set = setUp(SHORT);

    for (const step of EXPIRY_STEPS) {
      test(`killed ${step.name} has failed for ever, and its wallet goes on`, {
        timeout: STEP_TIMEOUT_MS,
      }, async () => {
        const { stage } = set;
        const order = newOrder(set.wallet);
        await killAt(stage, step, order);
        await stage.restart();
        await stage.endLeases();
        const told = await untilSettled(stage, order);
        assert.equal(told.status, 409);
        assert.equal(told.body.data.status, 'failed', told.text);
        assert.equal(told.body.data.failure.code, 'expired');
        const row = await rowOf(stage, order);
        assertOneTransaction(stage, order, row);
        await assertLaneIsFree(stage, order, row);
        assert.deepEqual(await paymentsOf(stage, order), []);
      });
    }
  });

  suite('whose process is dead', { concurrency: false }, () => {
    const set = setUp(LONG);

    test('is taken up by the next one within its lease, without anybody asking', async (t) => {
      const { stage } = set;
      const order = newOrder(set.wallet);
      await killAt(stage, BEFORE_SENDING, order);
      const began = performance.now();
      await stage.restart();
      await eventually('an outcome', async () => (await rowOf(stage, order)).settled_at, 30_000);
      const took_ms = Math.round(performance.now() - began);
      t.diagnostic(`settled ${took_ms} ms after the restart`);
      assert.ok(took_ms < 20_000, 'the lease is 15 s');
      await assertPaidOnce(stage, order, await withdraw(stage, order));
    });
  });
});

/** A stage for the tests of a suite, with a wallet whose own lane exists. */
function setUp(env: Record<string, string>): { stage: Stage; wallet: Wallet } {
  const set = {} as { stage: Stage; wallet: Wallet };
  before(async () => {
    set.stage = await setStage(env);
    set.wallet = await set.stage.newWallet();
    await untilSettled(set.stage, newOrder(set.wallet));
  });
  afterEach(() => set.stage?.clear());
  after(() => set.stage?.stop());
  return set;
}

/** Gives its row. */
async function paidOnceAfterAll(stage: Stage, step: Step, order: Order): Promise<any> {
  const left = await killAt(stage, step, order);
  await stage.restart();
  await stage.endLeases();
  const told = await untilSettled(stage, order);
  assert.equal(told.status, step.left.row === null ? 201 : 409);
  const row = await assertPaidOnce(stage, order, told);
  if (left?.envelope_xdr) {
    assert.equal(row.inner_tx_hash, left.inner_tx_hash, 'what was signed before the kill is what was paid');
    const bumps = row.fee_bump_hashes.slice(0, left.fee_bump_hashes.length);
    assert.deepEqual(bumps, left.fee_bump_hashes, 'no envelope is forgotten');
  }
  return row;
}

/** Gives the row as it was at the instant of the kill, if there was one. */
async function killAt(stage: Stage, step: Step, order: Order): Promise<any> {
  const request = { lost: Promise.resolve<unknown>(null) };
  const lock = await step.reach(stage, order, () => {
    request.lost = withdraw(stage, order).then(
      (answer) => assert.fail(`answered before the kill: ${answer.text}`),
      () => 'lost',
    );
  });
  await stage.kill();
  assert.equal(await request.lost, 'lost');
  if (step.statement_survives) {
    await lock?.release();
    await stage.endStatements();
  }
  await stage.endSessions();
  if (!step.statement_survives) await lock?.release();
  const row = await rowOf(stage, order);
  const sent = envelopesOf(stage, order);
  const { left } = step;
  assert.equal(row?.status ?? null, left.row);
  assert.equal((row?.lane ?? null) !== null, left.lane, 'has a lane');
  assert.equal((row?.envelope_xdr ?? null) !== null, left.row === 'signed' || left.row === 'confirmed');
  assert.equal((await paymentsOf(stage, order)).length, left.on_ledger ? 1 : 0);
  assert.equal(sent.length > 0, left.sent, `${sent.length} envelopes were sent`);
  // Ledgers close ten times a second here: on a slow machine one that waits is bumped sooner than the step wants.
  if (left.bump_sent) assert.ok(sent.some(({ is_fee_bump }) => is_fee_bump));
  return row;
}
