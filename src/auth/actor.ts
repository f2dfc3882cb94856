import { userInfo } from 'node:os';
import type { Actor } from '../audit/audit.ts';
import type { Caller } from './authenticate.ts';
import type { User } from './store.ts';

/** The caller of a request, for the audit log. `ip`: where the request came from. */
export function actorOf(caller: Caller, ip: string): Actor {
  if (caller.kind === 'api_key') return { kind: 'api_key', ...nameOf(caller.key), session_id: null, ip };
  const { by, user, session_id } = caller;
  if (by === 'user') return userActor(user, session_id, ip);
  return { kind: by, ...nameOf(user), session_id, ip };
}

/** Who has made something. `name`: null for the main key of a wallet. */
export type Maker = { kind: 'user' | 'service_user' | 'api_key'; id: string; name: string | null };

/** Without the e-mail address of a user: API keys read it too. */
export function makerOf(caller: Caller): Maker {
  if (caller.kind === 'api_key') return { kind: 'api_key', ...nameOf(caller.key) };
  return { kind: caller.by, ...nameOf(caller.user) };
}

function nameOf<Name>({ id, name }: { id: string; name: Name }) {
  return { id, name };
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
