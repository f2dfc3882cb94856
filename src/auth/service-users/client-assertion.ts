/**
 * Assertions of service users: private_key_jwt (RFC 7523), with the rules of RFC 8725. A thief of one assertion of ours can
 * do nothing with it: it names this service alone, is over in five minutes, and is used up.
 */
import { createHash } from 'node:crypto';
import { decodeJwt, errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import { algorithmOf, importPublicKey, type PublicKey } from './public-keys.ts';

const MAX_SECONDS = 300;
/** How much the clock of the client may be ahead or behind. */
const TOLERANCE_SECONDS = 10;
const MAX_JTI_CHARS = 255;
/** What the header may say that the token is, if it says so: a JWT, or an assertion by its own type (draft-ietf-oauth-rfc7523bis). */
const TYPES = ['jwt', 'client-authentication+jwt'];

/** `jti_hash` must be remembered until `remember_until`. */
export type Assertion = { thumbprint: string; jti_hash: Buffer; remember_until: Date };

/** What is wrong with an assertion, for whoever made it. `is_signed`: by a key of the service user. */
export type Fault = { fault: string; is_signed: boolean };

/** Reads from which client an assertion says it is, before anything of it is checked; null when it names no client. */
export function claimedClient(assertion: string): string | null {
  try {
    const { sub } = decodeJwt(assertion);
    return typeof sub === 'string' ? sub : null;
  } catch {
    return null;
  }
}

/** Checks everything but whether the assertion was used before. `audience`: how this service is called. */
export async function checkAssertion(
  assertion: string,
  { client_id, public_keys }: { client_id: string; public_keys: readonly PublicKey[] },
  { audience, now }: { audience: string; now: Date },
): Promise<Assertion | Fault> {
  const verified = await verify(assertion, public_keys, now);
  if ('fault' in verified) return verified;
  const { key, payload } = verified;
  const fault = faultOf(payload, { client_id, audience, now });
  if (fault !== null) return { fault, is_signed: true };
  const { jti = '', exp = 0 } = payload;
  return {
    thumbprint: key.thumbprint,
    jti_hash: createHash('sha256').update(jti).digest(),
    remember_until: new Date((exp + 2 * TOLERANCE_SECONDS) * 1000),
  };
}

/**
 * Finds the key that signed the assertion, and reads its claims. One algorithm is allowed for each key: the header chooses only among
 * the keys that the team has named. Returns a fault for a wrong signature, an expired assertion or another type of token.
 */
async function verify(
  assertion: string,
  public_keys: readonly PublicKey[],
  now: Date,
): Promise<{ key: PublicKey; payload: JWTPayload } | Fault> {
  let key: PublicKey | undefined;
  const find = async ({ kid, alg }: JWTHeaderParameters) => {
    const named = public_keys.filter((each) => (kid === undefined ? true : each.kid === kid));
    key = named.find((each) => algorithmOf(each) === alg);
    if (key === undefined || named.length > 1) throw new errors.JWKSNoMatchingKey();
    return importPublicKey(key);
  };
  try {
    const options = { algorithms: ['EdDSA', 'ES256'], currentDate: now, clockTolerance: TOLERANCE_SECONDS };
    const { payload, protectedHeader } = await jwtVerify(assertion, find, options);
    const { typ } = protectedHeader as { typ?: unknown }; // a header may have anything there
    if (key === undefined || !(typ === undefined || TYPES.includes(String(typ).toLowerCase())))
      return { fault: 'its typ is not JWT', is_signed: true };
    return { key, payload };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { fault: 'its exp is over', is_signed: true };
    if (error instanceof errors.JWTClaimValidationFailed)
      return { fault: `its ${error.claim} is not right`, is_signed: true };
    if (error instanceof errors.JOSEError) return { fault: 'its signature is not right', is_signed: false };
    throw error;
  }
}

/**
 * Returns what is wrong with the claims, in words; null when they are right. An `aud` beside ours would let another service use the
 * assertion here (CVE-2025-27370).
 */
function faultOf(
  { iss, sub, aud, exp, iat, jti }: JWTPayload,
  { client_id, audience, now }: { client_id: string; audience: string; now: Date },
): string | null {
  if (iss !== client_id || sub !== client_id) return 'its iss and sub must both be the client id';
  const [first, ...others] = [aud ?? []].flat();
  if (first !== audience || others.length > 0) return `its aud must be ${audience} alone`;
  if (exp === undefined || iat === undefined) return 'it must have exp and iat';
  if (exp - iat > MAX_SECONDS) return `its exp must be at most ${MAX_SECONDS} seconds after its iat`;
  if (iat > now.getTime() / 1000 + TOLERANCE_SECONDS) return 'its iat is in the future';
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_CHARS)
    return `it must have a jti of at most ${MAX_JTI_CHARS} characters`;
  return null;
}
