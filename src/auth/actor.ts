import { userInfo } from 'node:os';
import type { Actor } from '../audit/audit.ts';
import type { Caller, LoginCaller } from './authenticate.ts';
import type { User } from './store.ts';

/** A login, and the same as the audit log names it. */
export type Requester = { login: LoginCaller; actor: Actor };

/** The caller of a request, for the audit log. `ip`: where the request came from. */
export function actorOf(caller: Caller, ip: string): Actor {
  if (caller.kind === 'login') return userActor(caller.user, caller.session_id, ip);
  return { kind: 'api_key', id: caller.wallet_id, name: null, session_id: null, ip };
}

export function userActor({ id, email }: User, session_id: string | null, ip: string): Actor {
  return { kind: 'user', id, name: email, session_id, ip };
}

export function strangerAt(ip: string): Actor {
  return { kind: 'stranger', id: null, name: null, session_id: null, ip };
}

/** Who runs a command, by the name that the operating system has for them. */
export function operator(): Actor {
  return { kind: 'operator', id: null, name: userInfo().username, session_id: null, ip: null };
}
