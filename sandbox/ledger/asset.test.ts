import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isValidAsset } from './asset.ts';
import { publicKey } from './entry.ts';

const issuer = publicKey(new Uint8Array(32));

function short(code: string): boolean {
  return isValidAsset({ type: 1, alphaNum4: { assetCode: Buffer.from(code), issuer } });
}

function long(code: string): boolean {
  return isValidAsset({ type: 2, alphaNum12: { assetCode: Buffer.from(code), issuer } });
}

test('an asset code is letters and digits, then only zeros', () => {
  for (const code of ['A\0\0\0', 'aZ09', 'USD\0']) assert.equal(short(code), true, code);
  for (const code of ['\0\0\0\0', '\0USD', 'A\0B\0', 'A-B\0', 'A B\0', 'AB\n\0']) {
    assert.equal(short(code), false, code);
  }
});

test('the longer form is for five characters and more', () => {
  assert.equal(long('USDEX\0\0\0\0\0\0\0'), true);
  assert.equal(long('ABCDEFGHIJKL'), true);
  assert.equal(long('USDE\0\0\0\0\0\0\0\0'), false);
  assert.equal(long('USDEX\0\0\0\0\0\0A'), false);
});
