import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { API_KEY_MARK, walletOfApiKey } from './api-keys.ts';
import { createSessionReader } from './sessions.ts';
import type { FactorState, User } from './store.ts';
import type { Membership } from './teams/team-store.ts';

/** Who may call an operation: anyone, a wallet's API key or its owner's login, or a login only. */
export type Access = 'public' | 'key' | 'login';

export type Caller =
  | { kind: 'login'; user: User; session_id: string; member: Membership; factors: FactorState }
  | { kind: 'api_key'; wallet_id: string };

export type LoginCaller = Extract<Caller, { kind: 'login' }>;

export type Authenticate = (authorization: string | undefined, access: Access) => Promise<Caller>;

/**
 * Gives a function that finds the caller of an Authorization header.
 * @throws AppError `login_required` for any API key, valid or not, on an operation that needs a login, before any
 * look-up; `unauthenticated` for a credential that is absent, malformed, unknown, expired or revoked.
 */
export function createAuthenticator(deps: Pick<Deps, 'db' | 'reads' | 'clock' | 'jwt_key'>): Authenticate {
  const readSession = createSessionReader(deps);
  return async (authorization, access) => {
    const credential = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1];
    if (!credential)
      throw new AppError('unauthenticated', 'Send a credential: Authorization: Bearer <token>.');
    if (credential.startsWith(API_KEY_MARK)) {
      if (access === 'login') throw new AppError('login_required', 'An API key cannot do this; log in.');
      const wallet_id = await walletOfApiKey({ ...deps, db: deps.reads }, credential);
      if (!wallet_id) throw new AppError('unauthenticated', 'The API key is not valid.');
      return { kind: 'api_key', wallet_id };
    }
    const session = await readSession(credential);
    if (!session)
      throw new AppError('unauthenticated', 'The login token is not valid, has expired or was logged out.');
    return { kind: 'login', ...session };
  };
}
