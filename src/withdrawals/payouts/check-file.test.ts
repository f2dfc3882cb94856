import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { atOnce } from '../../lib/in-parts.ts';
import { NATIVE } from '../../stellar/asset.ts';
import { tooLargeTotals, totalsOf } from './check-file.ts';

const USDC = {
  asset_code: 'USDC',
  asset_issuer: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
};
const MOST = 2n ** 63n - 1n;

test('amounts of one asset that are more than an account can hold are refused, exactly, and those of several assets are not', () => {
  const rows = [
    { ...NATIVE, amount_stroops: MOST - 1n },
    { ...USDC, amount_stroops: MOST },
    { ...NATIVE, amount_stroops: 1n },
  ];
  assert.deepEqual(tooLargeTotals(atOnce(totalsOf(rows))), []);
  const totals = atOnce(totalsOf([...rows, { ...USDC, amount_stroops: MOST }]));
  const problems = tooLargeTotals(totals);
  assert.deepEqual(
    problems.map(({ row, code }) => [row, code]),
    [[null, 'invalid_request']],
  );
  assert.match(problems[0]?.message ?? '', /of USDC:GA5Z.* are 18446744073709551614 stroops together/);
});
