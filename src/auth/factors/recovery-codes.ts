/** Recovery codes. 128 random bits each: a fast hash is enough (NIST SP 800-63B-4, 3.1.2.2), and guessing is no way. */

import { randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';
import { credentialHash } from '../credentials/credential-hash.ts';

const CODES = 10;
const BYTES = 16;

/** Makes ten codes like `K3ZQ7-2MWPA-…`, which are shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(BYTES)).buffer });
    return base32.match(/.{1,5}/g)?.join('-') ?? '';
  });
}

/** Returns the hash that is kept of a code. Upper and lower case, and full-width characters, are the same, and separators do not count. */
export function recoveryCodeHash(code: string): Buffer {
  return credentialHash(
    code
      .normalize('NFKC')
      .toUpperCase()
      .replaceAll(/[^A-Z2-7]/g, ''),
  );
}
