import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { muxedAddress, parseAddress } from './address.ts';

const G = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

test('reads the addresses of SEP-23', () => {
  assert.deepEqual(parseAddress(G)?.muxed_id, null);
  const muxed = parseAddress('MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK');
  assert.equal(muxed?.account, G);
  assert.equal(muxed?.muxed_id, 2n ** 63n);
});

test('refuses everything that is not a G… or M… strkey', () => {
  const hostile = [
    '',
    'G',
    G.toLowerCase(),
    ` ${G}`,
    `${G}\n`,
    G.slice(0, -1),
    `${G}A`,
    `${G.slice(0, -1)}A`, // checksum
    `${G}=`,
    Keypair.random().secret(), // S…
    'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE',
    'TBU2RRGLXH3E5CQHTD3ODLDF2BWDCYUSSBLLZ5GNW7JXHDIYKXZWHXL7',
    'XBU2RRGLXH3E5CQHTD3ODLDF2BWDCYUSSBLLZ5GNW7JXHDIYKXZWGTOG',
    'alice*example.com',
    // SEP-23's invalid muxed accounts: unused bits, length, algorithm, padding, checksum
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUR',
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZA',
    'G47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVP2I',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLKA',
    'M47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK===',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLO',
  ];
  for (const text of hostile) assert.equal(parseAddress(text), null, JSON.stringify(text));
});

test('property: an address carries any uint64 exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (id) => {
      const address = parseAddress(muxedAddress(G, id));
      assert.equal(address?.muxed_id, id);
      assert.equal(address?.account, G);
    }),
    { numRuns: 1000 },
  );
});
