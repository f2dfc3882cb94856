import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { isSecretSeed, readAddress } from '../../dashboard/src/text/strkey.ts';
import { muxedAddress, parseAddress } from '../../src/stellar/address.ts';

const G = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

function problemOf(text: string): string {
  const read = readAddress(text);
  return 'problem' in read ? read.problem : assert.fail(`${text} was taken`);
}

test('the addresses of SEP-23 are accepted, with surrounding spaces', () => {
  assert.deepEqual(readAddress(` ${G}\n`), { account: G, muxed_id: null, kind: 'account' });
  const C = 'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE';
  assert.deepEqual(readAddress(C), { account: C, muxed_id: null, kind: 'contract' });
  assert.deepEqual(readAddress('MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK'), {
    account: G,
    muxed_id: 2n ** 63n,
    kind: 'account',
  });
});

test('muxed contracts are read as another implementation writes them, and what it refuses is refused', () => {
  const file = 'sandbox/testing/recordings/protocol-30/muxed-contracts.json';
  const { valid, invalid } = JSON.parse(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'));
  for (const { id, contract, muxed } of valid)
    assert.deepEqual(readAddress(muxed), { account: contract, muxed_id: BigInt(id), kind: 'contract' });
  for (const text of Object.values<string>(invalid)) problemOf(text);
});

test('each kind of invalid address gets its own message', () => {
  const wrong: [text: string, words: RegExp][] = [
    ['', /required/],
    [G.toLowerCase(), /capital G, M, C or W/],
    [G.slice(0, -1), /must have 56 characters: 1 missing/],
    [`${G}A`, /1 too many/],
    [`${G.slice(0, -1)}A`, /mistyped/],
    [G.replace('7', '8'), /“8”/],
    [Keypair.random().secret(), /secret seed/],
    ['CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXA', /mistyped/],
    ['alice*example.com', /federation/],
    ['hello', /G, M, C or W/],
  ];
  for (const [text, words] of wrong) assert.match(problemOf(text), words);
});

test('the invalid addresses of SEP-23 are refused', () => {
  const invalid = [
    'GAAAAAAAACGC6',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUR', // unused bits
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZA',
    'G47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVP2I', // algorithm
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLKA',
    'M47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ', // algorithm
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK===',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLO', // checksum
  ];
  for (const text of invalid) problemOf(text);
});

test('property: for any account and uint64 id, dashboard and service read the same', () => {
  const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.option(uint64), (seed, id) => {
      const account = Keypair.fromRawEd25519Seed(Buffer.from(seed)).publicKey();
      const text = id === null ? account : muxedAddress(account, id);
      assert.deepEqual(readAddress(text), { account, muxed_id: id, kind: 'account' });
    }),
    { numRuns: 300 },
  );
});

test('property: dashboard and service accept the same damaged addresses', () => {
  const damaged = fc.tuple(
    fc.constantFrom(G, muxedAddress(G, 42n)),
    fc.nat(),
    fc.constantFrom('', ...'ABGMS27018g*= '),
  );
  fc.assert(
    fc.property(damaged, ([address, place, put]) => {
      const at = place % address.length;
      const text = address.slice(0, at) + put + address.slice(at + 1);
      const read = readAddress(text);
      const theirs = parseAddress(text.trim());
      assert.equal('problem' in read, theirs === null, text);
      if (theirs && !('problem' in read)) assert.equal(read.muxed_id, theirs.muxed_id);
    }),
    { numRuns: 2000 },
  );
});

test('a secret seed is recognized, even if it is mistyped', () => {
  const seed = Keypair.random().secret();
  for (const text of [seed, ` ${seed} `, seed.slice(0, -2), seed.toLowerCase()]) assert(isSecretSeed(text));
  assert(!isSecretSeed(G));
});
