/** A refund is a withdrawal: killed at each of its steps it is paid once, its deposit shows it, and there is no second one. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inThisForm } from '../support/form.ts';
import {
  type ControlledService,
  newRefund,
  type Order,
  paymentsOf,
  STEP_TIMEOUT_MS,
  withdraw,
} from './controlled-service.ts';
import { LONG, paidOnceAfterAll, setUp } from './kill-at-step.ts';
import { stepsOfRefund } from './withdrawal-steps.ts';

suite('a refund', { concurrency: false }, () => {
  const set = setUp(LONG);
  for (const step of inThisForm(stepsOfRefund())) {
    test(`killed ${step.name} is paid once, the deposit shows it, and a second one is refused`, {
      timeout: STEP_TIMEOUT_MS,
    }, async () => {
      const { stage } = set;
      const order = await newRefund(stage, set.wallet);
      const { id } = await paidOnceAfterAll(stage, step, order);
      await assertRefunded(stage, order, id);
    });
  }
});

async function assertRefunded(stage: ControlledService, order: Order, withdrawal_id: string): Promise<void> {
  const { wallet, refund_of } = order;
  const path = `/v1/wallets/${wallet.id}/deposits/${refund_of}`;
  const token = wallet.api_key;
  const { body } = await stage.api('GET', path, { token });
  assert.equal(body.data.refund_withdrawal_id, withdrawal_id);
  assert.equal(body.data.attributed, false);
  const again = await withdraw(stage, order);
  assert.deepEqual([again.status, again.body.error.code], [409, 'deposit_refunded'], again.text);
  assert.equal(again.body.data.id, withdrawal_id);
  const address = await stage.api('POST', `/v1/wallets/${wallet.id}/addresses`, { token });
  const address_id = address.body.data.id;
  const assigned = await stage.api('POST', `${path}/assign`, { token: stage.token, body: { address_id } });
  assert.deepEqual([assigned.status, assigned.body.error?.code], [409, 'deposit_refunded'], assigned.text);
  assert.equal((await paymentsOf(stage, order)).length, 1);
}
