import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { LARGEST_WINDOW, nextCongestionWindow } from './congestion-window.ts';

test('a ledger that leaves some over brings the window down to what it took and an eighth more', () => {
  assert.equal(nextCongestionWindow(LARGEST_WINDOW, { taken: 170, left_over: 230 }), 192);
  assert.equal(
    nextCongestionWindow(400, { taken: 2, left_over: 398 }),
    4,
    'never so low that nothing is found out',
  );
});

test('ledgers that take everything let it grow, up to no limit', () => {
  assert.equal(nextCongestionWindow(192, { taken: 170, left_over: 0 }), 240);
  assert.equal(nextCongestionWindow(LARGEST_WINDOW, { taken: 400, left_over: 0 }), LARGEST_WINDOW);
});

test('a ledger that takes nothing says nothing about room', () => {
  assert.equal(nextCongestionWindow(400, { taken: 0, left_over: 400 }), 400);
});

test('a small window grows again though nothing was there to be taken: else nothing ever would be', () => {
  assert.equal(nextCongestionWindow(4, { taken: 0, left_over: 0 }), 5);
});
