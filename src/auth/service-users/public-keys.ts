/** Public keys of service users, as JSON Web Keys (RFC 7517): Ed25519 for EdDSA, P-256 for ES256. */
import { type CryptoKey, calculateJwkThumbprint, importJWK } from 'jose';
import { AppError } from '../../lib/errors.ts';

type KeyMaterial =
  | { kty: 'OKP'; crv: 'Ed25519'; x: string }
  | { kty: 'EC'; crv: 'P-256'; x: string; y: string };

/** `kid`: what the header of an assertion calls the key. `thumbprint`: names the key whatever it is called (RFC 7638). */
export type PublicKey = KeyMaterial & { kid: string; thumbprint: string };

/** A key as somebody gives it. Without a `kid` its thumbprint is its name. */
export type GivenKey = {
  kty: 'OKP' | 'EC';
  crv: 'Ed25519' | 'P-256';
  x: string;
  y?: string | undefined;
  kid?: string | undefined;
};

export function algorithmOf({ kty }: Pick<PublicKey, 'kty'>): 'EdDSA' | 'ES256' {
  return kty === 'OKP' ? 'EdDSA' : 'ES256';
}

/** @throws AppError `invalid_request` for what is no key, and for two keys with one `kid` */
export async function readPublicKeys(given: GivenKey[]): Promise<PublicKey[]> {
  const keys: PublicKey[] = [];
  for (const [index, each] of given.entries()) {
    const key = await readPublicKey(each);
    if (key === null) throw wrong(index, 'must be an Ed25519 (OKP) or P-256 (EC) key');
    if (keys.some(({ kid, thumbprint }) => kid === key.kid || thumbprint === key.thumbprint))
      throw wrong(index, 'must be another key with another kid than those before it');
    keys.push(key);
  }
  return keys;
}

async function readPublicKey({ kty, crv, x, y, kid }: GivenKey): Promise<PublicKey | null> {
  const material = materialOf({ kty, crv, x, y });
  if (material === null) return null;
  try {
    await importPublicKey(material);
  } catch {
    return null; // a point that is not on the curve, or a text that is no base64url
  }
  const thumbprint = await calculateJwkThumbprint(material);
  return { ...material, kid: kid ?? thumbprint, thumbprint };
}

/**
 * Returns the key with one spelling, because the rules about who knows a key compare thumbprints, and a thumbprint is made of the
 * texts of a key. Returns null for what is no Ed25519 or P-256 key.
 */
function materialOf({ kty, crv, ...given }: GivenKey): KeyMaterial | null {
  const x = respelled(given.x);
  const y = given.y === undefined ? undefined : respelled(given.y);
  if (x === null || y === null) return null;
  if (kty === 'OKP' && crv === 'Ed25519' && y === undefined) return { kty, crv, x };
  if (kty === 'EC' && crv === 'P-256' && y !== undefined) return { kty, crv, x, y };
  return null;
}

/**
 * Returns 32 bytes as a JWK has them, in base64url without padding (RFC 7518, 6.2.1.2). Libraries also write and read padding, the
 * other alphabet, and any value in the two bits that are left over. Returns null when the text is not 32 bytes.
 */
function respelled(text: string): string | null {
  if (!BASE64_OF_32_BYTES.test(text)) return null;
  return Buffer.from(text, 'base64').toString('base64url'); // reads both alphabets
}

const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/_-]{43}=?$/;

export async function importPublicKey(key: KeyMaterial): Promise<CryptoKey> {
  const imported = await importJWK({ ...key }, algorithmOf(key));
  if (imported instanceof Uint8Array) throw new Error('a public key is not symmetric');
  return imported;
}

function wrong(index: number, message: string): AppError {
  return new AppError('invalid_request', `A public key ${message}.`, {
    details: [{ path: `/public_keys/${index}`, message }],
  });
}
