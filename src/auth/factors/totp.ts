/** Codes of an authenticator app: TOTP (RFC 6238) with the parameters that all apps know. */

import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const ISSUER = 'Stellar Teller';
/** As long as the SHA-1 block that RFC 4226 (4) recommends. */
const SECRET_BYTES = 20;
/** One step of 30 s before and after: a clock that is a little wrong, and the time to type (RFC 6238, 5.2). */
const WINDOW_STEPS = 1;

/** A new secret in base32. */
export function newTotpSecret(): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;
}

/** The `otpauth://` URI that apps read from a QR code. `email`: under which the app shows it. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/**
 * The step of a code that is right at `now`, or null. Each code of a step is accepted once: the caller compares the step
 * with the last one (RFC 6238, 5.2). Spaces are allowed, other digits than ASCII are not: the library throws at them.
 */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const totp = totpOf(secret, '');
  const timestamp = now.getTime();
  const delta = totp.validate({ token, timestamp, window: WINDOW_STEPS });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({
    ...{ issuer: ISSUER, label, secret: Secret.fromBase32(secret) },
    ...{ algorithm: 'SHA1', digits: 6, period: 30 },
  });
}
