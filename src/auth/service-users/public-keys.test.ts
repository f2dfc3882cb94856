import { strict as assert } from 'node:assert';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { type GivenKey, readPublicKeys } from './public-keys.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Every text that decodes to the same 32 bytes: the last character has two bits that no byte needs. */
function spellings(text: string): string[] {
  const last = LETTERS.indexOf(text.at(-1) ?? '');
  const spare = [0, 1, 2, 3].map((bits) => text.slice(0, -1) + LETTERS[(last & ~3) | bits]);
  const alphabets = spare.flatMap((each) => [each, each.replaceAll('-', '+').replaceAll('_', '/')]);
  return alphabets.flatMap((each) => [each, `${each}=`]);
}

const keyOf = (type: 'ed25519' | 'ec') =>
  (type === 'ed25519'
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  ).publicKey.export({ format: 'jwk' }) as GivenKey;

test('a key is one key however its base64 is spelt, and is kept in one spelling', async () => {
  for (const key of [keyOf('ed25519'), keyOf('ec')]) {
    const [read] = await readPublicKeys([key]);
    assert.equal(read?.x, key.x);
    for (const x of spellings(key.x))
      for (const y of key.y === undefined ? [undefined] : spellings(key.y)) {
        const other = { ...key, x, ...(y !== undefined && { y }), kid: 'other' };
        assert.deepEqual(await readPublicKeys([other]), [{ ...read, kid: 'other' }]);
        await assert.rejects(readPublicKeys([key, other]), /must be another key/);
      }
  }
});

test('a coordinate of other bytes than 32, or with other characters, is no key', async () => {
  const key = keyOf('ed25519');
  for (const x of [
    '',
    'AA',
    key.x.slice(1),
    `A${key.x}`,
    `${key.x}==`,
    `${key.x.slice(0, -1)} `,
    ` ${key.x}`,
    `${key.x}\n`,
    `${key.x.slice(0, -1)}=`,
  ])
    await assert.rejects(readPublicKeys([{ ...key, x }]), /must be an Ed25519/, JSON.stringify(x));
});
