import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import sodium from 'sodium-native';
import { startFakeKms } from '../../../test/support/fake-kms.ts';
import { mixedKey } from '../../../test/support/mixed-key.ts';
import { signWith } from '../../../test/support/sign.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { createKeys, type Keys } from '../keys.ts';
import { createKeyRing, keyIdOf, namedKeyOf, type SealingKey } from '../master-keys/key-ring.ts';
import type { OwnedSeed, SeedOwner } from '../vault.ts';
import { openAwsKms } from './aws-kms.ts';
import { createDataKeys, type WrappedKey } from './data-keys.ts';
import { createKeyCache } from './key-cache.ts';
import { type ProviderState, type WatchedProvider, watchProvider } from './watched-provider.ts';

const MASTER = randomBytes(32);
const HASH = randomBytes(32);

process.env.AWS_ACCESS_KEY_ID = 'AKIATEST';
process.env.AWS_SECRET_ACCESS_KEY = 'secret';
const kms = await startFakeKms({ keep: true });
after(() => kms.close());
beforeEach(() => kms.fail(null));

/** A clock that stands still until the test moves it; its sleepers wake when their time has come. */
function stillClock(): Clock & { pass(ms: number): void } {
  let now_ms = 1_000_000;
  const sleepers: { at_ms: number; wake(): void }[] = [];
  return {
    now: () => new Date(now_ms),
    sleep: (ms) => new Promise((wake) => sleepers.push({ at_ms: now_ms + ms, wake })),
    pass(ms) {
      now_ms += ms;
      for (const { at_ms, wake } of sleepers) if (at_ms <= now_ms) wake();
    },
  };
}

/** `beforeAnswer` runs between the question to the provider for a new data key and its answer. */
async function makeKeys({
  clock = stillClock() as Clock,
  cache_seconds = 0,
  master = MASTER,
  more_masters = [] as Buffer[],
  beforeAnswer = () => {},
  key_id = kms.key_id,
  times = { request_ms: 60_000, call_ms: 180_000 }, // nothing on a busy machine takes so long
} = {}) {
  const settings = { key_id, region: 'eu-central-1', endpoint: new URL(kms.url) };
  const states: ProviderState[] = [];
  const provider = watchProvider(openAwsKms(settings, systemClock, times), {
    clock,
    onCall: () => undefined,
    onChange: (state) => states.push(state),
  });
  const makeDataKey: typeof provider.makeDataKey = (owner, use) =>
    provider.makeDataKey(owner, (data_key, wrapped) => {
      beforeAnswer();
      return use(data_key, wrapped);
    });
  const data_keys = createDataKeys({ ...provider, makeDataKey }, { clock, cache_seconds });
  after(() => data_keys.close());
  const keys = createKeys([master, ...more_masters], data_keys);
  const known = await provider.makeKnownAnswer();
  provider.expect(known);
  const { check: key_check } = keys.key_ring.sealing();
  assert(keys.key_ring.sealWith({ key_check, provider_check: known.key_check }));
  return { ...keys, data_keys, provider, states, known };
}

type Vault = Awaited<ReturnType<typeof makeKeys>>['vault'];
/** Whether the keys of these seeds are away, all asked for at once. */
const areAway = (vault: Vault, seeds: OwnedSeed[]) =>
  vault.withSigner(seeds, async (signer) => seeds.map((seed) => signer.isAway(seed)));

async function newSeed(vault: Vault, id: string): Promise<OwnedSeed> {
  const { public_key, sealed_seed } = await vault.generate(id);
  return { sealed_seed, owner: { id, public_key } };
}

const decrypts = () => kms.calls.filter(({ operation }) => operation === 'Decrypt').length;

