import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPayments, typedOf } from '../../dashboard/src/pages/team/large-payments.ts';

const ISSUER = 'GB2HHONBICW25FXNU2G44S3SHBGRL3ZTRCZMIVCJQXNBYC5ZG44MZXLG';
const NATIVE = { asset_code: 'native', asset_issuer: null };

test('what is typed for an amount is read as the same amount', () => {
  const payments = [
    { ...NATIVE, amount_stroops: 1n },
    { asset_code: 'USDC', asset_issuer: ISSUER, amount_stroops: 9_223_372_036_854_775_807n },
  ];
  assert.deepEqual(readPayments(typedOf(payments)).payments, payments);
});

test('an asset that is invalid, is named twice, or has no amount, is a problem of its row alone', () => {
  const rows = [
    { id: 0, asset: 'xlm', amount: '1 XLM' },
    { id: 4, asset: 'USDC', amount: '1' },
    { id: 5, asset: 'native', amount: '2' },
    { id: 6, asset: `USDC:${ISSUER}`, amount: '' },
  ];
  const { payments, problems } = readPayments(rows);
  assert.equal(payments, null);
  assert.deepEqual(
    [...problems],
    [
      [4, { asset: 'The asset must be XLM or CODE:ISSUER.' }],
      [5, { asset: 'The asset has an amount already.' }],
      [6, { amount: 'The amount is required.' }],
    ],
  );
});
