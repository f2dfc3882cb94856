/** Login tokens: JWTs (RFC 7519) with HMAC-SHA256 under a key that signs nothing else. */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { SignJWT } from 'jose';
import { z } from 'zod';

const ISSUER = 'stellar-teller';
const AUDIENCE = 'stellar-teller/v1';
const PROTECTED_HEADER = { alg: 'HS256', typ: 'JWT' };
const HEADER = `${Buffer.from(JSON.stringify(PROTECTED_HEADER)).toString('base64url')}.`;

const Claims = z.object({
  iss: z.literal(ISSUER),
  aud: z.literal(AUDIENCE),
  exp: z.int(),
  jti: z.string(),
});

export async function signToken(
  jwt_key: Buffer,
  token: { session_id: string; user_id: string; issued_at: Date; expires_at: Date },
): Promise<string> {
  return new SignJWT()
    .setProtectedHeader(PROTECTED_HEADER)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(token.user_id)
    .setJti(token.session_id)
    .setIssuedAt(token.issued_at)
    .setExpirationTime(token.expires_at)
    .sign(jwt_key);
}

/**
 * Gives a function from a token to its session's id; null for one that is malformed, forged or expired. Only what
 * `signToken` writes is read: with one header there is no algorithm to confuse (RFC 8725, 3.1). By hand, since every
 * request needs it and jose's way through WebCrypto takes several times as long.
 */
export function createTokenVerifier(jwt_key: Buffer): (token: string, now: Date) => string | null {
  const key = createSecretKey(jwt_key); // once: as bytes it would be imported for every token
  return (token, now) => {
    if (!token.startsWith(HEADER)) return null;
    const end = token.lastIndexOf('.');
    const right = createHmac('sha256', key).update(token.slice(0, end)).digest('base64url');
    // As text: to bytes, several texts would decode to the same signature.
    if (!sameText(token.slice(end + 1), right)) return null;
    const claims = Claims.safeParse(JSON.parse(decode(token.slice(HEADER.length, end))));
    if (!claims.success || claims.data.exp * 1000 <= now.getTime()) return null;
    return claims.data.jti;
  };
}

/** In a time that tells nothing of where they differ. */
function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function decode(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString();
}
