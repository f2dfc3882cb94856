/**
 * The columns of files as a user has named them before, for each set of headers, in localStorage. Forgotten when the user signs out
 * (shell/forget-user.ts); another user who signs in gets none of them either.
 */
import type { PayoutColumn } from '../../api/contract.ts';

export type ChosenColumn = Pick<PayoutColumn, 'name' | 'column'>;

const PREFIX = 'stellar-teller-payout-columns-';
const MOST_KNOWN = 20;

type Known = [headers: string, columns: ChosenColumn[]][];

export function rememberColumns(user_id: string, columns: ChosenColumn[]): void {
  const headers = headersOf(columns);
  const others = knownOf(user_id).filter(([known]) => known !== headers);
  const known: Known = [[headers, columns], ...others];
  localStorage.setItem(PREFIX + user_id, JSON.stringify(known.slice(0, MOST_KNOWN)));
}

/** Returns what the columns were named before, in the order of this file; null for headers that are new. */
export function rememberedColumns(user_id: string, columns: ChosenColumn[]): ChosenColumn[] | null {
  const headers = headersOf(columns);
  const known = knownOf(user_id).find(([each]) => each === headers)?.[1];
  return known ? inOrderOf(columns, known) : null;
}

/** Returns `columns` as `known` names them. The order may differ: the page shows a column by its place, the service reads it by its name. */
export function inOrderOf(columns: ChosenColumn[], known: ChosenColumn[]): ChosenColumn[] {
  return columns.map(({ name, column }) => known.find((each) => each.name === name) ?? { name, column });
}

export function forgetColumns(): void {
  for (const name of Object.keys(localStorage).filter((any) => any.startsWith(PREFIX)))
    localStorage.removeItem(name);
}

function knownOf(user_id: string): Known {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + user_id) ?? '[]') as Known;
  } catch {
    return []; // somebody has changed it: the user is asked again
  }
}

/** In any order: a column that was moved is still the same. */
function headersOf(columns: ChosenColumn[]): string {
  return JSON.stringify(columns.map(({ name }) => name).toSorted());
}
