import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractRateWithin, feeCeiling } from './fee-bid.ts';

const ceilings = { fee_max_stroops: 100_000n, contract_fee_max_stroops: 5_000_000n };

test('the fee of a contract call has a ceiling of its own; its place in a ledger costs what any other may', () => {
  assert.equal(feeCeiling(ceilings, null), 100_000n, 'a payment');
  assert.equal(feeCeiling(ceilings, 454_450n), 554_450n);
  assert.equal(feeCeiling(ceilings, 4_950_000n), 5_000_000n);
  assert.equal(contractRateWithin(70_000n, 454_450n, ceilings), 50_000n);
  assert.equal(contractRateWithin(70_000n, 4_999_000n, ceilings), 500n);
  assert.equal(contractRateWithin(300n, 454_450n, ceilings), 300n);
  assert.equal(contractRateWithin(300n, 6_000_000n, ceilings), 100n, 'accepted before the limit was lowered');
});
