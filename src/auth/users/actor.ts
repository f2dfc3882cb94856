import type { Actor } from '../../audit/audit.ts';
import type { User } from './user-store.ts';

/** Who has made something. `name`: null for the main key of a wallet. */
export type Maker = { kind: 'user' | 'service_user' | 'api_key'; id: string; name: string | null };

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
