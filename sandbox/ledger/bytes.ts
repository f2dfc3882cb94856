import { createHash } from 'node:crypto';

export function base64(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('base64');
}

export function hex(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('hex');
}

/** A view of the same memory, not a copy. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

export const INT64_MAX = 2n ** 63n - 1n;

export function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}
