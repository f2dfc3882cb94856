/**
 * Seals secrets that are no seeds (webhook signing secrets) with their own key, derived from the master key. Somebody with
 * this key cannot open a seed.
 */
import { strict as assert } from 'node:assert';
import sodium from 'sodium-native';
import { deriveKey } from './derive-key.ts';

const NONCE_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
const TAG_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_ABYTES;
const VERSION = 1;

export type Secrets = {
  /** `id`: the row of the secret. Opening it with another id fails. */
  seal(id: string, secret: string): Buffer;
  /** @throws Error when the bytes were sealed with another id or master key. */
  open(id: string, sealed: Buffer): string;
};

export function createSecrets(master_key: Buffer): Secrets {
  const key = deriveKey(master_key, 'secrets');
  return {
    seal(id, secret) {
      const nonce = Buffer.alloc(NONCE_BYTES);
      sodium.randombytes_buf(nonce);
      const message = Buffer.from(secret);
      const ciphertext = Buffer.alloc(message.length + TAG_BYTES);
      sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
        ciphertext,
        message,
        Buffer.from(id),
        null,
        nonce,
        key,
      );
      return Buffer.concat([Buffer.of(VERSION), nonce, ciphertext]);
    },
    open(id, sealed) {
      assert.equal(sealed[0], VERSION, 'sealed by an unknown version');
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const ciphertext = sealed.subarray(1 + NONCE_BYTES);
      const message = Buffer.alloc(ciphertext.length - TAG_BYTES);
      sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
        message,
        null,
        ciphertext,
        Buffer.from(id),
        nonce,
        key,
      );
      return message.toString();
    },
  };
}
