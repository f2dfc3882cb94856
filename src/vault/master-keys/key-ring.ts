/**
 * The master keys that a process knows: the one that seals, and during a rotation one more. Sealed bytes name the key that opens
 * them:
 *
 * | sealed bytes                      | of                                      | opened by                                |
 * |-----------------------------------|-----------------------------------------|------------------------------------------|
 * | `[1][key id][nonce][ciphertext]`  | secrets; seeds without a provider       | the key with this id                     |
 * | `[2][key id][provider id]…`       | seeds, while a provider wraps data keys | the key with this id and a data key of   |
 * |                                   | (vault.ts)                              | the provider, mixed                      |
 *
 * The database names the key that seals (db/master-keys.ts). A ring that has not been told follows the order of its keys.
 */
import { strict as assert } from 'node:assert';
import sodium from 'sodium-native';
import { deriveKey } from './derive-key.ts';

const KEY_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_KEYBYTES;
const ID_BYTES = 4;
const LENGTH_BYTES = 2;
const BY_KEY = 1;
const BY_PROVIDER = 2;

export type RingKey = {
  /** The first bytes of the key check, in hexadecimal: for people, logs and sealed bytes. It reveals nothing of the key. */
  id: string;
  /** 32 bytes that tell this key from every other one, and reveal nothing of it. */
  check: Buffer;
  /** 32 bytes in locked memory. */
  key: Buffer;
};

/** What a database says of the key that seals. */
export type SealingKey = {
  key_check: Buffer;
  /** The check of the provider's key that wraps the data keys of new seeds; null: the master key alone seals them. */
  provider_check?: Buffer | null;
};

/** The keys for one purpose, one from each master key. */
export type DerivedKeys = {
  /** Returns the key from the master key that seals now. */
  current(): Buffer;
  /** Returns the keys from all master keys of the ring, the current one first. */
  all(): Buffer[];
};

export type KeyRing = {
  /** In the order in which they were given. */
  readonly keys: readonly RingKey[];
  /** Returns the key that seals now. The others only open. */
  sealing(): RingKey;
  /** Returns the key with this check; undefined when the ring lacks it. */
  find(key_check: Buffer): RingKey | undefined;
  /**
   * Seals with the key that the database names, from now on. Returns false, and changes nothing, when the ring lacks the key, or
   * when the database names a provider and this process has none.
   */
  sealWith(named: SealingKey): boolean;
  /** Returns true when this is what the ring was told last, or what it follows without being told. */
  sealsAs(named: SealingKey): boolean;
  /** Returns what sealed bytes begin with now: the version (1 byte) and the id of the key (4 bytes). */
  prefix(): Buffer;
  /** Returns true when these bytes, which are no seed, begin as those that are sealed now. */
  hasSealed(sealed: Buffer): boolean;
  /** Returns true when this sealed seed begins as those that are sealed now. */
  hasSealedSeed(sealed_seed: Buffer): boolean;
  /** Returns the id of the key with this check. The ring may lack the key. */
  idOf(key_check: Buffer): string;
  /** Returns what sealed seeds begin with now: the version, the id of the key, and the id of the provider when it wraps their data keys. */
  seedPrefix(): Buffer;
  /** Returns true while a provider wraps the data keys of new seeds. */
  usesProvider(): boolean;
  /** What seeds begin with in which any provider has a part. */
  readonly by_provider: Buffer;
  derive(purpose: string): DerivedKeys;
};

/**
 * Makes a ring of master keys, 32 bytes each, in locked memory. It keeps using them: do not wipe them. The first one seals.
 * `has_provider`: this process has a key provider, so it can follow a database that names one.
 */
