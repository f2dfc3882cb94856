import { xdr } from '@stellar/stellar-sdk/base';
import type { Account, Entry, EntryKey } from '../entry.ts';
import { accountKey, contractDataKey, keyString, ttlKey, ttlKeyHash } from '../entry.ts';
import type { LedgerTxn, LedgerView } from '../ledger-txn.ts';
import type { ScAddress, ScVal } from '../sc-val.ts';
import type { Footprint } from './footprint.ts';
import type { RentChange } from './resource-fee.ts';
import { LIFETIME } from './settings.ts';

type Lifetime = 'temporary' | 'persistent';

/** The ledger as a contract sees it: the entries of the footprint, and contract data with a lifetime. */
export class ContractStorage {
  readonly ledgerSeq: number;
  readonly #txn: LedgerTxn;
  readonly #footprint: Footprint;

  constructor(txn: LedgerTxn, footprint: Footprint, ledgerSeq: number) {
    this.#txn = txn;
    this.#footprint = footprint;
    this.ledgerSeq = ledgerSeq;
  }

  /** @throws HostError when the footprint does not name the entry; the other functions do the same */
  get(key: EntryKey): Entry | undefined {
    this.#footprint.read(key);
    return this.#txn.get(key);
  }

  put(key: EntryKey, data: xdr.LedgerEntryDataWire): void {
    this.#footprint.write(key);
    this.#txn.put(key, data);
  }

  account(ed25519: Uint8Array): Account | undefined {
    const data = this.get(accountKey(ed25519))?.data;
    return data?.type === 0 ? data.account : undefined;
  }

  /**
   * A temporary entry whose lifetime has ended does not exist any more. Persistent entries are never archived here.
   */
  getData(contract: ScAddress, key: ScVal, lifetime: Lifetime): ScVal | undefined {
    const entryKey = contractDataKey(contract, key, lifetime);
    const data = this.get(entryKey)?.data;
    if (data?.type !== 6) return undefined;
    const expired = lifetime === 'temporary' && this.#liveUntil(entryKey) < this.ledgerSeq;
    return expired ? undefined : data.contractData.val;
  }

  /** A new entry has the minimum lifetime of the network. */
  putData(contract: ScAddress, key: ScVal, lifetime: Lifetime, val: ScVal): void {
    const entryKey = contractDataKey(contract, key, lifetime);
    const isNew = this.getData(contract, key, lifetime) === undefined;
    const durability = lifetime === 'persistent' ? 1 : 0;
    this.put(entryKey, { type: 6, contractData: { ext: { v: 0 }, contract, key, durability, val } });
    const least = lifetime === 'persistent' ? LIFETIME.min_persistent : LIFETIME.min_temporary;
    if (isNew) this.#setLiveUntil(entryKey, this.ledgerSeq + least - 1);
  }

  /** Extends the lifetime of an entry to `extendTo` ledgers from now, when `threshold` or fewer are left. */
  extendData(
    contract: ScAddress,
    key: ScVal,
    lifetime: Lifetime,
    { threshold, extendTo }: { threshold: number; extendTo: number },
  ): void {
    const entryKey = contractDataKey(contract, key, lifetime);
    const present = this.#liveUntil(entryKey);
    const wanted = this.ledgerSeq + extendTo;
    if (wanted > present && present - this.ledgerSeq <= threshold) this.#setLiveUntil(entryKey, wanted);
  }

  #liveUntil(key: EntryKey): number {
    return lastLedgerOf(this.#txn.get(ttlKey(key)));
  }

  /** The entry with a lifetime is in the footprint if the entry itself is. */
  #setLiveUntil(key: EntryKey, liveUntilLedgerSeq: number): void {
    this.#txn.put(ttlKey(key), { type: 9, ttl: { keyHash: ttlKeyHash(key), liveUntilLedgerSeq } });
  }
}

/** The contract data that `txn` wrote, for the calculation of rent. */
export function rentChanges(txn: LedgerTxn): RentChange[] {
  const changes = new Map(txn.changes().map((change) => [change.key, change]));
  return [...changes.values()].flatMap(({ key, before, after }): RentChange[] => {
    if (after?.data.type !== 6) return [];
    const liveUntil = lastLedgerOf(txn.get(ttlKey(key)));
    const ttl = changes.get(ttlKey(key));
    const liveBefore = ttl === undefined ? liveUntil : lastLedgerOf(ttl.before);
    return [
      {
        persistent: after.data.contractData.durability === 1,
        before: before && { bytes: bytesOf(before), liveUntil: liveBefore },
        after: { bytes: bytesOf(after), liveUntil },
      },
    ];
  });
}

/** Size of the whole entry, as the network counts it. */
export function bytesOf(entry: Entry): number {
  return xdr.LedgerEntry.schema.encode(entry).length;
}

function lastLedgerOf(ttl: Entry | undefined): number {
  return ttl?.data.type === 9 ? ttl.data.ttl.liveUntilLedgerSeq : 0;
}

/** Bytes of the classic entries in the footprint. They are read from disk, whether needed or not. */
export function diskBytes(view: LedgerView, { readOnly, readWrite }: xdr.LedgerFootprintWire): number {
  const classic = [...readOnly, ...readWrite].filter(({ type }) => type === 0 || type === 1);
  const entries = classic.flatMap((key) => view.get(keyString(key)) ?? []);
  return entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
}
