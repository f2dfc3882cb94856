/**
 * The withdrawal that is being entered or sent, one for each wallet, with its Idempotency-Key, in sessionStorage. The key
 * stays until a withdrawal with it is known:
 *
 * | event                                          | why it cannot pay twice                                   |
 * |------------------------------------------------|-----------------------------------------------------------|
 * | double click, reload, expired session          | the key is stored before the request; a repeated request  |
 * |                                                | has the same key, and the service answers 409             |
 * | broken connection, lost response               | the state stays `sent`: the form is closed, and the page  |
 * |                                                | looks up the withdrawal with the key                      |
 * | refusal, or a change after a lost response     | `reopened` with the same key: the service accepts one of  |
 * |                                                | all requests with it, and shows that one in its 409       |
 * | sign-out, or another user signs in             | the input is forgotten, the key of a sent draft stays     |
 * | page opened again after its outcome was shown   | a new draft with a new key; the outcome stays in sight     |
 * |                                                | above the form. An outcome that was not shown is first     |
 * | duplicated tab                                 | the copy has the same key                                 |
 * | form opened by hand in another tab             | that is another withdrawal; the preview warns of the same |
 * |                                                | payment in the last 15 minutes                            |
 */
import { useSyncExternalStore } from 'react';
import { isSecretSeed } from '../../text/strkey.ts';
import { EMPTY_INPUT, type WithdrawalInput } from './withdrawal-input.ts';

export type Draft = {
  key: string;
  typed: WithdrawalInput;
  /** `new`: nothing was sent with the key. `sent`: the response is awaited, or was lost. */
  state: 'new' | 'sent' | 'reopened';
  /** A response was lost before: a refusal now says nothing about that request. */
  lost: boolean;
  /** The id of the withdrawal with this key, once the page has shown its outcome. */
  shown?: string;
  /** The id of the withdrawal before, whose outcome the page has shown. */
  last?: string;
};

const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

export function draftOf(walletId: string): Draft {
  const known = drafts.get(walletId);
  if (known) return known;
  const stored = sessionStorage.getItem(nameOf(walletId));
  const draft = stored === null ? newDraft(EMPTY_INPUT) : (JSON.parse(stored) as Draft);
  drafts.set(walletId, draft);
  return draft;
}

export function useDraft(walletId: string): Draft {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => draftOf(walletId),
  );
}

export function changeDraft(walletId: string, change: Partial<Omit<Draft, 'key'>>): void {
  keep(walletId, { ...draftOf(walletId), ...change });
}

/** Starts with a new key. Only allowed once a withdrawal has the old key. */
export function startAnother(walletId: string, typed: WithdrawalInput = EMPTY_INPUT): void {
  const { shown, last } = draftOf(walletId);
  const before = shown ?? last;
  keep(walletId, { ...newDraft(typed), ...(before === undefined ? {} : { last: before }) });
}

/** For a page that opens: a withdrawal whose outcome was shown makes room for the next one. */
export function leaveShown(walletId: string): void {
  if (draftOf(walletId).shown !== undefined) startAnother(walletId);
}

/**
 * Forgets all input, for the next user of the tab. The keys of sent drafts stay: they reveal nothing, they lead the
 * same user back to the withdrawal, and the same payment entered again gets the same key.
 */
export function forgetTyped(): void {
  for (const name of Object.keys(sessionStorage).filter((any) => any.startsWith(PREFIX))) {
    const draft = JSON.parse(sessionStorage.getItem(name) ?? '') as Draft;
    if (draft.state === 'new') sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify({ ...draft, typed: EMPTY_INPUT }));
  }
  drafts.clear();
  for (const listener of listeners) listener();
}

function keep(walletId: string, draft: Draft): void {
  drafts.set(walletId, draft);
  const { destination } = draft.typed;
  const typed = { ...draft.typed, destination: isSecretSeed(destination) ? '' : destination };
  sessionStorage.setItem(nameOf(walletId), JSON.stringify({ ...draft, typed }));
  for (const listener of listeners) listener();
}

function newDraft(typed: WithdrawalInput): Draft {
  // Not randomUUID, which needs https or localhost.
  const random = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  return { key: `dashboard-${random.join('')}`, typed, state: 'new', lost: false };
}

const PREFIX = 'stellar-teller-withdrawal-';

function nameOf(walletId: string): string {
  return `${PREFIX}${walletId}`;
}
