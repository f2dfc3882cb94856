/**
 * Seals the secrets that are not seeds (webhook signing secrets) under a key of their own, derived from the master
 * key: whoever can open these still cannot open a seed.
 */
import { strict as assert } from 'node:assert';
import { hkdfSync } from 'node:crypto';
import sodium from 'sodium-native';

const NONCE_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
const TAG_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_ABYTES;
const VERSION = 1;

export type Secrets = {
  /** `id` names the row that the secret belongs to; opening under another id fails. */
  seal(id: string, secret: string): Buffer;
  /** @throws Error when the bytes were sealed for another id or under another master key. */
  open(id: string, sealed: Buffer): string;
};

/** 32 bytes for one purpose, from the master key (HKDF-SHA256, RFC 5869). Different purposes give unrelated keys. */
export function deriveKey(master_key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master_key, Buffer.alloc(0), `stellar-teller ${purpose}`, 32));
}

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
      assert.equal(sealed[0], VERSION, 'sealed by a version that this one does not know');
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
