import type { xdr } from '@stellar/stellar-sdk/base';
import type { IssuedAsset } from './asset.ts';
import type { Account, Entry, EntryKey } from './entry.ts';
import { accountKey, ledgerKeyOf } from './entry.ts';

/** A source of entries: the state of the closed ledger, or an overlay on it. */
export type LedgerView = {
  get(key: EntryKey): Entry | undefined;
  /** Every offer, in no fixed order. */
  offers(): Iterable<[EntryKey, Entry]>;
  /** The issued assets with trust lines at the start of the ledger. */
  assets(): Iterable<IssuedAsset>;
};

export type EntryChange = { key: EntryKey; before: Entry | undefined; after: Entry | undefined };

/**
 * Changes above a parent view, invisible to the parent until `commit` (LedgerTxn of stellar-core). Dropping the
 * object rolls back.
 */
export class LedgerTxn implements LedgerView {
  readonly #parent: LedgerView;
  readonly #ledgerSeq: number;
  readonly #changed = new Map<EntryKey, Entry | undefined>();
  #idsTaken: bigint;

  constructor(parent: LedgerView, ledgerSeq: number) {
    this.#parent = parent;
    this.#ledgerSeq = ledgerSeq;
    this.#idsTaken = parent instanceof LedgerTxn ? parent.#idsTaken : 0n;
  }

  /** Ids taken since the start of the ledger. Dropping the overlay frees the ids taken on it. */
  get idsTaken(): bigint {
    return this.#idsTaken;
  }

  /** The next id for an offer. `header.idPool` is the last id of the previous ledger (stellar-core, generateID). */
  takeId(header: { idPool: bigint }): bigint {
    this.#idsTaken += 1n;
    return header.idPool + this.#idsTaken;
  }

  get(key: EntryKey): Entry | undefined {
    return this.#changed.has(key) ? this.#changed.get(key) : this.#parent.get(key);
  }

  *offers(): Generator<[EntryKey, Entry]> {
    for (const [key, entry] of this.#parent.offers()) if (!this.#changed.has(key)) yield [key, entry];
    for (const [key, entry] of this.#changed) if (entry?.data.type === 2) yield [key, entry];
  }

  assets(): Iterable<IssuedAsset> {
    return this.#parent.assets();
  }

  put(key: EntryKey, data: xdr.LedgerEntryDataWire): void {
    const ext = this.get(key)?.ext ?? { v: 0 };
    this.#changed.set(key, { lastModifiedLedgerSeq: this.#ledgerSeq, data, ext });
  }

  /** Adds a new entry; `ext` names its sponsor. */
  create(key: EntryKey, data: xdr.LedgerEntryDataWire, ext: Entry['ext']): void {
    this.#changed.set(key, { lastModifiedLedgerSeq: this.#ledgerSeq, data, ext });
  }

  delete(key: EntryKey): void {
    this.#changed.set(key, undefined);
  }

  /**
   * Every entry written, in the order of its first write, without entries that were both created and deleted here.
   */
  changes(): EntryChange[] {
    const changes: EntryChange[] = [];
    for (const [key, after] of this.#changed) {
      const before = this.#parent.get(key);
      if (before !== undefined || after !== undefined) changes.push({ key, before, after });
    }
    return changes;
  }

  commitTo(parent: LedgerTxn): void {
    for (const [key, entry] of this.#changed) parent.#changed.set(key, entry);
    parent.#idsTaken = this.#idsTaken;
  }
}

export function loadAccount(view: LedgerView, ed25519: Uint8Array): Account | undefined {
  const data = view.get(accountKey(ed25519))?.data;
  return data?.type === 0 ? data.account : undefined;
}

export function storeAccount(txn: LedgerTxn, account: Account): void {
  txn.put(accountKey(account.accountId.ed25519), { type: 0, account });
}

/** The LedgerEntryChanges for meta: the old version of an entry comes before its update or removal. */
export function toXdrChanges(changes: EntryChange[]): xdr.LedgerEntryChangeWire[] {
  return changes.flatMap(({ before, after }): xdr.LedgerEntryChangeWire[] => {
    if (before === undefined) return after === undefined ? [] : [{ type: 0, created: after }];
    const state: xdr.LedgerEntryChangeWire = { type: 3, state: before };
    return after === undefined
      ? [state, { type: 2, removed: ledgerKeyOf(before) }]
      : [state, { type: 1, updated: after }];
  });
}
