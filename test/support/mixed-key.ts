import sodium from 'sodium-native';
import { deriveKey } from '../../src/vault/master-keys/derive-key.ts';

/** The key that seals a seed, as src/vault/providers/data-keys.ts mixes it. */
export function mixedKey(master_key: Buffer, data_key: Buffer): Buffer {
  const mixed = Buffer.alloc(32);
  sodium.crypto_generichash(mixed, data_key, deriveKey(master_key, 'data keys'));
  return mixed;
}
