import { createHash } from 'node:crypto';

/** What is kept of an API key or an invitation. A fast hash is enough: 256 random bits cannot be guessed from a stolen table. */
export function credentialHash(credential: string): Buffer {
  return createHash('sha256').update(credential).digest();
}
