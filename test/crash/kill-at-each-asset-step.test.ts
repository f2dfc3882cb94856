/** The same as kill-at-each-step.test.ts for what is done with assets: payments of issued ones, transfers to contracts, and additions of trust lines. */
import { before, suite, test } from 'node:test';
import { deployTestContract } from '../../sandbox/issuer-order.ts';
import { inThisForm } from '../support/form.ts';
import { newIssuer } from '../support/issuers.ts';
import {
  newAddition,
  newAssetOrder,
  newContractOrder,
  STEP_TIMEOUT_MS,
  untilOutcome,
} from './controlled-service.ts';
import { LONG, paidOnceAfterAll, setUp } from './kill-at-step.ts';
import { stepsOfAsset } from './withdrawal-steps.ts';

suite('with an issued asset', { concurrency: false }, () => {
  const set = setUp({ ...LONG, FEE_MAX_STROOPS: '1000000' });

  suite('a payment', { concurrency: false }, () => {
    const paid = { asset: '', destination: '' };

    before(async () => {
      const { stage, wallet } = set;
      const issuer = await newIssuer(stage.ledger);
      const body = issuer.fields;
      await stage.api('POST', `/v1/wallets/${wallet.id}/assets`, { token: stage.token, body });
      await issuer.pay(wallet.account, 10_000_000_000n);
      Object.assign(paid, { asset: issuer.text, destination: (await issuer.holder(0n)).publicKey() });
    });

    for (const step of inThisForm(stepsOfAsset())) {
      test(`killed ${step.name} is paid once at most, and its retry tells the truth`, {
        timeout: STEP_TIMEOUT_MS,
      }, async () => {
        await paidOnceAfterAll(set.stage, step, newAssetOrder(set.stage, set.wallet, paid));
      });
    }
  });

  suite('a transfer to a contract', { concurrency: false }, () => {
    let contract = '';

    before(async () => {
      ({ contract } = await deployTestContract(`${set.stage.ledger.server.serverURL}`));
    });

    for (const step of inThisForm(stepsOfAsset())) {
      test(`killed ${step.name} is paid once at most, and its retry tells the truth`, {
        timeout: STEP_TIMEOUT_MS,
      }, async () => {
        await paidOnceAfterAll(set.stage, step, newContractOrder(set.stage, set.wallet, contract));
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
