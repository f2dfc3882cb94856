/** Pure: the balances of accounts, from ledger entries. */
import { accountOf, publicKeyOf } from '../address.ts';
import { xdr } from '../protocol/sdk.ts';
import type { Asset, Balances, Holder } from '../stellar.ts';
import { writeAsset } from '../xdr/write-names.ts';
import { XdrWriter } from '../xdr/xdr-writer.ts';
import { accountKey } from './account-state.ts';

/** Returns the key of an issued asset in maps. */
export function assetKey({ code, issuer }: Asset): string {
  return `${code}:${issuer}`;
}

/** Returns the ledger keys (base64) of an account and of its trust lines for these assets. */
export function holderKeys({ account, assets }: Holder): string[] {
  return [accountKey(account), ...assets.map((asset) => trustLineKey(account, asset))];
}

const LEDGER_ENTRY_TRUSTLINE = 1;
const PUBLIC_KEY_ED25519 = 0;
/** Entry type, account, and an asset with a code of twelve characters. */
const TRUST_LINE_KEY_BYTES = 4 + (4 + 32) + (4 + 12 + 4 + 32);

/** Returns the ledger key (base64) of a trust line. Written by hand, as `accountKey`: a payment of an issued asset reads two. */
export function trustLineKey(account: string, asset: Asset): string {
  const key = new XdrWriter(TRUST_LINE_KEY_BYTES).uint32(LEDGER_ENTRY_TRUSTLINE).uint32(PUBLIC_KEY_ED25519);
  writeAsset(key.opaque(publicKeyOf(account)), asset);
  return key.written().toString('base64');
}

/** One balance in a ledger entry. `asset` is an `assetKey`, or null for the native asset. */
export type EntryBalance = { account: string; asset: string | null; amount_stroops: bigint };

/** Reads the balance in an account entry or a trust line; null for entries of other kinds. */
export function balanceInEntry(entry: xdr.LedgerEntryData): EntryBalance | null {
  if (entry.type === 'account') {
    const { accountId, balance } = entry.account;
    return { account: accountOf(accountId.ed25519.value), asset: null, amount_stroops: balance };
  }
  if (entry.type !== 'trustline') return null;
  const { accountId, asset, balance } = entry.trustLine;
  const issued = issuedAssetOf(asset);
  const account = accountOf(accountId.ed25519.value);
  return issued && { account, asset: assetKey(issued), amount_stroops: balance };
}

/** Returns the issued asset of a trust line; null for a pool share. */
export function issuedAssetOf(asset: xdr.TrustLineAsset): Asset | null {
  if (asset.type !== 'assetTypeCreditAlphanum4' && asset.type !== 'assetTypeCreditAlphanum12') return null;
  const alpha = asset.type === 'assetTypeCreditAlphanum4' ? asset.alphaNum4 : asset.alphaNum12;
  const code = Buffer.from(alpha.assetCode.value).toString('latin1').replace(/\0+$/, '');
  return { code, issuer: accountOf(alpha.issuer.ed25519.value) };
}

/** Reads the balances of the holders. `entries` (base64 LedgerEntryData): all that exist of the `holderKeys`. */
export function balancesIn(holders: Holder[], entries: string[], ledger: number): Map<string, Balances> {
  const balances = new Map(holders.map(({ account }) => [account, noBalances(ledger)]));
  for (const entry of entries) {
    const balance = balanceInEntry(xdr.LedgerEntryData.fromXdr(entry, 'base64'));
    const own = balance && balances.get(balance.account);
    if (!own) throw new Error(`an entry that was not asked for: ${balance?.account ?? 'another kind'}`);
    if (balance.asset === null) own.native = balance.amount_stroops;
    else own.issued.set(balance.asset, balance.amount_stroops);
  }
  return balances;
}

/** Returns the balances of an account that does not exist. */
export function noBalances(ledger: number): Balances {
  return { ledger, native: null, issued: new Map() };
}
