import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Asset } from '@stellar/stellar-sdk';
import { assetText, isAssetCode, NATIVE, parseAsset } from './asset.ts';

const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';

test('an asset is native, or a code and its issuer', () => {
  assert.deepEqual(parseAsset('native'), NATIVE);
  for (const code of ['A', 'USDC', 'usdc', 'XLM', 'native', 'LONGASSET123']) {
    const asset = parseAsset(`${code}:${ISSUER}`);
    assert.deepEqual(asset, { asset_code: code, asset_issuer: ISSUER });
    assert.equal(asset && assetText(asset), `${code}:${ISSUER}`);
  }
  assert.equal(assetText(NATIVE), 'native');
});

test('what the network would refuse is no asset', () => {
  const other = `${ISSUER.slice(0, -1)}M`;
  for (const text of [
    '',
    'USDC',
    'XLM',
    ':',
    `:${ISSUER}`,
    'USDC:',
    `USDC:${ISSUER}:`,
    `USDC-1:${ISSUER}`,
    `Ü:${ISSUER}`,
    `LONGASSET1234:${ISSUER}`,
    `USDC:${ISSUER.toLowerCase()}`,
    `USDC:${ISSUER.slice(1)}`,
    `USDC:${other}`,
    ` USDC:${ISSUER}`,
    `USDC:${ISSUER} `,
    `USDC\0:${ISSUER}`,
    `native:`,
  ])
    assert.equal(parseAsset(text), null, text);
});

test('a code is valid exactly where the Stellar SDK takes it', () => {
  for (const code of [
    '',
    'A',
    'a',
    '0',
    'USDC',
    'ABCDE',
    'ABCDEFGHIJKL',
    'ABCDEFGHIJKLM',
    'A B',
    'A-B',
    'Ü',
    'A\n',
  ]) {
    let taken = true;
    try {
      new Asset(code, ISSUER);
    } catch {
      taken = false;
    }
    assert.equal(isAssetCode(code), taken, JSON.stringify(code));
  }
});
