import { readSync } from 'node:fs';
import sodium from 'sodium-native';

/**
 * Allocates memory with libsodium: locked into RAM, not in core dumps, between guard pages. Only this memory can be wiped safely:
 * the runtime may copy a string or an ordinary Buffer at any time.
 */
export function secureBytes(length: number): Buffer {
  return sodium.sodium_malloc(length);
}

/** Fills `bytes` from an open file until its end, or until they are full. Returns the number of bytes read. */
export function readInto(bytes: Buffer, file: number): number {
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
}

export function wipe(bytes: Buffer): void {
  sodium.sodium_memzero(bytes);
}
