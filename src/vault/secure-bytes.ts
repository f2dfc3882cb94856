import sodium from 'sodium-native';

/**
 * Memory from libsodium: locked into RAM, not in core dumps, between guard pages. Only this memory can be wiped safely: the
 * runtime may copy a string or an ordinary Buffer at any time.
 */
export function secureBytes(length: number): Buffer {
  return sodium.sodium_malloc(length);
}

export function wipe(bytes: Buffer): void {
  sodium.sodium_memzero(bytes);
}
