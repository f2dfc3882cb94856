/**
 * Login tokens: JWTs (RFC 7519) with HMAC-SHA256. `jwt_keys` sign nothing else. During a rotation of the master key, tokens of
 * both keys are valid.
 */
import { createHmac } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { DerivedKeys } from '../../vault/master-keys/key-ring.ts';

const ISSUER = 'stellar-teller';
const AUDIENCE = 'stellar-teller/v1';
/** Of a session that has proven a second factor. */
const AUDIENCE_WITH_FACTOR = 'stellar-teller/v1+factor';

/** `renewal`: the number of the token among those of its session; 0 for the first. */
export type TokenOf = { session_id: string; renewal: number };

/** Signs the token of a session. Times are cut to whole seconds. */
export async function signToken(
  jwt_keys: DerivedKeys,
  token: TokenOf & { user_id: string; issued_at: Date; expires_at: Date; second_factor: boolean },
): Promise<string> {
  return new SignJWT({ renewal: token.renewal })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(token.second_factor ? AUDIENCE_WITH_FACTOR : AUDIENCE)
    .setSubject(token.user_id)
    .setJti(token.session_id)
    .setIssuedAt(token.issued_at)
    .setExpirationTime(token.expires_at)
    .sign(jwt_keys.current());
}

/**
 * Returns the session and the number of a token; null when the token is malformed, forged or expired at `now`. One algorithm is
 * allowed, so that the header cannot choose another one (RFC 8725, 3.1).
 */
export async function verifyToken(jwt_keys: DerivedKeys, token: string, now: Date): Promise<TokenOf | null> {
  if (!token.split('.').every(isBase64url)) return null;
  for (const jwt_key of jwt_keys.all()) {
    const verified = await verifyWith(jwt_key, token, now);
    if (verified) return verified;
  }
  return null;
}

/** Signs a token with the current key; null when that has signed it already. `token`: one that `verifyToken` accepts. */
export function signAgain(jwt_keys: DerivedKeys, token: string): string | null {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const signed = createHmac('sha256', jwt_keys.current()).update(`${header}.${claims}`).digest('base64url');
  return signed === signature ? null : `${header}.${claims}.${signed}`;
}

async function verifyWith(jwt_key: Buffer, token: string, now: Date): Promise<TokenOf | null> {
  try {
    const { payload } = await jwtVerify<{ jti: unknown; renewal: unknown }>(token, jwt_key, {
      algorithms: ['HS256'],
      typ: 'JWT',
      issuer: ISSUER,
      audience: [AUDIENCE, AUDIENCE_WITH_FACTOR],
      requiredClaims: ['exp', 'jti', 'renewal'],
      currentDate: now,
    });
    const { jti: session_id, renewal } = payload;
    return typeof session_id === 'string' && typeof renewal === 'number' ? { session_id, renewal } : null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/**
 * Returns true when the text is the one spelling of some bytes (RFC 7515, 2). jose also reads padding, white space and other spare
 * bits.
 */
function isBase64url(text: string): boolean {
  return Buffer.from(text, 'base64url').toString('base64url') === text;
}
