/**
 * The only code that handles secret seeds (with seed-file.ts, which reads the operator's seed file).
 *
 * | state of a seed         | where it is                            | what remains after a crash            |
 * |-------------------------|----------------------------------------|---------------------------------------|
 * | read from a file        | locked buffers of one call             | only the operator's file              |
 * | generated or used       | the vault's two locked buffers         | nothing: not swapped, not in core dumps |
 * | stored                  | a row, sealed with XChaCha20-Poly1305  | the sealed bytes                      |
 *
 * Every use is synchronous from unsealing to wiping. So the same buffers are enough for all calls, and no other code runs while
 * a seed is unsealed.
 */
import { strict as assert } from 'node:assert';
import sodium from 'sodium-native';
import { isSealedNow, type KeyRing, type RingKey } from './key-ring.ts';
import { openBytes, sealBytes } from './sealed-bytes.ts';
import { secureBytes, wipe } from './secure-bytes.ts';
import { withSeedFile } from './seed-file.ts';

const SEED_BYTES = sodium.crypto_sign_SEEDBYTES;

/** The owner of a seed. Both fields are authenticated: a sealed seed that is moved to another row cannot be opened. */
export type SeedOwner = { id: string; public_key: Buffer };

export type SealedKey = { public_key: Buffer; sealed_seed: Buffer };

export type Vault = {
  /** A new key pair from the system's random source. The seed leaves the vault only sealed. */
  generate(id: string): SealedKey;
  /**
   * The key pair of the secret seed (S…) in a file. The seed leaves the vault only sealed.
   * @throws SeedFileError when the file cannot be read or has other content. The message contains nothing of it.
   */
  importSeedFile(path: string, id: string): SealedKey;
  /**
   * Ed25519 signature (64 bytes) of a 32-byte transaction hash.
   * @throws Error when the sealed bytes belong to another owner, or to a master key that the ring lacks.
   */
  signWith(sealed_seed: Buffer, owner: SeedOwner, hash: Buffer): Buffer;
  /** Whether the sealed bytes are the seed of this public key, sealed for this owner with a master key of the ring. */
  opens(sealed_seed: Buffer, owner: SeedOwner): boolean;
  /**
   * The same seed, sealed by the key that seals now: these bytes themselves, when it has sealed them. New bytes are returned only
   * after they were opened and gave the public key.
   * @throws Error as `signWith`, and when the seed is not that of the public key
   */
  reseal(sealed_seed: Buffer, owner: SeedOwner): Buffer;
};

/**
 * Makes a vault that seals with the sealing key of the ring, and opens what any key of the ring has sealed. The ring may be told
 * another sealing key later (`follow`).
 */
export function createVault(ring: KeyRing): Vault {
  /** libsodium's layout of a secret key: the seed, then its public key. */
  const secretKey = secureBytes(sodium.crypto_sign_SECRETKEYBYTES);
  const seed = secretKey.subarray(0, SEED_BYTES);
  /** For a derivation that must leave the seed as it is: libsodium would overwrite a seed that is in its target. */
  const derived = secureBytes(sodium.crypto_sign_SECRETKEYBYTES);

  function withWipe<T>(use: () => T): T {
    try {
      return use();
    } finally {
      wipe(secretKey);
      wipe(derived);
    }
  }

  function sealNew(id: string, makeKeyPair: (public_key: Buffer) => void): SealedKey {
    return withWipe(() => {
      const public_key = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES);
      makeKeyPair(public_key);
      return { public_key, sealed_seed: seal(ring, seed, { id, public_key }) };
    });
  }

  function derivedKey(): Buffer {
    const public_key = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES);
    sodium.crypto_sign_seed_keypair(public_key, derived, seed);
    return public_key;
  }

  /** Leaves the seed in the buffer. */
  function unsealAs(sealed_seed: Buffer, owner: SeedOwner): void {
    unseal(ring, seed, sealed_seed, owner);
    assert(derivedKey().equals(owner.public_key), 'the seed of another public key');
  }

  return {
    generate: (id) => sealNew(id, (public_key) => sodium.crypto_sign_keypair(public_key, secretKey)),
    importSeedFile: (path, id) =>
      withSeedFile(path, (read) =>
        sealNew(id, (public_key) => sodium.crypto_sign_seed_keypair(public_key, secretKey, read)),
      ),
    signWith(sealed_seed, owner, hash) {
      assert.equal(hash.length, 32);
      assert.equal(owner.public_key.length, sodium.crypto_sign_PUBLICKEYBYTES);
      return withWipe(() => {
        unseal(ring, seed, sealed_seed, owner);
        // A signature with the public key of another seed would reveal the seed. This is the right key: it was derived
        // before sealing and is authenticated. Deriving it again would double the time of a signature.
        owner.public_key.copy(secretKey, SEED_BYTES);
        const signature = Buffer.alloc(sodium.crypto_sign_BYTES);
        sodium.crypto_sign_detached(signature, hash, secretKey);
        return signature;
      });
    },
    opens(sealed_seed, owner) {
      return withWipe(() => {
        try {
          unsealAs(sealed_seed, owner);
          return true;
        } catch {
          return false; // another owner, a master key that the ring lacks, other bytes, or the seed of another account
        }
      });
    },
    reseal(sealed_seed, owner) {
      return withWipe(() => {
        if (isSealedNow(ring, sealed_seed)) return sealed_seed;
        unsealAs(sealed_seed, owner);
        const resealed = seal(ring, seed, owner);
        unsealAs(resealed, owner);
        return resealed;
      });
    },
  };
}

const masterKey = ({ key }: RingKey) => key;

function seal(ring: KeyRing, seed: Buffer, owner: SeedOwner): Buffer {
  return sealBytes(ring, masterKey, seed, associatedData(owner));
}

function unseal(ring: KeyRing, seed: Buffer, sealed_seed: Buffer, owner: SeedOwner): void {
  openBytes(ring, masterKey, seed, sealed_seed, associatedData(owner));
}

function associatedData(owner: SeedOwner): Buffer {
  return Buffer.concat([Buffer.from(`stellar-teller seed ${owner.id} `), owner.public_key]);
}
