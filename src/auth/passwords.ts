import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** The first configuration that OWASP recommends for argon2id: 19 MiB, 2 passes, 1 degree of parallelism. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

const compute = promisify(argon2);

/** Call it within a `hashingTurn`. Gives a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$tag`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await derive(password, salt, MEMORY_KIB, PASSES);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${base64(salt)}$${base64(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * Call it within a `hashingTurn`. Without a stored hash (unknown user) it computes one anyway, so that the response takes
 * as long as for a known user.
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const parts = PHC.exec(stored ?? NOBODY);
  if (!parts) throw new Error('a stored password hash is not in the form that hashPassword writes');
  const [, memory, passes, salt, tag] = parts as unknown as [string, string, string, string, string];
  const expected = Buffer.from(tag, 'base64');
  const found = await derive(password, Buffer.from(salt, 'base64'), Number(memory), Number(passes));
  return timingSafeEqual(found, expected) && stored !== undefined;
}

const NOBODY = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

function derive(password: string, nonce: Buffer, memory: number, passes: number): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFKC'));
  return compute('argon2id', { message, nonce, memory, passes, parallelism: 1, tagLength: TAG_BYTES });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
