import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { atOnce } from '../../lib/in-parts.ts';
import { NATIVE } from '../../stellar/asset.ts';
import { tooLargeTotals, totalsOf } from './check-file.ts';

const USDC = {
  asset_code: 'USDC',
  asset_issuer: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
};
const ROW = { number: 1, line: 2, destination: 'G', reference: null };
const MOST = 2n ** 63n - 1n;

test('amounts of one asset that are more than an account can hold are refused, exactly, and those of several assets are not', () => {
  const rows = [
    { ...ROW, ...NATIVE, amount_stroops: MOST - 1n },
    { ...ROW, ...USDC, amount_stroops: MOST },
    { ...ROW, ...NATIVE, amount_stroops: 1n },
  ];
  assert.deepEqual(tooLargeTotals(atOnce(totalsOf(rows))), []);
  const totals = atOnce(totalsOf([...rows, { ...ROW, ...USDC, amount_stroops: MOST }]));
  const problems = tooLargeTotals(totals);
  assert.deepEqual(
    problems.map(({ row, code }) => [row, code]),
    [[null, 'invalid_request']],
  );
  assert.match(problems[0]?.message ?? '', /of USDC:GA5Z.* are 18446744073709551614 stroops together/);
});

test('the largest row of each asset is the first with the largest amount', () => {
  const row = (number: number, amount_stroops: bigint, asset = NATIVE) => ({
    ...ROW,
    ...asset,
    number,
    amount_stroops,
  });
  const totals = atOnce(totalsOf([row(1, 5n), row(2, 9n), row(3, 9n), row(4, 1n, USDC)]));
  assert.deepEqual(
    totals.map(({ largest_row: { number, amount_stroops } }) => [number, amount_stroops]),
    [
      [2, 9n],
      [4, 1n],
    ],
  );
});
