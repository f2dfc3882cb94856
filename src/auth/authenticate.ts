import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { requireAllowed } from './allowed-ips.ts';
import { API_KEY_MARK, findApiKey } from './api-keys.ts';
import type { Scope } from './named-keys/scopes.ts';
import { createServiceTokenReader } from './service-users/service-tokens.ts';
import { createSessionReader } from './sessions.ts';
import type { User } from './store.ts';
import type { Membership } from './teams/team-store.ts';

/** Who may call an operation: anyone, a wallet's API key or its owner's login, or a login only. */
export type Access = 'public' | 'key' | 'login';

/** `by`: a person, or a program with the rights of a member. `user.email` of a service user is empty. */
export type LoginCaller = {
  kind: 'login';
  by: 'user' | 'service_user';
  user: User;
  session_id: string;
  member: Membership;
};

/** `key.name`: null for the main key of the wallet. */
type KeyCaller = {
  kind: 'api_key';
  wallet_id: string;
  key: { id: string; name: string | null; scopes: readonly Scope[] };
};

export type Caller = LoginCaller | KeyCaller;

export type Authenticate = (authorization: string | undefined, access: Access, ip: string) => Promise<Caller>;

/**
 * Gives a function that finds the caller of an Authorization header that came from the address `ip`.
 * @throws AppError `login_required` for any API key, valid or not, on an operation that needs a login, before any
 * look-up; `unauthenticated` for a credential that is absent, malformed, unknown, expired or revoked;
 * `address_not_allowed` for a valid one from another address than it may be used from.
 */
export function createAuthenticator(deps: Pick<Deps, 'db' | 'reads' | 'clock' | 'jwt_key'>): Authenticate {
  const readSession = createSessionReader(deps);
  const readServiceToken = createServiceTokenReader(deps);
  return async (authorization, access, ip) => {
    const credential = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1];
    if (!credential)
      throw new AppError('unauthenticated', 'Send a credential: Authorization: Bearer <token>.');
    if (credential.startsWith(API_KEY_MARK)) {
      if (access === 'login') throw new AppError('login_required', 'An API key cannot do this; log in.');
      return keyCaller({ ...deps, db: deps.reads }, credential, ip);
    }
    const program = await readServiceToken(credential, ip);
    if (program) return { kind: 'login', by: 'service_user', ...program };
    const session = await readSession(credential);
    if (!session)
      throw new AppError('unauthenticated', 'The login token is not valid, has expired or was logged out.');
    return { kind: 'login', by: 'user', ...session };
  };
}

/** @throws AppError as above */
async function keyCaller(deps: Pick<Deps, 'db' | 'clock'>, api_key: string, ip: string): Promise<KeyCaller> {
  const found = await findApiKey(deps, api_key);
  if (found === null) throw new AppError('unauthenticated', 'The API key is not valid.');
  if (found === 'expired') throw new AppError('unauthenticated', 'The API key has expired.');
  const { wallet_id, allowed_ips, ...key } = found;
  requireAllowed(allowed_ips, ip);
  return { kind: 'api_key', wallet_id, key };
}