describe('a seed that is sealed with the help of a provider', () => {
  it('signs, and opens for its own owner only', async () => {
    const { vault } = await makeKeys();
    const { public_key, sealed_seed } = await vault.generate('wal_1');
    const owner = { id: 'wal_1', public_key };
    assert.equal(sealed_seed[0], 2);
    assert.equal((await signWith(vault, sealed_seed, owner, HASH)).length, 64);
    assert(await vault.opens(sealed_seed, owner));
    assert(!(await vault.opens(sealed_seed, { ...owner, id: 'wal_2' })));
    await assert.rejects(signWith(vault, sealed_seed, { ...owner, id: 'wal_2' }, HASH));
  });

  it('opens neither with another master key, nor without the provider', async () => {
    const { vault, key_ring } = await makeKeys();
    const { public_key, sealed_seed } = await vault.generate('wal_1');
    const owner = { id: 'wal_1', public_key };
    const other = await makeKeys({ master: randomBytes(32) });
    await assert.rejects(signWith(other.vault, sealed_seed, owner, HASH), /which this process lacks/);
    const alone = createKeys([MASTER]).vault;
    await assert.rejects(signWith(alone, sealed_seed, owner, HASH), /this process has none/);
    const mixed = mixedKey(key_ring.sealing().key, kms.data_keys.at(-1) as Buffer);
    assert(!kms.data_keys.some((data_key) => data_key.equals(mixed)), 'a data key alone is not the key');
  });

  it('is resealed to the master key alone and back, and stays the same seed', async () => {
    const { vault, key_ring } = await makeKeys();
    const { public_key, sealed_seed } = await createKeys([MASTER]).vault.generate('wal_1');
    const owner = { id: 'wal_1', public_key };
    assert(!key_ring.hasSealedSeed(sealed_seed));
    const resealed = await vault.reseal(sealed_seed, owner);
    assert.equal(resealed[0], 2);
    assert.deepEqual(
      await signWith(vault, resealed, owner, HASH),
      await signWith(vault, sealed_seed, owner, HASH),
    );
    assert.equal(await vault.reseal(resealed, owner), resealed);
  });

  it('takes no locked memory of its own', async (context) => {
    const { vault } = await makeKeys();
    await newSeed(vault, 'wal_0');
    const { mock } = context.mock.method(sodium, 'sodium_malloc');
    for (let i = 1; i < 10; i++) await newSeed(vault, `wal_${i}`);
    assert.equal(mock.callCount(), 0);
  });

  it('is away while the provider is away, and other seeds still sign', async () => {
    const { vault } = await makeKeys();
    const local = await createKeys([MASTER]).vault.generate('wal_0');
    const { public_key, sealed_seed } = await vault.generate('wal_1');
    const owner = { id: 'wal_1', public_key };
    kms.fail({ error: 'DisabledException' });
    const seeds = [
      { sealed_seed, owner },
      { sealed_seed: local.sealed_seed, owner: { id: 'wal_0', public_key: local.public_key } },
    ];
    await vault.withSigner(seeds, async (signer) => {
      assert.deepEqual(
        seeds.map((seed) => signer.isAway(seed)),
        [true, false],
      );
      assert.throws(() => signer.signWith(sealed_seed, owner, HASH), { code: 'key_provider_unavailable' });
      assert.equal(
        signer.signWith(local.sealed_seed, { id: 'wal_0', public_key: local.public_key }, HASH).length,
        64,
      );
    });
    await assert.rejects(vault.generate('wal_2'), { code: 'key_provider_unavailable' });
  });
});

