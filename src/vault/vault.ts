/**
 * The only code that handles secret seeds (with seed-file.ts, which reads the operator's seed file).
 *
 * | state of a seed         | where it is                            | what remains after a crash            |
 * |-------------------------|----------------------------------------|---------------------------------------|
 * | read from a file        | locked buffers of one call             | only the operator's file              |
 * | generated or used       | the vault's one locked buffer          | nothing: not swapped, not in core dumps |
 * | stored                  | a row, sealed with XChaCha20-Poly1305  | the sealed bytes                      |
 *
 * Every use is synchronous from unsealing to wiping. So one buffer is enough for all calls, and no other code runs while
 * a seed is unsealed.
 */
import { strict as assert } from 'node:assert';
import sodium from 'sodium-native';
import { secureBytes, wipe } from './secure-bytes.ts';
import { withSeedFile } from './seed-file.ts';

const SEED_BYTES = sodium.crypto_sign_SEEDBYTES;
const NONCE_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
const TAG_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_ABYTES;
/** First byte of the sealed bytes, so that a later version can use another cipher or master key. */
const VERSION = 1;

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
   * @throws Error when the sealed bytes belong to another owner or another master key.
   */
  signWith(sealed_seed: Buffer, owner: SeedOwner, hash: Buffer): Buffer;
  /** Whether the sealed bytes are the seed of this public key, sealed for this owner with this master key. */
  opens(sealed_seed: Buffer, owner: SeedOwner): boolean;
};

/** `master_key`: 32 bytes in secure memory. The vault keeps using it: do not wipe it. */
export function createVault(master_key: Buffer): Vault {
  assert.equal(master_key.length, sodium.crypto_aead_xchacha20poly1305_ietf_KEYBYTES);
  /** libsodium's layout of a secret key: the seed, then its public key. */
  const secretKey = secureBytes(sodium.crypto_sign_SECRETKEYBYTES);
  const seed = secretKey.subarray(0, SEED_BYTES);

  function withWipe<T>(use: () => T): T {
    try {
      return use();
    } finally {
      wipe(secretKey);
    }
  }

  function sealNew(id: string, makeKeyPair: (public_key: Buffer) => void): SealedKey {
    return withWipe(() => {
      const public_key = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES);
      makeKeyPair(public_key);
      return { public_key, sealed_seed: seal(seed, { id, public_key }, master_key) };
    });
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
        unseal(seed, sealed_seed, owner, master_key);
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
          unseal(seed, sealed_seed, owner, master_key);
        } catch {
          return false; // another owner, another master key, or other bytes
        }
        const public_key = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES);
        sodium.crypto_sign_seed_keypair(public_key, secretKey, seed);
        return public_key.equals(owner.public_key);
      });
    },
  };
}

function seal(seed: Buffer, owner: SeedOwner, master_key: Buffer): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  sodium.randombytes_buf(nonce);
  const ciphertext = Buffer.alloc(SEED_BYTES + TAG_BYTES);
  sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
    ciphertext,
    seed,
    associatedData(owner),
    null,
    nonce,
    master_key,
  );
  return Buffer.concat([Buffer.of(VERSION), nonce, ciphertext]);
}

function unseal(seed: Buffer, sealed_seed: Buffer, owner: SeedOwner, master_key: Buffer): void {
  assert.equal(sealed_seed[0], VERSION, 'sealed by an unknown version of the vault');
  const nonce = sealed_seed.subarray(1, 1 + NONCE_BYTES);
  const ciphertext = sealed_seed.subarray(1 + NONCE_BYTES);
  sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
    seed,
    null,
    ciphertext,
    associatedData(owner),
    nonce,
    master_key,
  );
}

function associatedData(owner: SeedOwner): Buffer {
  return Buffer.concat([Buffer.from(`stellar-teller seed ${owner.id} `), owner.public_key]);
}
