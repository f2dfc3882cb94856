/**
 * Seals secrets that are no seeds (webhook signing secrets) with keys of their own, derived from the master keys. Somebody with
 * such a key cannot open a seed.
 */
import { strict as assert } from 'node:assert';
import { deriveKey } from './master-keys/derive-key.ts';
import type { KeyRing, RingKey } from './master-keys/key-ring.ts';
import { openBytes, sealBytes, sealedLength } from './sealed-bytes.ts';

export type Secrets = {
  /** Seals a secret. `id` is the row of the secret: opening it with another id fails. */
  seal(id: string, secret: string): Buffer;
  /** @throws Error when the bytes were sealed with another id, or with a master key that the ring lacks. */
  open(id: string, sealed: Buffer): string;
  /**
   * Returns the same secret, sealed by the key that seals now. Bytes that this key has sealed are returned as they are, unopened.
   * @throws Error as `open`, for other bytes
   */
  reseal(id: string, sealed: Buffer): Buffer;
};

/** Makes what seals and opens with the keys of the ring. */
export function createSecrets(ring: KeyRing): Secrets {
  const derived = new Map(ring.keys.map((each) => [each, deriveKey(each.key, 'secrets')]));
  const keyOf = (each: RingKey) => derived.get(each) as Buffer;

  const seal = (id: string, secret: string) => sealBytes(ring, keyOf, Buffer.from(secret), Buffer.from(id));

  function open(id: string, sealed: Buffer): string {
    const message = Buffer.alloc(sealedLength(ring, sealed));
    openBytes(ring, keyOf, message, sealed, Buffer.from(id));
    return message.toString();
  }

  return {
    seal,
    open,
    reseal(id, sealed) {
      if (ring.hasSealed(sealed)) return sealed;
      const secret = open(id, sealed);
      const resealed = seal(id, secret);
      assert.equal(open(id, resealed), secret);
      return resealed;
    },
  };
}
