import type { IssuedAsset } from './asset.ts';
import { assetText } from './asset.ts';
import { hex } from './bytes.ts';
import type { Entry, EntryKey } from './entry.ts';
import { ownerOf } from './entry.ts';
import type { EntryChange, LedgerView } from './ledger-txn.ts';

/** All entries of the newest closed ledger, by key and by the account that owns them. */
export class State implements LedgerView {
  readonly #entries = new Map<EntryKey, Entry>();
  readonly #owned = new Map<string, Set<EntryKey>>();
  readonly #offers = new Map<EntryKey, Entry>();
  /** How many trust lines each asset has. */
  readonly #assets = new Map<string, { asset: IssuedAsset; lines: number }>();

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

  assets(): Iterable<IssuedAsset> {
    return this.#assets.values().map(({ asset }) => asset);
  }

  ownedBy(ed25519: Uint8Array): Iterable<EntryKey> {
    return this.#owned.get(hex(ed25519)) ?? [];
  }

  apply({ key, before, after }: EntryChange): void {
    if (before === undefined) this.#countLine(after, 1);
    if (after === undefined) this.#countLine(before, -1);
    if (after === undefined) this.#remove(key, before);
    else this.#put(key, after);
  }

  #countLine(entry: Entry | undefined, change: 1 | -1): void {
    if (entry?.data.type !== 1) return;
    const { asset } = entry.data.trustLine;
    if (asset.type !== 1 && asset.type !== 2) return;
    const name = assetText(asset);
    const lines = (this.#assets.get(name)?.lines ?? 0) + change;
    if (lines > 0) this.#assets.set(name, { asset, lines });
    else this.#assets.delete(name);
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
