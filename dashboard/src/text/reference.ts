/** Pure: what somebody calls a payment, in books of their own. */
import type { Transaction } from '../api/contract.ts';
import { isolated } from './isolate.ts';

export const REFERENCE_WORDS = 'For your books. It is not sent to the network.';

const MOST_CHARACTERS = 100;

/** Reads a typed reference as the service takes it. An empty field means that there is none. */
export function readReference(typed: string): { reference: string | null } | { problem: string } {
  const reference = typed.trim();
  // An emoji is one character, though it is two units of a string.
  if ([...reference].length > MOST_CHARACTERS)
    return { problem: `A reference has at most ${MOST_CHARACTERS} characters.` };
  if (/\p{Cc}/u.test(reference)) return { problem: 'A reference is one line of text, without tabs.' };
  return { reference: reference === '' ? null : reference };
}

/** `Order 4711 · Payout row 130`: what a list says of a withdrawal; null where neither is known. */
export function bookedAs({
  reference,
  payout_row,
}: Pick<Transaction, 'reference' | 'payout_row'>): string | null {
  const words = [
    ...(reference === null ? [] : [isolated(reference)]),
    ...(payout_row === null ? [] : [`Payout row ${payout_row}`]),
  ];
  return words.length === 0 ? null : words.join(' · ');
}
