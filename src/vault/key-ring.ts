/**
 * The master keys that a process knows: the one that seals, and during a rotation one more. Sealed bytes tell which key opens
 * them:
 *
 * | sealed bytes                  | written                            | opened by                                        |
 * |-------------------------------|------------------------------------|--------------------------------------------------|
 * | `[1][nonce][ciphertext]`      | until the first rotation           | any key of the ring: each is tried, the one that |
 * |                               |                                    | seals first                                      |
 * | `[2][key id][nonce][cipher…]` | after it                           | the key with this id                             |
 *
 * The first form goes on until a rotation, because the version before knows no other. The database names the key that seals
 * (db/master-keys.ts). A ring that has not been told follows the order of its keys.
 */
import { strict as assert } from 'node:assert';
import sodium from 'sodium-native';
import { deriveKey } from './derive-key.ts';

const KEY_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_KEYBYTES;
const ID_BYTES = 4;
const UNNAMED = 1;
const NAMED = 2;

export type RingKey = {
  /** The first bytes of the key check, in hexadecimal: for people, logs and sealed bytes. It reveals nothing of the key. */
  id: string;
  /** 32 bytes that tell this key from every other one, and reveal nothing of it. */
  check: Buffer;
  /** 32 bytes in locked memory. */
  key: Buffer;
};

/** What a database says of the key that seals. `is_rotated`: it is not the first one, or the first one once more. */
export type SealingKey = { key_check: Buffer; is_rotated: boolean };

/** The keys for one purpose, one from each master key. */
export type DerivedKeys = {
  /** From the master key that seals now. */
  current(): Buffer;
  /** From every master key of the ring, the current one first. */
  all(): Buffer[];
};

export type KeyRing = {
  /** In the order in which they were given. */
  readonly keys: readonly RingKey[];
  /** The key that seals now. The others only open. */
  sealing(): RingKey;
  /** The key with this check; undefined when the ring lacks it. */
  find(key_check: Buffer): RingKey | undefined;
  /** Seals with the key that the database names, from now on. Gives false, and changes nothing, when the ring lacks it. */
  follow(named: SealingKey): boolean;
  /** What sealed bytes begin with now: the version, and from the first rotation on the id of the key. */
  prefix(): Buffer;
  derive(purpose: string): DerivedKeys;
};

/** Makes a ring of master keys, 32 bytes each, in locked memory. It keeps using them: do not wipe them. The first one seals. */
export function createKeyRing(master_keys: readonly [Buffer, ...Buffer[]]): KeyRing {
  const keys = master_keys.map(ringKeyOf);
  let sealing = keys[0] as RingKey;
  let is_rotated = false;
  const sealingFirst = () => [sealing, ...keys.filter((key) => key !== sealing)];
  const find = (key_check: Buffer) => keys.find(({ check }) => check.equals(key_check));
  return {
    keys,
    sealing: () => sealing,
    find,
    follow(named) {
      const found = find(named.key_check);
      if (!found) return false;
      sealing = found;
      is_rotated = named.is_rotated;
      return true;
    },
    prefix: () =>
      is_rotated ? Buffer.concat([Buffer.of(NAMED), Buffer.from(sealing.id, 'hex')]) : Buffer.of(UNNAMED),
    derive(purpose) {
      const derived = new Map(keys.map((each) => [each, deriveKey(each.key, purpose)]));
      const of = (each: RingKey) => derived.get(each) as Buffer;
      return { current: () => of(sealing), all: () => sealingFirst().map(of) };
    },
  };
}

/** The id of the key with this check. */
export function keyIdOf(key_check: Buffer): string {
  return key_check.toString('hex', 0, ID_BYTES);
}

function ringKeyOf(key: Buffer): RingKey {
  assert.equal(key.length, KEY_BYTES);
  const check = deriveKey(key, 'key check');
  return { id: keyIdOf(check), check, key };
}

/** The id of the key that sealed these bytes; null when they do not name it. */
export function namedKeyOf(sealed: Buffer): string | null {
  return sealed[0] === NAMED ? sealed.toString('hex', 1, 1 + ID_BYTES) : null;
}

/** Whether these bytes begin as those that are sealed now. */
export function isSealedNow(ring: KeyRing, sealed: Buffer): boolean {
  const prefix = ring.prefix();
  return sealed.subarray(0, prefix.length).equals(prefix);
}

/**
 * The part of the sealed bytes behind their prefix, and the indexes in `ring.keys` of the keys that may open it, the most likely
 * one first.
 * @throws Error when a later version has written them, or the ring lacks their key
 */
export function readPrefix(ring: KeyRing, sealed: Buffer): { body: Buffer; keys: RingKey[] } {
  const id = namedKeyOf(sealed);
  if (id === null) {
    assert.equal(sealed[0], UNNAMED, 'sealed by an unknown version of the vault');
    const others = ring.keys.filter((key) => key !== ring.sealing());
    return { body: sealed.subarray(1), keys: [ring.sealing(), ...others] };
  }
  const keys = ring.keys.filter((key) => key.id === id);
  assert(keys.length > 0, `sealed with the master key ${id}, which this process lacks`);
  return { body: sealed.subarray(1 + ID_BYTES), keys };
}
