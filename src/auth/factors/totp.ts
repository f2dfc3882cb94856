/** Codes of an authenticator app: TOTP (RFC 6238) with the parameters that all apps know. */

import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const ISSUER = 'Stellar Teller';
/** As long as the SHA-1 block that RFC 4226 (4) recommends. */
const SECRET_BYTES = 20;
/** One step of 30 s before and after: a clock that is a little wrong, and the time to type (RFC 6238, 5.2). */
const WINDOW_STEPS = 1;

/** Makes a new secret of 20 random bytes, in base32. */
export function newTotpSecret(): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;
}

/** Returns the `otpauth://` URI that apps read from a QR code. `email`: the name under which the app shows it. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/**
 * Returns the step of a code that is right at `now`, or null. A step is the number of periods of 30 s since 1970. Each code of a step
 * is accepted once: the caller compares the step with the last one (RFC 6238, 5.2). Spaces do not count. A digit may be of any
 * script, like the full-width ones of a Japanese keyboard.
 */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const token = code.replaceAll(/\s/g, '').replaceAll(/\p{Nd}/gu, asciiDigit);
  if (!/^\d{6}$/.test(token)) return null;
  const totp = totpOf(secret, '');
  const timestamp = now.getTime();
  const delta = totp.validate({ token, timestamp, window: WINDOW_STEPS });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/**
 * Returns the ASCII digit for a digit of any script: the library throws at all others. Unicode has the digits of each script in a
 * row, from zero to nine; some rows follow one another.
 */
function asciiDigit(digit: string): string {
  const code_point = digit.codePointAt(0) ?? 0;
  let first = code_point;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return `${(code_point - first) % 10}`;
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
  });
}
