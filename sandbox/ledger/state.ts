import { hex } from './bytes.ts';
import type { Entry, EntryKey } from './entry.ts';
import { ownerOf } from './entry.ts';
import type { EntryChange, LedgerView } from './ledger-txn.ts';

/** All entries of the newest closed ledger, found by key, and those that an account owns. */
export class State implements LedgerView {
  readonly #entries = new Map<EntryKey, Entry>();
  readonly #owned = new Map<string, Set<EntryKey>>();
  readonly #offers = new Map<EntryKey, Entry>();

  constructor(entries: Iterable<[EntryKey, Entry]>) {
    for (const [key, after] of entries) this.apply({ key, before: undefined, after });
  }

  get(key: EntryKey): Entry | undefined {
    return this.#entries.get(key);
  }

  keys(): Iterable<EntryKey> {
    return this.#entries.keys();
  }

  offers(): Iterable<[EntryKey, Entry]> {
    return this.#offers;
  }

  ownedBy(ed25519: Uint8Array): Iterable<EntryKey> {
    return this.#owned.get(hex(ed25519)) ?? [];
  }

  apply({ key, before, after }: EntryChange): void {
    if (after === undefined) this.#remove(key, before);
    else this.#put(key, after);
  }

  #put(key: EntryKey, entry: Entry): void {
    this.#entries.set(key, entry);
    if (entry.data.type === 2) this.#offers.set(key, entry);
    const owner = ownerOf(entry);
    if (owner === undefined) return;
    const owned = this.#owned.get(hex(owner));
    if (owned === undefined) this.#owned.set(hex(owner), new Set([key]));
    else owned.add(key);
  }

  #remove(key: EntryKey, before: Entry | undefined): void {
    this.#entries.delete(key);
    this.#offers.delete(key);
    const owner = before === undefined ? undefined : ownerOf(before);
    if (owner !== undefined) this.#owned.get(hex(owner))?.delete(key);
  }
}
