import type { xdr } from '@stellar/stellar-sdk/base';
import type { Header } from './account.ts';
import {
  addSponsorship,
  availableBalance,
  MAX_SUBENTRIES,
  signerSponsor,
  withoutSigner,
  withSigner,
} from './account.ts';
import { hex, sameBytes } from './bytes.ts';
import type { Account, Entry, EntryKey } from './entry.ts';
import { ownerOf, publicKey, sponsorOf } from './entry.ts';
import type { LedgerTxn } from './ledger-txn.ts';
import { loadAccount, storeAccount } from './ledger-txn.ts';

/**
 * Which account pays the reserves of which other one, from begin_sponsoring_future_reserves to its end, within one
 * transaction (CAP-33).
 */
export class Sponsorships {
  readonly #sponsorBySponsored = new Map<string, Uint8Array>();

  begin(sponsored: Uint8Array, sponsor: Uint8Array): void {
    this.#sponsorBySponsored.set(hex(sponsored), sponsor);
  }

  end(sponsored: Uint8Array): void {
    this.#sponsorBySponsored.delete(hex(sponsored));
  }

  sponsorOf(sponsored: Uint8Array): Uint8Array | undefined {
    return this.#sponsorBySponsored.get(hex(sponsored));
  }

  isSponsoring(account: Uint8Array): boolean {
    return this.#sponsorBySponsored.values().some((sponsor) => sameBytes(sponsor, account));
  }

  /** A transaction must not end with an open sponsorship: txBAD_SPONSORSHIP. */
  get isOpen(): boolean {
    return this.#sponsorBySponsored.size > 0;
  }
}

export type ReserveContext = { header: Header; txn: LedgerTxn; sponsorships: Sponsorships };

/** Why an entry cannot be added. `too_many_sponsoring` needs 2^32 entries and is not modelled. */
export type ReserveProblem = 'too_many_subentries' | 'low_reserve';

/** Base reserves that the entry costs (stellar-core, SponsorshipUtils computeMultiplier). */
function reservesFor(data: xdr.LedgerEntryDataWire): number {
  if (data.type === 0) return 2;
  if (data.type === 1) return data.trustLine.asset.type === 3 ? 2 : 1;
  return data.type === 4 ? data.claimableBalance.claimants.length : 1;
}

/**
 * Adds a new entry to the ledger and counts it: as a subentry of its owner, and in the reserve of the owner or its
 * sponsor (stellar-core, createEntryWithPossibleSponsorship). A claimable balance has no owner: `creator` or the
 * sponsor of the creator pays. Of a new account, its own reserve is checked, and the sponsor of the new account
 * counts, not that of its creator.
 */
export function createEntry(
  context: ReserveContext,
  key: EntryKey,
  data: xdr.LedgerEntryDataWire,
  creator: Uint8Array,
): ReserveProblem | undefined {
  if (data.type === 0) return createAccountEntry(context, key, data.account);
  const reserves = reservesFor(data);
  const sponsor = context.sponsorships.sponsorOf(creator) ?? (data.type === 4 ? creator : undefined);
  const problem = data.type === 4 ? undefined : countSubentry(context, creator, reserves, sponsor);
  if (problem !== undefined) return problem;
  if (sponsor !== undefined && !takeReserves(context, sponsor, reserves)) return 'low_reserve';
  context.txn.create(key, data, sponsoredBy(sponsor));
  return undefined;
}

/**
 * Removes an entry from the ledger, and frees the reserve of the account that paid it
 * (removeEntryWithPossibleSponsorship).
 */
export function removeEntry({ txn }: { txn: LedgerTxn }, key: EntryKey): void {
  const entry = txn.get(key);
  if (entry === undefined) throw new Error('an entry that is not there cannot be removed');
  const reserves = reservesFor(entry.data);
  const sponsor = sponsorOf(entry);
  const owner = ownerOf(entry);
  if (owner !== undefined) uncountSubentry(txn, owner, reserves, sponsor !== undefined);
  if (sponsor !== undefined) giveBackReserves(txn, sponsor, reserves);
  txn.delete(key);
}

