/**
 * Who is signed in. The login token is in a cookie that no script can read. This tab keeps its user in sessionStorage: an expired
 * session keeps its page and input, over a reload too (shell/session-gate.tsx). All tabs share a mark in localStorage:
 *
 * | the mark                                | a tab                                          |
 * |-----------------------------------------|------------------------------------------------|
 * | is there, and the tab has no user       | asks the service who is signed in              |
 * | is set by another tab for the same user | goes on, if its session had expired            |
 * | is set by another tab for another user  | forgets everything, and starts as that user    |
 * | is removed by another tab               | signs out                                      |
 */
import { useSyncExternalStore } from 'react';
import type { User } from './contract.ts';

type Session = { user: User; expired: boolean };

const KEY = 'stellar-teller-session';
export const MARK = 'stellar-teller-signed-in';
const listeners = new Set<() => void>();
let current: Session | null = read();

/** While this tab was away, somebody may have signed out in another one. */
function read(): Session | null {
  const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Session | null;
  if (!stored || stored.user.id === markedUser()) return stored;
  sessionStorage.removeItem(KEY);
  return null;
}

function markedUser(): string | null {
  const mark = JSON.parse(localStorage.getItem(MARK) ?? 'null') as { user_id: string } | null;
  return mark?.user_id ?? null;
}

function change(to: Session | null): void {
  current = to;
  if (to) sessionStorage.setItem(KEY, JSON.stringify(to));
  else sessionStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

export const session = {
  current: () => current,
  /** The user that some tab of this browser has signed in, if none has signed out since. */
  markedUser,
  /** The user has signed in in this tab. */
  begin: ({ id, email, name, created_at }: User) => {
    change({ user: { id, email, name, created_at }, expired: false });
    // With the time, so that other tabs notice when the same user signs in again.
    localStorage.setItem(MARK, JSON.stringify({ user_id: id, at: Date.now() }));
  },
  /** The user has signed in in another tab. */
  join: ({ id, email, name, created_at }: User) =>
    change({ user: { id, email, name, created_at }, expired: false }),
  /** `of`: the session of the request that was refused. Another one may have begun since. */
  expire: (of: Session) => current === of && change({ ...of, expired: true }),
  /** The user has signed out, in this tab or in another one. */
  end: () => {
    change(null);
    localStorage.removeItem(MARK);
  },
  /** Somebody else has signed in in another tab. */
  leave: () => change(null),
};

export function useSession(): Session | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, session.current);
}
