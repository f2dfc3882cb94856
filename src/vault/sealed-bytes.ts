/** Seals and opens bytes with XChaCha20-Poly1305 and the keys of a ring (key-ring.ts). */
import { strict as assert } from 'node:assert';
import sodium from 'sodium-native';
import { type KeyRing, type RingKey, readPrefix } from './master-keys/key-ring.ts';

const NONCE_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
const TAG_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_ABYTES;

/** Gives what encrypts with a master key: the key itself, or one that is derived from it. */
type KeyOf = (master_key: RingKey) => Buffer;

/** Seals `message` with the key that seals now. `owner` is authenticated: the bytes open for the same one only. */
export function sealBytes(ring: KeyRing, keyOf: KeyOf, message: Buffer, owner: Buffer): Buffer {
  return Buffer.concat([ring.prefix(), encrypt(keyOf(ring.sealing()), message, owner)]);
}

/** Encrypts the message with a random nonce. Returns the nonce, and then the ciphertext with its tag. `owner` is authenticated. */
export function encrypt(key: Buffer, message: Buffer, owner: Buffer): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  sodium.randombytes_buf(nonce);
  const ciphertext = Buffer.alloc(message.length + TAG_BYTES);
  sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(ciphertext, message, owner, null, nonce, key);
  return Buffer.concat([nonce, ciphertext]);
}

/** Opens what `encrypt` gave, into `message`. @throws Error when it was for another key or owner, or was changed */
export function decrypt(key: Buffer, message: Buffer, body: Buffer, owner: Buffer): void {
  const nonce = body.subarray(0, NONCE_BYTES);
  const ciphertext = body.subarray(NONCE_BYTES);
  sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(message, null, ciphertext, owner, nonce, key);
}

/**
 * Returns the length in bytes of the message that was sealed.
 * @throws Error when the bytes are cut off, were written by a later version, or were sealed with a key that the ring lacks
 */
export function sealedLength(ring: KeyRing, sealed: Buffer): number {
  const length = readPrefix(ring, sealed).body.length - NONCE_BYTES - TAG_BYTES;
  assert(length >= 0, 'sealed bytes that are cut off');
  return length;
}

/**
 * Opens the bytes into `message`. @throws Error when they were sealed for another owner or with a key that the ring lacks, or
 * were changed
 */
export function openBytes(ring: KeyRing, keyOf: KeyOf, message: Buffer, sealed: Buffer, owner: Buffer): void {
  const { body, key } = readPrefix(ring, sealed);
  decrypt(keyOf(key), message, body, owner);
}
