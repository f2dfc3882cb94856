/**
 * Known devices. A browser that has signed in keeps a device token for its user. The token proves no identity: it only
 * decides with whose failures a failed login is counted, so that strangers do not delay the user.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { randomBytes } from '../../lib/random.ts';
import type { DerivedKeys } from '../../vault/master-keys/key-ring.ts';

const ID_BYTES = 16;
const VALID_SECONDS = 180 * 86_400;
/** Several people may use one browser, and a browser shows a cookie of one port of a host to all ports. */
const TOKENS_MAX = 5;

/** With another password, no device is known any more: somebody who knew the password before has no advantage. */
type DeviceUser = { id: string; password_hash: string };

const TOKEN = /^([\w-]{22})[.](\d{10,12})[.]([\w-]{43})$/;

/**
 * Finds the id of the device when one of the tokens is the user's; null otherwise. For an e-mail without a user it does the same work
 * and returns null.
 */
export function findDevice(
  keys: DerivedKeys,
  tokens: readonly string[],
  user: DeviceUser | undefined,
  now: Date,
): string | null {
  const found = keys
    .all()
    .flatMap((key) => tokens.map((token) => deviceOf(key, token, user ?? NOBODY, now)))
    .find((id) => id !== null);
  return (user && found) ?? null;
}

/** Returns the tokens of a browser in which the user has just signed in, the newest one first. `device`: null for a new one. */
export function withDevice(
  keys: DerivedKeys,
  tokens: readonly string[],
  user: DeviceUser,
  { device, now }: { device: string | null; now: Date },
): string[] {
  const id = device ?? randomBytes(ID_BYTES).toString('base64url');
  const issued_at = Math.floor(now.getTime() / 1000);
  const token = `${id}.${issued_at}.${signature(keys.current(), user, { id, issued_at }).toString('base64url')}`;
  const others = tokens.filter((other) => !other.startsWith(`${id}.`));
  return [token, ...others].slice(0, TOKENS_MAX);
}

const NOBODY: DeviceUser = { id: '', password_hash: '' };

function deviceOf(key: Buffer, token: string, user: DeviceUser, now: Date): string | null {
  const [, id, seconds, signed] = TOKEN.exec(token) ?? [];
  if (id === undefined || signed === undefined) return null;
  const issued_at = Number(seconds);
  const expected = signature(key, user, { id, issued_at });
  const given = Buffer.from(signed, 'base64url');
  const is_right = given.length === expected.length && timingSafeEqual(given, expected);
  return is_right && now.getTime() / 1000 < issued_at + VALID_SECONDS ? id : null;
}

function signature(key: Buffer, user: DeviceUser, device: { id: string; issued_at: number }): Buffer {
  const signed = JSON.stringify(['device', user.id, user.password_hash, device.id, device.issued_at]);
  return createHmac('sha256', key).update(signed).digest();
}

// The cookie

const NAME = 'teller-device';

/** Reads the well-formed device tokens in a Cookie header. `secure`: whether `deviceCookie` was called with it. */
export function readDeviceTokens(cookies: string | undefined, secure: boolean): string[] {
  const name = nameOf(secure);
  const values = (cookies ?? '').split(';').map((pair) => pair.trim());
  const value = values.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  return value
    .split('~')
    .filter((token) => TOKEN.test(token))
    .slice(0, TOKENS_MAX);
}

/**
 * Returns the Set-Cookie header of the device tokens. `secure`: browsers keep such a cookie only from HTTPS and from the machine
 * itself.
 */
export function deviceCookie(tokens: readonly string[], secure: boolean): string {
  const attributes = `Path=/; Max-Age=${VALID_SECONDS}; HttpOnly; SameSite=Strict`;
  return `${nameOf(secure)}=${tokens.join('~')}; ${attributes}${secure ? '; Secure' : ''}`;
}

/**
 * Returns the name of the cookie. A browser keeps a cookie with `__Host-` only from the host itself, so that no other host can
 * replace it.
 */
function nameOf(secure: boolean): string {
  return secure ? `__Host-${NAME}` : NAME;
}
