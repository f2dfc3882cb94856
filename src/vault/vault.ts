/**
 * The only code that sees a secret seed.
 *
 * | state of a seed                  | where                               | what a crash leaves                  |
 * |----------------------------------|-------------------------------------|--------------------------------------|
 * | being generated, or being used   | the vault's one locked buffer       | nothing: locked, not in core dumps   |
 * | at rest                          | sealed (XChaCha20-Poly1305), a row  | the sealed bytes                     |
 *
 * Both uses are synchronous from unsealing to wiping, so one buffer serves all calls and no other code runs while a
 * seed is in clear.
 */
import { strict as assert } from 'node:assert';
import sodium from 'sodium-native';
import { secureBytes, wipe } from './secure-bytes.ts';

const SEED_BYTES = sodium.crypto_sign_SEEDBYTES;
const NONCE_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
const TAG_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_ABYTES;
/** First byte of sealed bytes, so that another cipher or a second master key can come later. */
const VERSION = 1;

/** Whose seed it is: both are authenticated with the sealed bytes, so a seed moved to another row does not open. */
export type SeedOwner = { id: string; public_key: Buffer };

export type Vault = {
  /** A new key pair from the system's random source. The seed leaves only sealed. */
  generate(id: string): { public_key: Buffer; sealed_seed: Buffer };
  /**
   * Ed25519 signature (64 bytes) of a 32-byte transaction hash.
   * @throws Error when the sealed bytes are not this owner's, or were made under another master key.
   */
  signWith(sealed_seed: Buffer, owner: SeedOwner, hash: Buffer): Buffer;
};

/** `master_key`: 32 bytes, which the vault keeps; hand over secure memory and do not wipe it before the process ends. */
export function createVault(master_key: Buffer): Vault {
  assert.equal(master_key.length, sodium.crypto_aead_xchacha20poly1305_ietf_KEYBYTES);
  const seed = secureBytes(SEED_BYTES);
  const secretKey = secureBytes(sodium.crypto_sign_SECRETKEYBYTES);

  function withWipe<T>(use: () => T): T {
    try {
      return use();
    } finally {
      wipe(seed);
      wipe(secretKey);
    }
  }

  return {
    generate(id) {
      return withWipe(() => {
        sodium.randombytes_buf(seed);
        const public_key = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES);
        sodium.crypto_sign_seed_keypair(public_key, secretKey, seed);
        return { public_key, sealed_seed: seal(seed, { id, public_key }, master_key) };
      });
    },
    signWith(sealed_seed, owner, hash) {
      assert.equal(hash.length, 32);
      return withWipe(() => {
        unseal(seed, sealed_seed, owner, master_key);
        const public_key = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES);
        sodium.crypto_sign_seed_keypair(public_key, secretKey, seed);
        assert(public_key.equals(owner.public_key), 'the sealed seed is not the one of this public key');
        const signature = Buffer.alloc(sodium.crypto_sign_BYTES);
        sodium.crypto_sign_detached(signature, hash, secretKey);
        return signature;
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
  assert.equal(sealed_seed[0], VERSION, 'sealed by a version of the vault that this one does not know');
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
