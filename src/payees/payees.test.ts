import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { ANNA, SMART, SMART_7, USDC } from '../../test/support/policies.ts';
import { AppError } from '../lib/errors.ts';
import { NATIVE } from '../stellar/asset.ts';
import { orderTo } from './payees.ts';

const payee = {
  id: 'pye_1',
  team_id: 'tea_1',
  name: 'Ada',
  note: null,
  created_by: 'usr_1',
  paid_before: null,
};
const times = { created_at: new Date(0), named_at: new Date(0), deleted_at: null };
const to = (destination: string, memo_id: bigint | null = null) => ({
  ...payee,
  ...times,
  destination,
  memo_id,
  asset_code: null,
  asset_issuer: null,
});
const codeOf = (order: () => unknown) => {
  try {
    order();
    return null;
  } catch (error) {
    assert(error instanceof AppError);
    return error.code;
  }
};

test('an order may say the memo of its payee, or one where the payee has none', () => {
  const memo = (memo_id: bigint | null) => ({ ...NATIVE, memo_id });
  assert.deepEqual(orderTo(to(ANNA, 5n), memo(null)), { destination: ANNA, memo_id: 5n });
  assert.deepEqual(orderTo(to(ANNA, 5n), memo(5n)), { destination: ANNA, memo_id: 5n });
  assert.deepEqual(orderTo(to(ANNA), memo(5n)), { destination: ANNA, memo_id: 5n });
  assert.deepEqual(orderTo(to(SMART_7), memo(7n)), { destination: SMART_7, memo_id: 7n });
  assert.equal(
    codeOf(() => orderTo(to(ANNA, 5n), memo(6n))),
    'ambiguous_destination',
  );
  assert.equal(
    codeOf(() => orderTo(to(SMART), memo(7n))),
    'ambiguous_destination',
    'another recipient',
  );
});

test('an order is in the asset of its payee, where the payee has one', () => {
  const usdc = { ...to(ANNA), ...USDC };
  assert.deepEqual(orderTo(usdc, { ...USDC, memo_id: null }), { destination: ANNA, memo_id: null });
  assert.equal(
    codeOf(() => orderTo(usdc, { ...NATIVE, memo_id: null })),
    'invalid_request',
  );
});