/** Takes `reserves` base reserves from the sponsor; false when too little is available. */
function takeReserves({ header, txn }: ReserveContext, sponsor: Uint8Array, reserves: number): boolean {
  const account = mustLoad(txn, sponsor);
  if (availableBalance(header, account) < BigInt(reserves) * BigInt(header.baseReserve)) return false;
  storeAccount(txn, addSponsorship(account, { sponsoring: reserves, sponsored: 0 }));
  return true;
}

function giveBackReserves(txn: LedgerTxn, sponsor: Uint8Array, reserves: number): void {
  storeAccount(txn, addSponsorship(mustLoad(txn, sponsor), { sponsoring: -reserves, sponsored: 0 }));
}

/** The account with one more signer, not yet stored (stellar-core, createSignerWithPossibleSponsorship). */
export function addSigner(
  context: ReserveContext,
  account: Account,
  at: number,
  signer: xdr.SignerWire,
): Account | ReserveProblem {
  if (account.numSubEntries >= MAX_SUBENTRIES) return 'too_many_subentries';
  const sponsor = context.sponsorships.sponsorOf(account.accountId.ed25519);
  const added = withSigner(account, at, signer, sponsor);
  if (sponsor === undefined) return availableBalance(context.header, added) < 0n ? 'low_reserve' : added;
  if (!takeReserves(context, sponsor, 1)) return 'low_reserve';
  return addSponsorship(added, { sponsoring: 0, sponsored: 1 });
}

/** The account without this signer, not yet stored. The reserve of the account that paid it is freed. */
export function removeSigner(txn: LedgerTxn, account: Account, at: number): Account {
  const sponsor = signerSponsor(account, at);
  const removed = withoutSigner(account, at);
  if (sponsor === undefined) return removed;
  giveBackReserves(txn, sponsor, 1);
  return addSponsorship(removed, { sponsoring: 0, sponsored: -1 });
}

function createAccountEntry(
  context: ReserveContext,
  key: EntryKey,
  account: Account,
): ReserveProblem | undefined {
  const reserves = reservesFor({ type: 0, account });
  const sponsor = context.sponsorships.sponsorOf(account.accountId.ed25519);
  if (sponsor === undefined) {
    if (availableBalance(context.header, account) < 0n) return 'low_reserve';
    context.txn.create(key, { type: 0, account }, sponsoredBy(undefined));
    return undefined;
  }
  if (!takeReserves(context, sponsor, reserves)) return 'low_reserve';
  const sponsored = addSponsorship(account, { sponsoring: 0, sponsored: reserves });
  context.txn.create(key, { type: 0, account: sponsored }, sponsoredBy(sponsor));
  return undefined;
}

function countSubentry(
  { header, txn }: ReserveContext,
  owner: Uint8Array,
  count: number,
  sponsor: Uint8Array | undefined,
): ReserveProblem | undefined {
  const account = mustLoad(txn, owner);
  if (account.numSubEntries > MAX_SUBENTRIES - count) return 'too_many_subentries';
  const counted: Account = { ...account, numSubEntries: account.numSubEntries + count };
  if (sponsor !== undefined) {
    storeAccount(txn, addSponsorship(counted, { sponsoring: 0, sponsored: count }));
    return undefined;
  }
  if (availableBalance(header, counted) < 0n) return 'low_reserve';
  storeAccount(txn, counted);
  return undefined;
}

function uncountSubentry(txn: LedgerTxn, owner: Uint8Array, count: number, isSponsored: boolean): void {
  const account = mustLoad(txn, owner);
  const uncounted = { ...account, numSubEntries: account.numSubEntries - count };
  storeAccount(
    txn,
    isSponsored ? addSponsorship(uncounted, { sponsoring: 0, sponsored: -count }) : uncounted,
  );
}

function mustLoad(txn: LedgerTxn, ed25519: Uint8Array): Account {
  const account = loadAccount(txn, ed25519);
  if (account === undefined) throw new Error('the owner or sponsor of an entry must exist');
  return account;
}

/** The extension of a ledger entry that names the account that pays its reserve. */
function sponsoredBy(sponsor: Uint8Array | undefined): Entry['ext'] {
  if (sponsor === undefined) return { v: 0 };
  return { v: 1, v1: { sponsoringId: publicKey(sponsor), ext: { v: 0 } } };
}
