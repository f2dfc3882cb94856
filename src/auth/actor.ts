import { userInfo } from 'node:os';
import type { Actor } from '../audit/audit.ts';
import type { User } from './store.ts';

export function userActor(
  { id, email }: Pick<User, 'id' | 'email'>,
  session_id: string | null,
  ip: string,
): Actor {
  return { kind: 'user', id, name: email, session_id, ip };
}

export function strangerAt(ip: string): Actor {
  return { kind: 'stranger', id: null, name: null, session_id: null, ip };
}

/** Who runs a command, by the name that the operating system has for them. */
export function operator(): Actor {
  return { kind: 'operator', id: null, name: userInfo().username, session_id: null, ip: null };
}
