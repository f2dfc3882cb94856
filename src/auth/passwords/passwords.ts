import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** The first configuration that OWASP recommends for argon2id: 19 MiB, 2 passes, 1 degree of parallelism. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

const compute = promisify(argon2);

/**
 * Computes the hash of a password. Call it within a `hashingTurn`. Returns a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$tag`.
 * `like`: a hash whose salt it takes. All users with one e-mail have one salt, so that a login computes one hash for however many
 * there are.
 */
export async function hashPassword(password: string, like?: string): Promise<string> {
  const salt = like === undefined ? randomBytes(SALT_BYTES) : Buffer.from(partsOf(like).salt, 'base64');
  const tag = await derive(password, salt, MEMORY_KIB, PASSES);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${base64(salt)}$${base64(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

type Parts = { memory: string; passes: string; salt: string; tag: string };

function partsOf(stored: string): Parts {
  const [, memory, passes, salt, tag] = PHC.exec(stored) ?? [];
  if (!memory || !passes || !salt || !tag)
    throw new Error('a stored password hash is not in the form that hashPassword writes');
  return { memory, passes, salt, tag };
}

/**
 * Returns those of the stored hashes that are of this password. Call it within a `hashingTurn`. Without any (an unknown user) it
 * computes one anyway, so that the response takes as long as for a known user.
 */
export async function matchPassword(password: string, stored: readonly string[]): Promise<Set<string>> {
  const computed = new Map<string, Buffer>();
  const matches = new Set<string>();
  for (const hash of stored.length > 0 ? stored : [NOBODY]) {
    const { memory, passes, salt, tag } = partsOf(hash);
    const key = [memory, passes, salt].join('$');
    const found =
      computed.get(key) ??
      (await derive(password, Buffer.from(salt, 'base64'), Number(memory), Number(passes)));
    computed.set(key, found);
    if (timingSafeEqual(found, Buffer.from(tag, 'base64')) && hash !== NOBODY) matches.add(hash);
  }
  return matches;
}

const NOBODY = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

function derive(password: string, nonce: Buffer, memory: number, passes: number): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFKC'));
  return compute('argon2id', { message, nonce, memory, passes, parallelism: 1, tagLength: TAG_BYTES });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
