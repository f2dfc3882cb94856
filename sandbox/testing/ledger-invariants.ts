import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk/base';
import { accountLiabilities } from '../ledger/account.ts';
import type { Asset } from '../ledger/asset.ts';
import { assetText } from '../ledger/asset.ts';
import { hex } from '../ledger/bytes.ts';
import type { Account, Entry } from '../ledger/entry.ts';
import { ownerOf, sponsorOf } from '../ledger/entry.ts';
import { liabilitiesOf } from '../ledger/offer-exchange.ts';
import { lineLiabilities } from '../ledger/trust-line.ts';
import type { Network } from '../network.ts';

/**
 * Asserts stellar-core's invariants of a ledger: no asset is created or lost, and every counter equals the number
 * of what it counts.
 */
export function assertConsistent(network: Network): void {
  const entries = [...network.store.entries()].map(([, entry]) => entry);
  const { totalCoins, feePool } = network.latest.header;
  assert.equal((heldByAsset(entries).get('native') ?? 0n) + feePool, totalCoins, 'sum of native balances');
  assertCounts(entries);
  assertLiabilities(entries);
}

/** The sum of balances and claimable balances of every asset, in stroops. */
export function heldByAsset(entries: Entry[]): Map<string, bigint> {
  const held = new Map<string, bigint>();
  const add = (asset: Asset, stroops: bigint) =>
    held.set(assetText(asset), (held.get(assetText(asset)) ?? 0n) + stroops);
  for (const { data } of entries) {
    if (data.type === 0) add({ type: 0 }, data.account.balance);
    if (data.type === 1 && data.trustLine.asset.type !== 3) add(data.trustLine.asset, data.trustLine.balance);
    if (data.type === 4) add(data.claimableBalance.asset, data.claimableBalance.amount);
  }
  return held;
}

function assertCounts(entries: Entry[]): void {
  const counts = new Map<string, { subentries: number; sponsoring: number; sponsored: number }>();
  const of = (ed25519: Uint8Array) => {
    const known = counts.get(hex(ed25519)) ?? { subentries: 0, sponsoring: 0, sponsored: 0 };
    counts.set(hex(ed25519), known);
    return known;
  };
  for (const entry of entries) {
    const reserves = reservesOf(entry.data);
    const owner = entry.data.type === 0 ? entry.data.account.accountId.ed25519 : ownerOf(entry);
    const sponsor = sponsorOf(entry);
    if (owner !== undefined && entry.data.type !== 0) of(owner).subentries += reserves;
    if (sponsor === undefined) continue;
    of(sponsor).sponsoring += reserves;
    if (owner !== undefined) of(owner).sponsored += reserves;
  }
  for (const account of accountsIn(entries)) {
    const own = of(account.accountId.ed25519);
    own.subentries += account.signers.length;
    for (const sponsor of signerSponsors(account)) {
      of(sponsor.ed25519).sponsoring += 1;
      own.sponsored += 1;
    }
  }
  for (const account of accountsIn(entries)) {
    const v2 = extensionV2(account);
    const said = {
      subentries: account.numSubEntries,
      sponsoring: v2?.numSponsoring ?? 0,
      sponsored: v2?.numSponsored ?? 0,
    };
    assert.deepEqual(said, of(account.accountId.ed25519), 'counts of an account');
    if (v2 !== null) assert.equal(v2.signerSponsoringIDs.length, account.signers.length);
  }
}

function assertLiabilities(entries: Entry[]): void {
  const bound = new Map<string, { buying: bigint; selling: bigint }>();
  const of = (owner: Uint8Array, asset: Asset) => {
    const key = `${hex(owner)} ${assetText(asset)}`;
    const known = bound.get(key) ?? { buying: 0n, selling: 0n };
    bound.set(key, known);
    return known;
  };
  for (const { data } of entries) {
    if (data.type !== 2) continue;
    const { sellerId, price, amount, buying, selling } = data.offer;
    const liabilities = liabilitiesOf(price, { sells: amount });
    of(sellerId.ed25519, buying).buying += liabilities.buying;
    of(sellerId.ed25519, selling).selling += liabilities.selling;
  }
  for (const { data } of entries) {
    if (data.type === 0) {
      const { account } = data;
      assert.deepEqual(accountLiabilities(account), of(account.accountId.ed25519, { type: 0 }));
    }
    if (data.type === 1) {
      const line = data.trustLine;
      const { asset } = line;
      assert.ok(asset.type !== 3, 'there are no shares of pools here');
      assert.deepEqual(lineLiabilities(line), of(line.accountId.ed25519, asset));
      assert.ok(line.balance >= 0n && line.balance <= line.limit, 'a line within its limit');
    }
  }
}

function reservesOf(data: xdr.LedgerEntryDataWire): number {
  if (data.type === 0) return 2;
  return data.type === 4 ? data.claimableBalance.claimants.length : 1;
}

function accountsIn(entries: Entry[]): Account[] {
  return entries.flatMap(({ data }) => (data.type === 0 ? [data.account] : []));
}

function extensionV2({ ext }: Account): xdr.AccountEntryExtensionV2Wire | null {
  return ext.v === 1 && ext.v1.ext.v === 2 ? ext.v1.ext.v2 : null;
}

function signerSponsors(account: Account): xdr.PublicKeyWire[] {
  return (extensionV2(account)?.signerSponsoringIDs ?? []).filter((sponsor) => sponsor !== null);
}
