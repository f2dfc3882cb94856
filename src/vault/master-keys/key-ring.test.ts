import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { signWith } from '../../../test/support/sign.ts';
import { createSecrets } from '../secrets.ts';
import { createVault } from '../vault.ts';
import { createKeyRing, keyIdOf, namedKeyOf } from './key-ring.ts';

const [KEY, NEXT] = [randomBytes(32), randomBytes(32)];
const HASH = randomBytes(32);
const checkOf = (key: Buffer) => createKeyRing([key]).sealing().check;
const [KEY_CHECK, NEXT_CHECK] = [checkOf(KEY), checkOf(NEXT)];

const before = () => {
  const ring = createKeyRing([NEXT, KEY]);
  assert(ring.sealWith({ key_check: KEY_CHECK }));
  return ring;
};
const after = () => {
  const ring = createKeyRing([NEXT, KEY]);
  assert(ring.sealWith({ key_check: NEXT_CHECK }));
  return ring;
};

test('sealed bytes name the key that seals, before a rotation and after it', async () => {
  for (const [ring, other, check] of [
    [before(), after(), KEY_CHECK],
    [after(), before(), NEXT_CHECK],
  ] as const) {
    const sealed = [
      (await createVault(ring).generate('wal_1')).sealed_seed,
      createSecrets(ring).seal('whe_1', 'whsec_abc'),
    ];
    for (const bytes of sealed) {
      assert.equal(bytes[0], 1);
      assert.equal(namedKeyOf(bytes), keyIdOf(check));
      assert(ring.hasSealed(bytes));
      assert(!other.hasSealed(bytes));
    }
  }
});

test('bytes that name another key than sealed them do not open, though the ring has the right one', async () => {
  const { public_key, sealed_seed } = await createVault(before()).generate('wal_1');
  const renamed = Buffer.concat([after().prefix(), sealed_seed.subarray(before().prefix().length)]);
  assert(!(await createVault(before()).opens(renamed, { id: 'wal_1', public_key })));
});

test('bytes of an unknown version do not open', async () => {
  const { public_key, sealed_seed } = await createVault(before()).generate('wal_1');
  for (const version of [0, 3]) {
    const unknown = Buffer.concat([Buffer.of(version), sealed_seed.subarray(1)]);
    await assert.rejects(
      signWith(createVault(before()), unknown, { id: 'wal_1', public_key }, HASH),
      /sealed by an unknown version of the vault/,
    );
  }
});

test('what either key has sealed opens while the ring has both, whichever seals', async () => {
  for (const ring of [before(), after()]) {
    for (const sealing of [before(), after()]) {
      const { public_key, sealed_seed } = await createVault(sealing).generate('wal_1');
      assert(await createVault(ring).opens(sealed_seed, { id: 'wal_1', public_key }));
      assert.equal(
        (await signWith(createVault(ring), sealed_seed, { id: 'wal_1', public_key }, HASH)).length,
        64,
      );
      const sealed = createSecrets(sealing).seal('whe_1', 'whsec_abc');
      assert.equal(createSecrets(ring).open('whe_1', sealed), 'whsec_abc');
    }
  }
});

test('a ring without the key opens nothing of it, and says which key it lacks', async () => {
  const { public_key, sealed_seed } = await createVault(after()).generate('wal_1');
  const alone = createVault(createKeyRing([KEY]));
  assert(!(await alone.opens(sealed_seed, { id: 'wal_1', public_key })));
  await assert.rejects(
    signWith(alone, sealed_seed, { id: 'wal_1', public_key }, HASH),
    new RegExp(`sealed with the master key ${keyIdOf(NEXT_CHECK)}, which this process lacks`),
  );
});

test('a seed that is sealed again is the same seed, and needs the new key alone', async () => {
  const { public_key, sealed_seed } = await createVault(before()).generate('wal_1');
  const owner = { id: 'wal_1', public_key };
  const resealed = await createVault(after()).reseal(sealed_seed, owner);
  const next = createKeyRing([NEXT]);
  assert(await createVault(next).opens(resealed, owner));
  const signed = await signWith(createVault(createKeyRing([KEY])), sealed_seed, owner, HASH);
  assert.deepEqual(await signWith(createVault(next), resealed, owner, HASH), signed);
  assert.equal(await createVault(after()).reseal(resealed, owner), resealed, 'sealed once');
});

test('a secret that is sealed again is the same secret, and needs the new key alone', () => {
  const sealed = createSecrets(before()).seal('whe_1', 'whsec_abc');
  const resealed = createSecrets(after()).reseal('whe_1', sealed);
  assert.equal(createSecrets(createKeyRing([NEXT])).open('whe_1', resealed), 'whsec_abc');
  assert.equal(createSecrets(after()).reseal('whe_1', resealed), resealed);
});

test('nothing is sealed again for another owner, or when it does not open', async () => {
  const [one, other] = [
    await createVault(before()).generate('wal_1'),
    await createVault(before()).generate('wal_1'),
  ];
  const vault = createVault(after());
  await assert.rejects(vault.reseal(one.sealed_seed, { id: 'wal_2', public_key: one.public_key }));
  await assert.rejects(vault.reseal(one.sealed_seed, { id: 'wal_1', public_key: other.public_key }));
  await assert.rejects(vault.reseal(Buffer.alloc(0), { id: 'wal_1', public_key: one.public_key }));
  const sealed = createSecrets(before()).seal('whe_1', 'whsec_abc');
  assert.throws(() => createSecrets(after()).reseal('whe_2', sealed));
});

test('a ring seals with a key that it has, and stays where it is otherwise', () => {
  const ring = before();
  assert(!ring.sealWith({ key_check: randomBytes(32) }));
  assert.equal(ring.sealing().id, keyIdOf(KEY_CHECK));
  assert.deepEqual(ring.prefix(), Buffer.concat([Buffer.of(1), KEY_CHECK.subarray(0, 4)]));
});

test('derived keys change with the ring: the current one is of the key that seals, and all are there', () => {
  const ring = before();
  const derived = ring.derive('login tokens');
  const old = derived.current();
  ring.sealWith({ key_check: NEXT_CHECK });
  assert.notDeepEqual(derived.current(), old);
  assert.deepEqual(derived.all(), [derived.current(), old]);
});
