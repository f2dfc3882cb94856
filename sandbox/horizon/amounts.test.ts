import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountText, priceText } from './amounts.ts';

test('amounts have seven decimals, up to the largest', () => {
  assert.equal(amountText(0n), '0.0000000');
  assert.equal(amountText(1n), '0.0000001');
  assert.equal(amountText(12_345_000n), '1.2345000');
  assert.equal(amountText(2n ** 63n - 1n), '922337203685.4775807');
  assert.equal(amountText(-15_000_000n), '-1.5000000');
});

test('prices are rounded to seven decimals, half up', () => {
  assert.equal(priceText({ n: 5_764_667, d: 2_500_000 }), '2.3058668');
  assert.equal(priceText({ n: 1, d: 3 }), '0.3333333');
  assert.equal(priceText({ n: 2, d: 3 }), '0.6666667');
  assert.equal(priceText({ n: 1, d: 20_000_000 }), '0.0000001');
  assert.equal(priceText({ n: 2_147_483_647, d: 1 }), '2147483647.0000000');
});
