/**
 * The session. Its token is in sessionStorage: it ends with the tab, and no other site can make the browser send it.
 * An expired session keeps the page and its input: see shell/session-gate.tsx.
 */
import { useSyncExternalStore } from 'react';
import type { User } from './contract.ts';

type Session = { token: string; user: User; expired: boolean };

const KEY = 'stellar-teller-session';
const listeners = new Set<() => void>();
let current: Session | null = read();

function read(): Session | null {
  const text = sessionStorage.getItem(KEY);
  return text === null ? null : (JSON.parse(text) as Session);
}

function change(to: Session | null): void {
  current = to;
  if (to) sessionStorage.setItem(KEY, JSON.stringify(to));
  else sessionStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

export const session = {
  current: () => current,
  token: () => (current && !current.expired ? current.token : null),
  begin: (token: string, user: User) => change({ token, user, expired: false }),
  expire: () => current && change({ ...current, expired: true }),
  end: () => change(null),
};

export function useSession(): Session | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, session.current);
}
