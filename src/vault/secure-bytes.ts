import sodium from 'sodium-native';

/**
 * Memory from libsodium: locked into RAM, left out of core dumps, between guard pages. Only bytes that are put
 * here are ours to wipe: a string or an ordinary Buffer may be copied by the runtime at any time.
 */
export function secureBytes(length: number): Buffer {
  return sodium.sodium_malloc(length);
}

export function wipe(bytes: Buffer): void {
  sodium.sodium_memzero(bytes);
}
