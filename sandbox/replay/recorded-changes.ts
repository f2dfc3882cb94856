import { xdr } from '@stellar/stellar-sdk/base';
import { base64 } from '../ledger/bytes.ts';
import type { Entry, EntryKey } from '../ledger/entry.ts';
import { keyOf, keyString } from '../ledger/entry.ts';

type Change = xdr.LedgerEntryChangeWire;

/** The entry after a change; undefined when it was removed. */
export type ChangeOutcome = { key: EntryKey; after: Entry | undefined };

/** In the order of the changes, without STATE, which only repeats the earlier version. */
export function outcomesOf(changes: Change[]): ChangeOutcome[] {
  return changes.flatMap((change): ChangeOutcome[] => {
    if (change.type === 3) return [];
    if (change.type === 2) return [{ key: keyString(change.removed), after: undefined }];
    const after = change.type === 0 ? change.created : change.type === 1 ? change.updated : change.restored;
    return [{ key: keyOf(after), after }];
  });
}

/** Whether the changes are equal byte for byte, in the same order. */
export function sameChanges(ours: Change[], theirs: Change[]): boolean {
  return ours.length === theirs.length && textsOf(ours).join() === textsOf(theirs).join();
}

/**
 * Whether the changes are equal in any order. stellar-core writes the changes of one operation in the order of a
 * hash table with a new seed for each process.
 */
export function sameChangesInAnyOrder(ours: Change[], theirs: Change[]): boolean {
  return ours.length === theirs.length && steps(ours).join() === steps(theirs).join();
}

/** Each change together with the STATE before it, sorted. */
function steps(changes: Change[]): string[] {
  const found: string[] = [];
  let state = '';
  for (const [index, text] of textsOf(changes).entries()) {
    if (changes[index]?.type === 3) {
      state = text;
    } else {
      found.push(state + text);
      state = '';
    }
  }
  return found.sort();
}

function textsOf(changes: Change[]): string[] {
  return changes.map((change) => base64(xdr.LedgerEntryChange.schema.encode(change)));
}
