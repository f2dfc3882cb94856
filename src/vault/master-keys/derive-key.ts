import sodium from 'sodium-native';
import { secureBytes, wipe } from './secure-bytes.ts';

const HASH_BYTES = sodium.crypto_hash_sha256_BYTES;
const BLOCK_BYTES = 64;

/**
 * Derives a key of 32 bytes for one purpose from the master key: HKDF-SHA256 (RFC 5869) without salt. The key is in locked memory,
 * and so is everything on the way: node:crypto would leave copies of the master key on the heap.
 */
export function deriveKey(master_key: Buffer, purpose: string): Buffer {
  const extracted = hmac(Buffer.alloc(HASH_BYTES), master_key);
  const info = Buffer.from(`stellar-teller ${purpose}\x01`); // 1: the number of the only block
  const key = hmac(extracted, info);
  wipe(extracted);
  return key;
}

/** Computes HMAC-SHA256 (RFC 2104). `key` has at most 64 bytes, which is a block. */
function hmac(key: Buffer, message: Buffer): Buffer {
  const inner = hashOf(key, 0x36, message);
  const outer = hashOf(key, 0x5c, inner);
  wipe(inner);
  return outer;
}

function hashOf(key: Buffer, pad: number, message: Buffer): Buffer {
  const input = secureBytes(BLOCK_BYTES + message.length).fill(pad);
  key.forEach((byte, index) => {
    input[index] = byte ^ pad;
  });
  message.copy(input, BLOCK_BYTES);
  const hash = secureBytes(HASH_BYTES);
  sodium.crypto_hash_sha256(hash, input);
  wipe(input);
  return hash;
}
