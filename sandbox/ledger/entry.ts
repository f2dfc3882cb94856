import { xdr } from '@stellar/stellar-sdk/base';
import { base64 } from './bytes.ts';

/**
 * Ledger entries are the SDK's plain XDR records, never changed in place: a new version is a new object.
 * That is what makes rolling an operation back a matter of forgetting an overlay.
 */
export type Entry = xdr.LedgerEntryWire;
export type Account = xdr.AccountEntryWire;

/** Base64 of the entry's LedgerKey XDR, which is also what clients of `getLedgerEntries` ask for. */
export type EntryKey = string;

const ACCOUNT_KEY_PREFIX = Buffer.alloc(8); // LedgerEntryType ACCOUNT = 0, PublicKeyType ED25519 = 0

export function accountKey(ed25519: Uint8Array): EntryKey {
  return base64(Buffer.concat([ACCOUNT_KEY_PREFIX, ed25519]));
}

export function trustLineKey(ed25519: Uint8Array, asset: xdr.TrustLineAssetWire): EntryKey {
  return keyString({ type: 1, trustLine: { accountId: publicKey(ed25519), asset } });
}

export function offerKey(sellerEd25519: Uint8Array, offerId: bigint): EntryKey {
  return keyString({ type: 2, offer: { sellerId: publicKey(sellerEd25519), offerId } });
}

export function claimableBalanceKey(balanceId: xdr.ClaimableBalanceIdWire): EntryKey {
  return keyString({ type: 4, claimableBalance: { balanceId } });
}

export function dataKey(ed25519: Uint8Array, name: xdr.XdrString): EntryKey {
  return keyString({ type: 3, data: { accountId: publicKey(ed25519), dataName: name } });
}

/** The key under which this entry is kept; an entry type that no operation here can create is a programming error. */
export function keyOf(entry: Entry): EntryKey {
  return keyString(ledgerKeyOf(entry));
}

export function ledgerKeyOf(entry: Entry): xdr.LedgerKeyWire {
  const data = entry.data;
  if (data.type === 0) return { type: 0, account: { accountId: data.account.accountId } };
  if (data.type === 1) {
    return { type: 1, trustLine: { accountId: data.trustLine.accountId, asset: data.trustLine.asset } };
  }
  if (data.type === 2) {
    return { type: 2, offer: { sellerId: data.offer.sellerId, offerId: data.offer.offerId } };
  }
  if (data.type === 3) {
    return { type: 3, data: { accountId: data.data.accountId, dataName: data.data.dataName } };
  }
  if (data.type === 4) return { type: 4, claimableBalance: { balanceId: data.claimableBalance.balanceId } };
  if (data.type === 5) {
    return { type: 5, liquidityPool: { liquidityPoolId: data.liquidityPool.liquidityPoolId } };
  }
  throw new Error(`no ledger key is known for entries of type ${data.type}`);
}

/** The account whose subentry this is: trust line, offer or data. */
export function ownerOf({ data }: Entry): Uint8Array | undefined {
  if (data.type === 1) return data.trustLine.accountId.ed25519;
  if (data.type === 2) return data.offer.sellerId.ed25519;
  return data.type === 3 ? data.data.accountId.ed25519 : undefined;
}

/** Whoever pays the entry's reserve instead of its owner (CAP-33). */
export function sponsorOf({ ext }: Entry): Uint8Array | undefined {
  return ext.v === 1 ? ext.v1.sponsoringId?.ed25519 : undefined;
}

export function publicKey(ed25519: Uint8Array): xdr.PublicKeyWire {
  return { type: 0, ed25519 };
}

export function keyString(key: xdr.LedgerKeyWire): EntryKey {
  return base64(xdr.LedgerKey.schema.encode(key));
}
