import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutOwnFunds } from '../../dashboard/src/pages/overview/own-funds.ts';

const DAY = {
  date: '2026-01-01',
  deposits_count: 3,
  deposits_stroops: 100n,
  own_funds_count: 1,
  own_funds_stroops: 90n,
  withdrawals_count: 0,
  withdrawals_stroops: 0n,
  adjustments_count: 0,
  adjustments_stroops: 0n,
  fees_stroops: 0n,
};

test('own funds are in no day of the chart, and their sum is beside it', () => {
  const { days, own_funds_stroops } = withoutOwnFunds([DAY, { ...DAY, date: '2026-01-02' }]);
  assert.deepEqual(
    days.map(({ deposits_count, deposits_stroops }) => [deposits_count, deposits_stroops]),
    [
      [2, 10n],
      [2, 10n],
    ],
  );
  assert.equal(own_funds_stroops, 180n);
});
