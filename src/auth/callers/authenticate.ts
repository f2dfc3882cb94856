import type { Actor } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import {
  API_KEY_MARK,
  createKeyFinder,
  type FoundKey,
  findApiKey,
  type KeyFinder,
} from '../keys/api-keys.ts';
import type { Scope } from '../keys/scopes.ts';
import { createServiceTokenReader } from '../service-users/service-tokens.ts';
import { createSessionReader, type LoginOf } from '../sessions/sessions.ts';
import { type Maker, userActor } from '../users/actor.ts';

/**
 * Who may call an operation: anyone; a wallet's API key or a login; a login only; or the login of a person only. A program must
 * not make access that outlives its own, so no service user does that, whatever its role.
 */
export type Access = 'public' | 'key' | 'login' | 'person';

/**
 * `by`: a person, or a program with the rights of a member. `user.email` of a service user is empty. `allowed_ips`: CIDR
 * blocks that the credential may be used from, which the guard checks; null for every address.
 */
export type LoginCaller = LoginOf & {
  kind: 'login';
  by: 'user' | 'service_user';
  allowed_ips: string[] | null;
};

/** A login, and the same as the audit log names it. */
export type Requester = { login: LoginCaller; actor: Actor };

/** `key.name`: null for the main key of the wallet. */
type KeyCaller = {
  kind: 'api_key';
  wallet_id: string;
  allowed_ips: string[] | null;
  key: { id: string; name: string | null; scopes: readonly Scope[] };
};

export type Caller = LoginCaller | KeyCaller;

/**
 * The cookie of a browser, and what its request says. `fault`: why the cookie does not count. `is_active`: whether the person
 * uses the page now. `user_id`: the user for whom the page was opened, if it says so.
 */
export type BrowserCredential = {
  token: string;
  fault: string | null;
  is_active: boolean;
  user_id: string | undefined;
};

export type Authenticate = (
  authorization: string | undefined,
  access: Access,
  browser?: BrowserCredential | null,
) => Promise<Caller>;

type AuthDeps = Pick<Deps, 'db' | 'reads' | 'clock' | 'config' | 'jwt_keys'>;

/**
 * Returns a function that finds the caller of an Authorization header, or without one that of the cookie of a browser. The guard
 * checks the address of the caller.
 * @throws AppError `login_required` for any API key, valid or not, on an operation that needs a login, before any look-up;
 * `unauthenticated` for a credential that is absent, malformed, unknown, expired or revoked.
 */
export function createAuthenticator(deps: AuthDeps): Authenticate {
  const readSession = createSessionReader(deps);
  const readServiceToken = createServiceTokenReader(deps);
  const findKey = createKeyFinder(deps.reads);
  const ofBrowser = async ({ token, fault, is_active, user_id }: BrowserCredential): Promise<Caller> => {
    if (fault !== null) throw new AppError('unauthenticated', fault);
    const session = await readSession({ token, kind: 'browser', is_use: is_active });
    // In another tab somebody else has signed in: what this page shows and sends is not that user's.
    if (!session || (user_id !== undefined && user_id !== session.user.id))
      throw new AppError('unauthenticated', 'Your session has ended. Sign in again.');
    return personCaller(session);
  };
  return async (authorization, access, browser = null) => {
    if (authorization === undefined && browser) return ofBrowser(browser);
    const credential = credentialOf(authorization);
    if (!credential)
      throw new AppError('unauthenticated', 'Send a credential: Authorization: Bearer <token>.');
    if (credential.startsWith(API_KEY_MARK)) {
      if (access !== 'key') throw new AppError('login_required', 'An API key cannot do this; log in.');
      return keyCaller({ db: deps.reads, clock: deps.clock, findKey }, credential);
    }
    const program = await readServiceToken(credential);
    if (program) return { kind: 'login', by: 'service_user', ...program };
    const session = await readSession({ token: credential, kind: 'program', is_use: true });
    if (!session)
      throw new AppError('unauthenticated', 'The login token is not valid, has expired or was logged out.');
    return personCaller(session);
  };
}

/** @throws AppError as above */
async function keyCaller(
  deps: Pick<Deps, 'db' | 'clock'> & { findKey: KeyFinder },
  api_key: string,
): Promise<KeyCaller> {
  const found = await findApiKey(deps, api_key);
  if (found === null) throw new AppError('unauthenticated', 'The API key is not valid.');
  if (found === 'expired') throw new AppError('unauthenticated', 'The API key has expired.');
  return callerOfKey(found);
}

/** Finds the API key of an Authorization header, from whatever address it came; null when the header has no valid key. */
export async function keyOfCredential(
  { reads, clock }: Pick<Deps, 'reads' | 'clock'>,
  authorization: string | undefined,
): Promise<KeyCaller | null> {
  const credential = credentialOf(authorization);
  if (!credential?.startsWith(API_KEY_MARK)) return null;
  const found = await findApiKey({ db: reads, clock, findKey: createKeyFinder(reads) }, credential);
  return found === null || found === 'expired' ? null : callerOfKey(found);
}

function callerOfKey({ wallet_id, allowed_ips, ...key }: FoundKey): KeyCaller {
  return { kind: 'api_key', wallet_id, allowed_ips, key };
}

/** Returns the caller of a session that a password opened. */
export function personCaller(session: LoginOf): LoginCaller {
  return { kind: 'login', by: 'user', allowed_ips: null, ...session };
}

function credentialOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1];
}

/** Returns the caller of a request, for the audit log. `ip`: where the request came from. */
export function actorOf(caller: Caller, ip: string): Actor {
  if (caller.kind === 'login' && caller.by === 'user') return userActor(caller.user, caller.session_id, ip);
  const session_id = caller.kind === 'login' ? caller.session_id : null;
  return { ...makerOf(caller), session_id, ip };
}

/** Returns the caller as the maker of something, without the e-mail address of a user: API keys read it too. */
export function makerOf(caller: Caller): Maker {
  const { id, name } = caller.kind === 'login' ? caller.user : caller.key;
  return { kind: caller.kind === 'login' ? caller.by : caller.kind, id, name };
}
