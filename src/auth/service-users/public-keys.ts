/** Public keys of service users, as JSON Web Keys (RFC 7517): Ed25519 for EdDSA, P-256 for ES256. */
import { type CryptoKey, calculateJwkThumbprint, importJWK } from 'jose';
import { AppError } from '../../errors.ts';

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

function materialOf({ kty, crv, x, y }: GivenKey): KeyMaterial | null {
  if (kty === 'OKP' && crv === 'Ed25519' && y === undefined) return { kty, crv, x };
  if (kty === 'EC' && crv === 'P-256' && y !== undefined) return { kty, crv, x, y };
  return null;
}

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
