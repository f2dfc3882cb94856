import { xdr } from '@stellar/stellar-sdk/base';
import type { Entry } from '../ledger/entry.ts';
import { ledgerKeyOf } from '../ledger/entry.ts';
import { signerAddress } from './addresses.ts';
import type { AppliedOperation } from './applied-operation.ts';

/** The change of one entry by an operation. At least one of the two is present. */
export type EntryChange = { before: Entry | null; after: Entry | null };

type Data<Type extends number> = Extract<xdr.LedgerEntryDataWire, { type: Type }>;
const CLAIMABLE_BALANCE = 4;

/**
 * The changes of classic entries by the operation, sorted by the bytes of their ledger keys. Horizon sorts them
 * because the order of stellar-core within an operation is arbitrary.
 */
export function entryChanges({ meta }: AppliedOperation): EntryChange[] {
  const changes: { key: Uint8Array; change: EntryChange }[] = [];
  let state: Entry | null = null;
  for (const wire of meta?.changes ?? []) {
    if (wire.type === 3) {
      state = wire.state; // a STATE is always followed by the new version
      continue;
    }
    const change = changeOf(wire, state);
    const entry = change.after ?? change.before;
    if (entry === null || entry.data.type > CLAIMABLE_BALANCE) continue;
    changes.push({ key: xdr.LedgerKey.schema.encode(ledgerKeyOf(entry)), change });
  }
  return changes.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ change }) => change);
}

function changeOf(wire: Exclude<xdr.LedgerEntryChangeWire, { type: 3 }>, state: Entry | null): EntryChange {
  if (wire.type === 0) return { before: null, after: wire.created };
  if (wire.type === 1) return { before: state, after: wire.updated };
  if (wire.type === 2) return { before: state, after: null };
  return { before: null, after: wire.restored };
}

/** The changes of entries of one type. */
export function changesTo<Type extends 0 | 1 | 3 | 4>(
  at: AppliedOperation,
  type: Type,
): { before: Data<Type> | null; after: Data<Type> | null }[] {
  return entryChanges(at)
    .map(({ before, after }) => ({ before: dataOf(before, type), after: dataOf(after, type) }))
    .filter(({ before, after }) => before !== null || after !== null);
}

function dataOf<Type extends number>(entry: Entry | null, type: Type): Data<Type> | null {
  return entry !== null && entry.data.type === type ? (entry.data as Data<Type>) : null;
}

/** The account that pays the reserve of an entry instead of its owner. */
export function sponsorOf(entry: Entry | null): xdr.PublicKeyWire | null {
  return entry?.ext.v === 1 ? entry.ext.v1.sponsoringId : null;
}

/** The sponsored signers of an account entry: strkey of the signer → sponsor. */
export function signerSponsors(entry: Entry | null): Map<string, xdr.PublicKeyWire> {
  const sponsors = new Map<string, xdr.PublicKeyWire>();
  if (entry?.data.type !== 0) return sponsors;
  const { signers, ext } = entry.data.account;
  const ids = ext.v === 1 && ext.v1.ext.v === 2 ? ext.v1.ext.v2.signerSponsoringIDs : [];
  for (const [index, { key }] of signers.entries()) {
    const sponsor = ids[index];
    if (sponsor) sponsors.set(signerAddress(key), sponsor);
  }
  return sponsors;
}
