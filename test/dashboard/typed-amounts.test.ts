import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distinctAssets, NATIVE } from '../../dashboard/src/text/asset.ts';
import { amountsInBody, readAmounts, typedAmounts } from '../../dashboard/src/text/typed-amounts.ts';

const ISSUER = 'GB2HHONBICW25FXNU2G44S3SHBGRL3ZTRCZMIVCJQXNBYC5ZG44MZXLG';
const USDC = { asset_code: 'USDC', asset_issuer: ISSUER };
const OTHER = {
  asset_code: 'USDC',
  asset_issuer: 'GDUKMGUGDZQK6YHYA5Z6AY2G4XDSZPSZ3SW5UN3ARVMO6QSRDWP5YLEX',
};

test('what is typed for an amount is read as the same amount, and an asset without one has none', () => {
  const amounts = [
    { ...NATIVE, amount_stroops: 1n },
    { ...USDC, amount_stroops: 9_223_372_036_854_775_807n },
  ];
  const read = readAmounts([NATIVE, USDC, OTHER], typedAmounts(amounts));
  assert.deepEqual(read, { amounts, problems: {} });
});

test('the problem of an amount belongs to its asset, not to another one of the same code', () => {
  const typed = { native: ' 1.5 XLM', [`USDC:${ISSUER}`]: '1,234', [`USDC:${OTHER.asset_issuer}`]: '2 USDC' };
  assert.deepEqual(readAmounts([NATIVE, USDC, OTHER], typed), {
    amounts: [
      { ...NATIVE, amount_stroops: 15_000_000n },
      { ...OTHER, amount_stroops: 20_000_000n },
    ],
    problems: { [`USDC:${ISSUER}`]: 'The amount is ambiguous: write 1234 or 1.2340.' },
  });
});

test('a body names the native asset without an issuer', () => {
  const amounts = [
    { ...NATIVE, amount_stroops: 1n },
    { ...USDC, amount_stroops: 2n },
  ];
  assert.deepEqual(amountsInBody(amounts), [
    { asset_code: 'native', amount_stroops: 1n },
    { ...USDC, amount_stroops: 2n },
  ]);
});

test('each asset is asked for once, in the place in which it comes first', () => {
  assert.deepEqual(distinctAssets([NATIVE, OTHER, { ...NATIVE }, USDC, { ...OTHER }]), [NATIVE, OTHER, USDC]);
});