describe('when the ring changes while the provider makes a data key', () => {
  const NEXT = randomBytes(32);
  const key_check = createKeyRing([MASTER]).sealing().check;
  const next_check = createKeyRing([NEXT]).sealing().check;
  const other_check = randomBytes(32);
  const CHANGES: [string, (known_check: Buffer) => SealingKey][] = [
    ['a rotation', (provider_check) => ({ key_check: next_check, provider_check })],
    ['"provider off"', () => ({ key_check, provider_check: null })],
    ['"provider on", of another key', () => ({ key_check, provider_check: other_check })],
  ];
  const seed_file = join(mkdtempSync(join(tmpdir(), 'seed-')), 'seed');
  const imported = Keypair.random();
  writeFileSync(seed_file, imported.secret(), { mode: 0o600 });
  after(() => rmSync(dirname(seed_file), { recursive: true }));

  /** Keys whose ring changes in the middle of the next sealing. */
  async function changing(changed: (typeof CHANGES)[number][1]) {
    let change = () => {};
    const keys = await makeKeys({ more_masters: [NEXT], beforeAnswer: () => change() });
    change = () => assert(keys.key_ring.sealWith(changed(keys.known.key_check)));
    return keys;
  }

  /** They name the keys that they were asked for, and open; what seals now refuses them, and gives others. */
  async function assertOpens(
    { vault, key_ring }: Keys,
    sealed_seed: Buffer,
    owner: SeedOwner,
  ): Promise<void> {
    assert.equal(sealed_seed[0], 2);
    assert.equal(namedKeyOf(sealed_seed), keyIdOf(key_check));
    assert(await vault.opens(sealed_seed, owner));
    assert(!key_ring.hasSealedSeed(sealed_seed), 'the database refuses them, so that the caller seals again');
    const resealed = await vault.reseal(sealed_seed, owner);
    assert(key_ring.hasSealedSeed(resealed));
    assert(await vault.opens(resealed, owner));
  }

  for (const [name, changed] of CHANGES) {
    it(`a new seed opens: ${name}`, async () => {
      const keys = await changing(changed);
      const { public_key, sealed_seed } = await keys.vault.generate('wal_1');
      await assertOpens(keys, sealed_seed, { id: 'wal_1', public_key });
    });

    it(`the seed of a file opens: ${name}`, async () => {
      const keys = await changing(changed);
      const { public_key, sealed_seed } = await keys.vault.importSeedFile(seed_file, 'treasury');
      assert(public_key.equals(imported.rawPublicKey()));
      await assertOpens(keys, sealed_seed, { id: 'treasury', public_key });
    });

    it(`a seed that is sealed again opens: ${name}`, async () => {
      const keys = await changing(changed);
      const { public_key, sealed_seed } = await createKeys([MASTER]).vault.generate('wal_1');
      const owner = { id: 'wal_1', public_key };
      await assertOpens(keys, await keys.vault.reseal(sealed_seed, owner), owner);
    });
  }

  it('bytes that begin as those of now, and do not open, are not taken for sealed', async () => {
    const { vault, key_ring } = await makeKeys();
    const { public_key, sealed_seed } = await vault.generate('wal_1');
    const damaged = Buffer.from(sealed_seed);
    damaged[damaged.length - 1] = (damaged.at(-1) as number) ^ 1;
    assert(key_ring.hasSealedSeed(damaged));
    await assert.rejects(vault.reseal(damaged, { id: 'wal_1', public_key }));
  });
});

describe('the keys of a round', () => {
  it('that find no place in locked memory are away until the next round; the others are there', async () => {
    const { data_keys, key_ring } = await makeKeys();
    const instant: WatchedProvider = {
      ...data_keys.provider,
      unwrapDataKey: async (_wrapped, _context, use) => use(Buffer.alloc(32)),
    };
    const round = createDataKeys(instant, { clock: systemClock, cache_seconds: 0 });
    const keys = Array.from({ length: 4_097 }, (_, index) => ({
      wrapped: Buffer.from(`${index}`),
      owner: { id: 'wal_1', public_key: Buffer.alloc(32) },
      master: key_ring.sealing(),
    }));
    const opened = await round.open(keys);
    const failures = keys.map((key) => opened.failureOf(key)?.fault).filter(Boolean);
    assert.deepEqual(failures, ['away']);
    const last = keys.slice(-1);
    opened.end();
    const next = await round.open(last);
    assert.equal(next.failureOf(last[0] as WrappedKey), null);
    next.end();
  });

  it('are asked for with their own owner, also when another row has a copy of the bytes', async () => {
    const { vault } = await makeKeys();
    const seed = await newSeed(vault, 'wal_1');
    const copy = { ...seed, owner: { ...seed.owner, id: 'wal_2' } };
    await vault.withSigner([seed, copy], async (signer) => {
      assert.equal(signer.signWith(seed.sealed_seed, seed.owner, HASH).length, 64);
      assert.throws(() => signer.signWith(copy.sealed_seed, copy.owner, HASH), { fault: 'refused' });
    });
  });
});

