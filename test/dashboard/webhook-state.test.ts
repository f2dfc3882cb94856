import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webhookState } from '../../dashboard/src/pages/addresses/webhook-state.ts';

type Status = 'delivered' | 'pending' | 'failed';

test('of several deliveries of a deposit, the one that needs attention most is in the list', () => {
  const labelOf = (...statuses: Status[]) =>
    webhookState(
      statuses.map((status) => ({ status })),
      { below_minimum: false },
    ).label;
  assert.equal(labelOf('delivered'), 'delivered');
  assert.equal(labelOf('delivered', 'delivered'), 'delivered: 2 of 2');
  assert.equal(labelOf('delivered', 'pending'), 'pending: 1 of 2');
  assert.equal(labelOf('pending', 'failed', 'delivered'), 'failed: 1 of 3');
  assert.equal(labelOf(), 'No endpoint');
  assert.equal(webhookState([], { below_minimum: true }).label, 'Below the minimum');
});
