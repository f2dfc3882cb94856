import type { Actor } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { userActor } from './actor.ts';
import { API_KEY_MARK, walletOfApiKey } from './api-keys.ts';
import { createSessionReader } from './sessions.ts';
import type { User } from './store.ts';
import type { Membership } from './teams/team-store.ts';

/** Who may call an operation: anyone, a wallet's API key or its owner's login, or a login only. */
export type Access = 'public' | 'key' | 'login';

export type Caller =
  | { kind: 'login'; user: User; session_id: string; member: Membership }
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
    const credential = credentialOf(authorization);
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

/** The wallet of the API key of an Authorization header; null when it has no valid key. */
export async function walletOfCredential(
  deps: Pick<Deps, 'reads' | 'clock'>,
  authorization: string | undefined,
): Promise<string | null> {
  const credential = credentialOf(authorization);
  return credential?.startsWith(API_KEY_MARK)
    ? walletOfApiKey({ ...deps, db: deps.reads }, credential)
    : null;
}

function credentialOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1];
}

/** The caller of a request, for the audit log. `ip`: where the request came from. */
export function actorOf(caller: Caller, ip: string): Actor {
  if (caller.kind === 'login') return userActor(caller.user, caller.session_id, ip);
  return { kind: 'api_key', id: caller.wallet_id, name: null, session_id: null, ip };
}