describe('the cache of keys', () => {
  it('is off by default: each signature asks the provider', async () => {
    const { vault } = await makeKeys();
    const { public_key, sealed_seed } = await vault.generate('wal_1');
    const before = decrypts();
    for (let i = 0; i < 3; i++) await signWith(vault, sealed_seed, { id: 'wal_1', public_key }, HASH);
    assert.equal(decrypts() - before, 3);
  });

  it('asks once until the time is over', async () => {
    const clock = stillClock();
    const { vault } = await makeKeys({ clock, cache_seconds: 60 });
    const { public_key, sealed_seed } = await vault.generate('wal_1');
    const sign = () => signWith(vault, sealed_seed, { id: 'wal_1', public_key }, HASH);
    const before = decrypts();
    for (let i = 0; i < 3; i++) await sign();
    assert.equal(decrypts() - before, 1);
    clock.pass(61_000);
    await sign();
    assert.equal(decrypts() - before, 2);
  });

  it('gives a key to no other owner', async () => {
    const { vault } = await makeKeys({ cache_seconds: 60 });
    const { public_key, sealed_seed } = await vault.generate('wal_1');
    await signWith(vault, sealed_seed, { id: 'wal_1', public_key }, HASH);
    await assert.rejects(signWith(vault, sealed_seed, { id: 'wal_2', public_key }, HASH));
  });

  it('wipes a key when its time is over, without anybody asking, and the oldest when it is full', async () => {
    const clock = stillClock();
    const cache = createKeyCache(10, clock, 2);
    assert(cache);
    const into = Buffer.alloc(32);
    for (const name of ['a', 'b', 'c']) cache.keep(name, randomBytes(32));
    assert.equal(cache.size(), 2);
    assert(!cache.read('a', into), 'the oldest has made room');
    assert(cache.read('c', into));
    clock.pass(10_000);
    for (let turn = 0; turn < 5 && cache.size() > 0; turn++) await Promise.resolve();
    assert.equal(cache.size(), 0);
    cache.close();
  });
});

describe('a provider whose state is watched', () => {
  it('is not asked again during a pause, which grows; then by one call at a time', async () => {
    const clock = stillClock();
    const { vault, provider, states } = await makeKeys({ clock });
    const { public_key, sealed_seed } = await vault.generate('wal_1');
    const isAway = () =>
      vault.withSigner([{ sealed_seed, owner: { id: 'wal_1', public_key } }], async (signer) =>
        signer.isAway({ sealed_seed, owner: { id: 'wal_1', public_key } }),
      );
    kms.fail({ error: 'AccessDeniedException' });
    assert(await isAway());
    const after_first = kms.calls.length;
    assert(await isAway());
    assert.equal(kms.calls.length, after_first);
    clock.pass(1_000);
    assert.deepEqual(await Promise.all([isAway(), isAway(), isAway()]), [true, true, true]);
    assert.equal(kms.calls.length, after_first + 1);
    const since = provider.state();
    assert(!since.ok && since.fault === 'denied' && since.since.getTime() === 1_000_000);
    kms.fail(null);
    clock.pass(1_999);
    assert(await isAway(), 'the second pause is longer');
    clock.pass(1);
    assert(!(await isAway()));
    assert.deepEqual(
      states.map(({ ok }) => ok),
      [false, true],
    );
  });

  it('is asked again when the clock is set back: no pause is longer than the longest one', async () => {
    const clock = stillClock();
    const { vault, provider } = await makeKeys({ clock });
    const seed = await newSeed(vault, 'wal_1');
    clock.pass(3_600_000);
    kms.fail({ error: 'AccessDeniedException' });
    assert.deepEqual(await areAway(vault, [seed]), [true]);
    kms.fail(null);
    clock.pass(-3_600_000);
    assert.deepEqual(await areAway(vault, [seed]), [false]);
    clock.pass(-3_600_000);
    const before = kms.calls.length;
    await provider.check();
    assert.equal(kms.calls.length, before + 1, 'a success that is not yet says nothing');
  });

  it('that hangs is asked only by the calls that have begun; those that wait fail with them', async () => {
    const { vault } = await makeKeys({ times: { request_ms: 2_000, call_ms: 4_000 } });
    const ids = Array.from({ length: 200 }, (_, index) => `wal_${index}`);
    const seeds: OwnedSeed[] = [];
    for (const id of ids) seeds.push(await newSeed(vault, id)); // all at once, a busy machine answers the last ones too late
    const before = kms.calls.length;
    kms.fail('hang');
    assert.deepEqual(
      await areAway(vault, seeds),
      seeds.map(() => true),
    );
    const asked = kms.calls.slice(before).map(({ context }) => context['stellar-teller:id']);
    assert(new Set(asked).size <= 32, `${new Set(asked).size} keys`);
  });

  it('seals nothing with another key than the database knows', async () => {
    const { vault, provider, known } = await makeKeys();
    provider.expect({ ...known, key_check: randomBytes(32) });
    await assert.rejects(vault.generate('wal_1'), { code: 'key_provider_unavailable' });
    const state = provider.state();
    assert(!state.ok && state.fault === 'unusable');
  });

  it('stays reachable when the length bytes of a seed are damaged', async () => {
    const { vault, provider, states } = await makeKeys();
    const seed = await newSeed(vault, 'wal_1');
    for (const length of [0, 1, 65_535]) {
      const damaged = Buffer.from(seed.sealed_seed);
      damaged.writeUInt16BE(length, 9);
      await assert.rejects(signWith(vault, damaged, seed.owner, HASH), { fault: 'refused' });
    }
    assert(provider.state().ok);
    assert.deepEqual(states, []);
  });

  it('stays reachable when it refuses bytes: they are at fault', async () => {
    const { vault, provider } = await makeKeys();
    const { public_key, sealed_seed } = await vault.generate('wal_1');
    const changed = Buffer.from(sealed_seed);
    changed[20] = (changed[20] ?? 0) ^ 1;
    const owner = { id: 'wal_1', public_key };
    await assert.rejects(signWith(vault, changed, owner, HASH), { fault: 'refused' });
    assert(provider.state().ok);
    const before = kms.calls.length;
    await assert.rejects(signWith(vault, changed, owner, HASH), { fault: 'refused' });
    assert.equal(kms.calls.length, before, 'it is not asked about them again at once');
  });
});