export function createKeyRing(
  master_keys: readonly [Buffer, ...Buffer[]],
  { has_provider = false } = {},
): KeyRing {
  const keys = master_keys.map(ringKeyOf);
  let sealing = keys[0] as RingKey;
  let provider_check: Buffer | null = null;
  const sealingFirst = () => [sealing, ...keys.filter((key) => key !== sealing)];
  const prefix = () => Buffer.concat([Buffer.of(BY_KEY), idBytes(sealing)]);
  const seedPrefix = () =>
    provider_check === null
      ? prefix()
      : Buffer.concat([Buffer.of(BY_PROVIDER), idBytes(sealing), provider_check.subarray(0, ID_BYTES)]);
  const find = (key_check: Buffer) => keys.find(({ check }) => check.equals(key_check));
  return {
    keys,
    sealing: () => sealing,
    find,
    sealWith(named) {
      const found = find(named.key_check);
      if (!found || (named.provider_check && !has_provider)) return false;
      sealing = found;
      provider_check = named.provider_check ?? null;
      return true;
    },
    sealsAs: (named) =>
      named.key_check.equals(sealing.check) &&
      (provider_check === null
        ? !named.provider_check
        : Boolean(named.provider_check?.equals(provider_check))),
    prefix,
    hasSealed: (sealed) => beginsWith(sealed, prefix()),
    hasSealedSeed: (sealed_seed) => beginsWith(sealed_seed, seedPrefix()),
    idOf: keyIdOf,
    seedPrefix,
    by_provider: Buffer.of(BY_PROVIDER),
    usesProvider: () => provider_check !== null,
    derive(purpose) {
      const derived = new Map(keys.map((each) => [each, deriveKey(each.key, purpose)]));
      const of = (each: RingKey) => derived.get(each) as Buffer;
      return { current: () => of(sealing), all: () => sealingFirst().map(of) };
    },
  };
}

const idBytes = ({ id }: RingKey) => Buffer.from(id, 'hex');

/** Returns the id of the key with this check: 8 hexadecimal digits. */
export function keyIdOf(key_check: Buffer): string {
  return key_check.toString('hex', 0, ID_BYTES);
}

function ringKeyOf(key: Buffer): RingKey {
  assert.equal(key.length, KEY_BYTES);
  const check = deriveKey(key, 'key check');
  return { id: keyIdOf(check), check, key };
}

/** Returns the id of the key that sealed these bytes. */
export function namedKeyOf(sealed: Buffer): string {
  return sealed.toString('hex', 1, 1 + ID_BYTES);
}

function beginsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.subarray(0, prefix.length).equals(prefix);
}

/** The parts of a seed that a provider's data key has sealed: `[2][key id][provider id][length][wrapped][nonce][ciphertext]`. */
export type ProviderSealed = { wrapped: Buffer; body: Buffer; key: RingKey };

/**
 * Reads the parts of a seed that a provider's data key has sealed. Returns null for a seed that no provider has a part in.
 * @throws Error when the bytes are cut off, or the ring lacks their master key
 */
export function readProviderSealed(ring: KeyRing, sealed: Buffer): ProviderSealed | null {
  if (sealed[0] !== BY_PROVIDER) return null;
  const start = 1 + 2 * ID_BYTES + LENGTH_BYTES;
  assert(sealed.length > start, 'sealed bytes that are cut off');
  const end = start + sealed.readUInt16BE(start - LENGTH_BYTES);
  return { wrapped: sealed.subarray(start, end), body: sealed.subarray(end), key: namedKey(ring, sealed) };
}

/**
 * Returns what stands before the nonce of a seed that a provider's data key seals. `seed_prefix`: the `seedPrefix` that the ring
 * had when the master key was taken from it.
 */
export function providerSealedStart(seed_prefix: Buffer, wrapped: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(wrapped.length);
  return Buffer.concat([seed_prefix, length, wrapped]);
}

function namedKey(ring: KeyRing, sealed: Buffer): RingKey {
  const id = namedKeyOf(sealed);
  const found = ring.keys.find((key) => key.id === id);
  assert(found, `sealed with the master key ${id}, which this process lacks`);
  return found;
}

/**
 * Returns the part of the sealed bytes behind their prefix, and the key that opens it.
 * @throws Error when a later version has written them, or the ring lacks their key
 */
export function readPrefix(ring: KeyRing, sealed: Buffer): { body: Buffer; key: RingKey } {
  assert.equal(sealed[0], BY_KEY, 'sealed by an unknown version of the vault');
  return { body: sealed.subarray(1 + ID_BYTES), key: namedKey(ring, sealed) };
}
