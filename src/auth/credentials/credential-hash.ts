import { createHash } from 'node:crypto';

/**
 * Returns what is kept of a credential like an API key, an invitation or a recovery code: its SHA-256. A fast hash is enough: 256
 * random bits (128 of a recovery code) cannot be guessed from a stolen table.
 */
export function credentialHash(credential: string): Buffer {
  return createHash('sha256').update(credential).digest();
}