describe('a provider whose alias is moved to another key', () => {
  const operations = () => kms.calls.map(({ operation }) => operation);
  const failing = { code: 'key_provider_unavailable' };
  afterEach(() => kms.moveAlias('this key'));

  it('seals nothing and blocks no row until it is moved back, and says so all the time', async () => {
    const clock = stillClock();
    const { vault, provider, states } = await makeKeys({ clock, key_id: kms.alias });
    const seed = await newSeed(vault, 'wal_1');
    kms.moveAlias('other key');
    await assert.rejects(vault.generate('wal_2'), failing);
    for (let pauses = 0; pauses < 6; pauses++) {
      assert.deepEqual(await areAway(vault, [seed]), [true]);
      await assert.rejects(vault.generate('wal_2'), failing);
      const state = await provider.check();
      assert(!state.ok && state.fault === 'unusable' && state.since.getTime() === 1_000_000);
      clock.pass(15_000);
    }
    assert.deepEqual(
      states.map(({ ok }) => ok),
      [false],
      'the state is reported once',
    );
    kms.moveAlias('this key');
    assert((await provider.check()).ok);
    assert.deepEqual(await areAway(vault, [seed]), [false]);
    assert(await vault.opens(seed.sealed_seed, seed.owner));
    assert(await newSeed(vault, 'wal_2'));
  });

  it('believes no refusal of a seed before the known answer has opened', async () => {
    const { vault, provider } = await makeKeys({ key_id: kms.alias });
    const seed = await newSeed(vault, 'wal_1');
    kms.moveAlias('other key');
    assert.deepEqual(await areAway(vault, [seed]), [true]);
    const state = provider.state();
    assert(!state.ok && state.fault === 'unusable');
    assert.match(state.message, /another key than the one of this database/);
  });

  it('asks with longer pauses, although seeds of the other key would open', async () => {
    const clock = stillClock();
    const { vault } = await makeKeys({ clock, key_id: kms.alias });
    const seed = await newSeed(vault, 'wal_1');
    kms.moveAlias('other key');
    const moved = await makeKeys({ clock, key_id: kms.alias });
    const other = await newSeed(moved.vault, 'wal_2');
    assert.deepEqual(await areAway(vault, [seed]), [true]);
    for (const pause_ms of [1_000, 2_000, 4_000]) {
      clock.pass(pause_ms - 1);
      const before = kms.calls.length;
      assert.deepEqual(await areAway(vault, [other]), [true]);
      assert.equal(kms.calls.length, before);
      clock.pass(1);
      assert.deepEqual(await areAway(vault, [other]), [true]);
      assert.equal(kms.calls.length, before + 1);
    }
  });

  it('gives no seed whose data key was made while it was moved for a moment', async () => {
    const { vault, provider } = await makeKeys({ key_id: kms.alias });
    await newSeed(vault, 'wal_1');
    kms.moveAlias('other key');
    const before = operations().length;
    kms.onCall(() => kms.moveAlias('this key'));
    await assert.rejects(vault.generate('wal_2'), failing);
    assert.deepEqual(operations().slice(before), ['GenerateDataKey']);
    assert(!provider.state().ok);
  });
});
