/** Login tokens of service users: JWTs like those of people, for minutes. */
import { decodeJwt } from 'jose';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../lib/ids.ts';
import type { LoginOf } from '../sessions/sessions.ts';
import { signToken, verifyToken } from '../sessions/tokens.ts';
import { createServiceTokenFinder, insertServiceToken } from './service-token-store.ts';

/** A program asks for the next token by itself; a stolen one is of use for minutes only. */
export const TOKEN_SECONDS = 15 * 60;

const MARK = 'svt_';

/** Opens a token of a service user, and signs it. `credential`: the id of the secret or the thumbprint of the key that it is given for. */
export async function openServiceToken(
  { clock, jwt_keys }: Pick<Deps, 'clock' | 'jwt_keys'>,
  trx: Trx,
  { service_user_id, credential }: { service_user_id: string; credential: string },
): Promise<{ token: string; token_id: string }> {
  const created_at = clock.now();
  const expires_at = new Date(created_at.getTime() + TOKEN_SECONDS * 1000);
  const id = newId('svt', created_at);
  await insertServiceToken(trx, { id, service_user_id, credential, created_at, expires_at });
  const claims = {
    session_id: id,
    user_id: service_user_id,
    issued_at: created_at,
    expires_at,
    renewal: 0,
    second_factor: false,
  };
  return { token: await signToken(jwt_keys, claims), token_id: id };
}

type ServiceLogin = LoginOf & { allowed_ips: string[] | null };

/** A program has no second factor, and is asked for none. */
const NO_FACTORS = { has_factor: false, team_requires: false, proven_at: null };

/**
 * Returns a function that finds the service user of a token, and its rights as they are now. The function returns null for a token of
 * a person, and for one that is malformed, forged, expired or ended.
 */
export function createServiceTokenReader(
  deps: Pick<Deps, 'db' | 'clock' | 'jwt_keys'>,
): (token: string) => Promise<ServiceLogin | null> {
  const find = createServiceTokenFinder(deps.db);
  return async (token) => {
    if (!looksLikeOurs(token)) return null;
    const now = deps.clock.now();
    const verified = await verifyToken(deps.jwt_keys, token, now);
    const found = verified === null ? undefined : await find(verified.session_id);
    if (!found || found.expires_at <= now) return null;
    const { id: session_id, user, member, allowed_ips, opened_at } = found;
    const session = { kind: 'program' as const, created_at: opened_at, renewal: 0 };
    return { user, session_id, member, session, factors: NO_FACTORS, allowed_ips };
  };
}

/**
 * Returns true when the id in the token is one of a service user's token. It is read before the signature is checked: it decides only
 * in which table the token is looked up.
 */
function looksLikeOurs(token: string): boolean {
  try {
    const { jti } = decodeJwt(token);
    return typeof jti === 'string' && jti.startsWith(MARK);
  } catch {
    return false; // no JWT at all
  }
}
