/**
 * The service is killed at each step of a withdrawal: afterwards its key has one payment at most, and every answer is
 * true. The steps are in withdrawal-steps.ts. Before its first step, without a network, it leaves nothing. The long form also runs
 * the steps that leave the same rows behind.
 */
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { inThisForm } from '../support/form.ts';
import {
  assertOneTransaction,
  assertPaidOnce,
  assertTxSourceIsFree,
  newOrder,
  paymentsOf,
  rowOf,
  STEP_TIMEOUT_MS,
  untilOutcome,
  withdraw,
} from './controlled-service.ts';
import { killAt, LONG, paidOnceAfterAll, setUp } from './kill-at-step.ts';
import {
  BEFORE_SENDING,
  BUMP_STEPS,
  CHANNEL_FEE_STEPS,
  CHANNEL_STEPS,
  EXPIRY_STEPS,
  PROOF_STEPS,
  SIGNING_STEPS,
} from './withdrawal-steps.ts';

const STEPS_OF_OWN_ACCOUNT = {
  'on its way to an envelope': SIGNING_STEPS,
  'on its way to an outcome': PROOF_STEPS,
  'that is fee-bumped': BUMP_STEPS,
};

/** src/withdrawals/engine/engine.ts */
const LEASE_MS = 15_000;

/** So that few ledgers close at its time bound. */
const SHORT = { WITHDRAW_VALID_SECONDS: '300', WITHDRAW_WAIT_SECONDS: '60' };

// Each suite has a network and a service of its own, and waits for half of its time.
suite('a withdrawal', { concurrency: 2 }, () => {
  suite('from the account of its wallet', { concurrency: false }, () => {
    const set = setUp(LONG);
    for (const [name, steps] of Object.entries(STEPS_OF_OWN_ACCOUNT)) {
      for (const step of inThisForm(steps)) {
        test(`${name}, killed ${step.name}, is paid once at most, and its retry tells the truth`, {
          timeout: STEP_TIMEOUT_MS,
        }, async () => {
          await paidOnceAfterAll(set.stage, step, newOrder(set.stage, set.wallet));
        });
      }
    }

    test('whose process is dead is taken up by the next one within its lease, without anybody asking', async (t) => {
      const { stage } = set;
      const order = newOrder(set.stage, set.wallet);
      const before_ms = Date.now();
      const { leased_until } = await killAt(stage, BEFORE_SENDING, order);
      const until_ms = leased_until.getTime();
      const lease_ms = until_ms - Date.now(); // below 0 when a slow machine reads the row after its lease
      assert.ok(until_ms > before_ms && lease_ms <= LEASE_MS, `${lease_ms} ms`);
      const began = performance.now();
      await stage.restart();
      await eventually('an outcome', async () => (await rowOf(stage, order)).settled_at);
      const took_ms = Math.round(performance.now() - began);
      t.diagnostic(`settled ${took_ms} ms after the restart`);
      await assertPaidOnce(stage, order, await withdraw(stage, order));
    });

    test('that no source answers before its claim is 503, and its key stays free', async () => {
      const { stage } = set;
      const order = newOrder(stage, set.wallet);
      stage.proxy.treat('getLedgerEntries', (call) => call.raw(500, ''));
      assert.equal((await withdraw(stage, order)).status, 503);
      assert.equal(await rowOf(stage, order), undefined);
      stage.proxy.honest();
      const told = await untilOutcome(stage, order);
      assert.equal(told.status, 201);
      await assertPaidOnce(stage, order, told);
    });
  });

  for (const [paid_by, steps] of [
    ['wallet', CHANNEL_STEPS],
    ['channel', CHANNEL_FEE_STEPS],
  ] as const)
    suite(`on a channel account, with a fee that the ${paid_by} pays`, { concurrency: false }, () => {
      const set = setUp({ ...LONG, CHANNEL_FEES: paid_by });
      let channel: string;

      before(async () => {
        channel = await set.stage.newChannel();
        const occupied = 'update tx_sources set withdrawal_id = $1 where account = $2';
        await set.stage.query(occupied, ['wd_another', set.wallet.account]);
      });

      for (const step of inThisForm(steps)) {
        test(`killed ${step.name} is paid once at most, and its retry tells the truth`, {
          timeout: STEP_TIMEOUT_MS,
        }, async () => {
          const row = await paidOnceAfterAll(set.stage, step, newOrder(set.stage, set.wallet));
          assert.equal(row.tx_source, channel);
          assert.equal(
            row.fee_bump_hashes.includes(row.stellar_tx_hash),
            paid_by === 'wallet',
            'the wallet pays by a fee-bump',
          );
        });
      }
    });

  suite('that the network never took', { concurrency: false }, () => {
    const set = setUp(SHORT);

    for (const step of inThisForm(EXPIRY_STEPS)) {
      test(`killed ${step.name} has failed for ever, and its wallet goes on`, {
        timeout: STEP_TIMEOUT_MS,
      }, async () => {
        const { stage } = set;
        const order = newOrder(set.stage, set.wallet);
        await killAt(stage, step, order);
        await stage.restart();
        await stage.endLeases();
        const told = await untilOutcome(stage, order);
        assert.equal(told.status, 409);
        assert.equal(told.body.data.status, 'failed', told.text);
        assert.equal(told.body.data.failure.code, 'expired');
        const row = await rowOf(stage, order);
        assertOneTransaction(stage, order, row);
        await assertTxSourceIsFree(stage, order, row);
        assert.deepEqual(await paymentsOf(stage, order), []);
      });
    }
  });
});
