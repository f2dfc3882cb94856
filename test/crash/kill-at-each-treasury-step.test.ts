/** The same as kill-at-each-step.test.ts where the treasury pays fees and reserves: payments, and additions of trust lines. */
import { before, suite, test } from 'node:test';
import { inThisForm } from '../support/form.ts';
import { newAddition, newOrder, STEP_TIMEOUT_MS, untilOutcome } from './controlled-service.ts';
import { LONG, paidOnceAfterAll, setUp } from './kill-at-step.ts';
import { stepsOfAsset } from './withdrawal-steps.ts';

const TREASURY = { ...LONG, TREASURY_PAYS: 'fees,reserves' };

suite('paid by the treasury', { concurrency: false }, () => {
  const set = setUp(TREASURY);

  suite('a payment', { concurrency: false }, () => {
    for (const step of inThisForm(stepsOfAsset())) {
      test(`killed ${step.name} is paid once at most, and its retry tells the truth`, {
        timeout: STEP_TIMEOUT_MS,
      }, async () => {
        await paidOnceAfterAll(set.stage, step, newOrder(set.stage, set.wallet));
      });
    }
  });

  suite('the addition of a trust line', { concurrency: false }, () => {
    let issuer: string;

    before(async () => {
      issuer = (await set.stage.ledger.fund()).publicKey();
    });

    for (const step of inThisForm(stepsOfAsset())) {
      test(`killed ${step.name} is made once, and its retry finds it`, {
        timeout: STEP_TIMEOUT_MS,
      }, async () => {
        const addition = newAddition(set.wallet, issuer);
        await paidOnceAfterAll(set.stage, step, addition);
        await untilOutcome(set.stage, addition);
      });
    }
  });
});
