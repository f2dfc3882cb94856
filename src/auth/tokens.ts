/** Login tokens: JWTs (RFC 7519) with HMAC-SHA256. `jwt_key` signs nothing else. */
import { errors, jwtVerify, SignJWT } from 'jose';

const ISSUER = 'stellar-teller';
const AUDIENCE = 'stellar-teller/v1';
/** Of a session that has proven a second factor. A version that asks for no step-up refuses such a token. */
const AUDIENCE_WITH_FACTOR = 'stellar-teller/v1+factor';

/** Gives the token of a session. Times are cut to whole seconds. */
export async function signToken(
  jwt_key: Buffer,
  token: { session_id: string; user_id: string; issued_at: Date; expires_at: Date; second_factor?: boolean },
): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(token.second_factor ? AUDIENCE_WITH_FACTOR : AUDIENCE)
    .setSubject(token.user_id)
    .setJti(token.session_id)
    .setIssuedAt(token.issued_at)
    .setExpirationTime(token.expires_at)
    .sign(jwt_key);
}

/**
 * Gives the session id of a token, or null when the token is malformed, forged or expired at `now`. One algorithm is
 * allowed, so that the header cannot choose another one (RFC 8725, 3.1).
 */
export async function verifyToken(jwt_key: Buffer, token: string, now: Date): Promise<string | null> {
  if (!token.split('.').every(isBase64url)) return null;
  try {
    const { payload } = await jwtVerify<{ jti: unknown }>(token, jwt_key, {
      algorithms: ['HS256'],
      typ: 'JWT',
      issuer: ISSUER,
      audience: [AUDIENCE, AUDIENCE_WITH_FACTOR],
      requiredClaims: ['exp', 'jti'],
      currentDate: now,
    });
    return typeof payload.jti === 'string' ? payload.jti : null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** The one spelling of some bytes (RFC 7515, 2). jose also reads padding, white space and other spare bits. */
function isBase64url(text: string): boolean {
  return Buffer.from(text, 'base64url').toString('base64url') === text;
}
