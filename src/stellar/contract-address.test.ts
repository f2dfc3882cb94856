import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseAddress } from './address.ts';
import { contractAddress, parseContractAddress } from './contract-address.ts';

const VECTORS = join(
  import.meta.dirname,
  '../../sandbox/testing/recordings/protocol-30/muxed-contracts.json',
);
const { valid, invalid } = JSON.parse(readFileSync(VECTORS, 'utf8')) as {
  valid: { id: string; contract: string; muxed: string }[];
  invalid: Record<string, string>;
};
const [{ contract: C } = { contract: '' }] = valid;

test('muxed contracts are read and written as another implementation does it', () => {
  assert.equal(valid.length, 5);
  for (const { id, contract, muxed } of valid) {
    const address = { contract, muxed_id: BigInt(id) };
    assert.deepEqual(parseContractAddress(muxed), address);
    assert.equal(contractAddress(address), muxed);
    assert.equal(parseAddress(muxed), null, 'it is no account');
  }
});

test('a contract without an id is its own address', () => {
  const address = { contract: C, muxed_id: null };
  assert.deepEqual(parseContractAddress(C), address);
  assert.equal(contractAddress(address), C);
});

assert.equal(Object.keys(invalid).length, 9);
for (const [fault, text] of Object.entries(invalid))
  test(`no muxed contract: ${fault}`, () => assert.equal(parseContractAddress(text), null));

test('a text with one character more, less or changed is never read as another address', () => {
  const [{ muxed } = { muxed: '' }] = valid;
  const places = fc.tuple(fc.nat(), fc.constantFrom('', ...'ABCMW2701g*= ', '\n'));
  fc.assert(
    fc.property(places, ([place, put]) => {
      const at = place % (muxed.length + 1);
      for (const text of [
        muxed.slice(0, at) + put + muxed.slice(at),
        muxed.slice(0, at) + put + muxed.slice(at + 1),
      ])
        if (text !== muxed) assert.equal(parseContractAddress(text), null, JSON.stringify(text));
    }),
    { numRuns: 1000 },
  );
});

test('property: an address carries any uint64 exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (muxed_id) => {
      const text = contractAddress({ contract: C, muxed_id });
      assert.match(text, /^W[A-Z2-7]{68}$/);
      assert.deepEqual(parseContractAddress(text), { contract: C, muxed_id });
    }),
    { numRuns: 1000 },
  );
});
