import { xdr } from '@stellar/stellar-sdk/base';
import { base64, sha256 } from './bytes.ts';

/**
 * Ledger entries are the SDK's plain XDR records and are never changed: a new version is a new object. So rolling
 * back an operation only means dropping its overlay.
 */
export type Entry = xdr.LedgerEntryWire;
export type Account = xdr.AccountEntryWire;

/** Base64 of the entry's LedgerKey XDR, which clients of `getLedgerEntries` use too. */
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

/** An entry of a contract. A second entry holds its lifetime. */
export function contractDataKey(
  contract: xdr.ScAddressWire,
  key: xdr.ScValWire,
  lifetime: 'temporary' | 'persistent',
): EntryKey {
  const durability = lifetime === 'persistent' ? 1 : 0;
  return keyString({ type: 6, contractData: { contract, key, durability } });
}

/** Key of the entry that holds the lifetime of the entry with this key. */
export function ttlKey(key: EntryKey): EntryKey {
  return keyString({ type: 9, ttl: { keyHash: ttlKeyHash(key) } });
}

export function ttlKeyHash(key: EntryKey): Uint8Array {
  return sha256(Buffer.from(key, 'base64'));
}

export function dataKey(ed25519: Uint8Array, name: xdr.XdrString): EntryKey {
  return keyString({ type: 3, data: { accountId: publicKey(ed25519), dataName: name } });
}

/** Key of this entry. An entry type that no supported operation creates is a programming error. */
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
  if (data.type === 6) {
    const { contract, key, durability } = data.contractData;
    return { type: 6, contractData: { contract, key, durability } };
  }
  if (data.type === 8)
    return { type: 8, configSetting: { configSettingId: data.configSetting.configSettingID } };
  if (data.type === 9) return { type: 9, ttl: { keyHash: data.ttl.keyHash } };
  throw new Error(`no ledger key is known for entries of type ${data.type}`);
}

/** The account whose subentry this is: of a trust line, an offer or data. */
export function ownerOf({ data }: Entry): Uint8Array | undefined {
  if (data.type === 1) return data.trustLine.accountId.ed25519;
  if (data.type === 2) return data.offer.sellerId.ed25519;
  return data.type === 3 ? data.data.accountId.ed25519 : undefined;
}

/** The account that pays the reserve of the entry instead of its owner (CAP-33). */
export function sponsorOf({ ext }: Entry): Uint8Array | undefined {
  return ext.v === 1 ? ext.v1.sponsoringId?.ed25519 : undefined;
}

export function publicKey(ed25519: Uint8Array): xdr.PublicKeyWire {
  return { type: 0, ed25519 };
}

export function keyString(key: xdr.LedgerKeyWire): EntryKey {
  return base64(xdr.LedgerKey.schema.encode(key));
}
