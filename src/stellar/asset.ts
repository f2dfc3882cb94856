/** Pure: how assets are written. Source: stellar-core isAssetValid (src/util/types.cpp), SEP-23. */
import { StrKey } from './protocol/sdk.ts';
import type { Asset } from './stellar.ts';

/** As the columns and fields of an asset are named. The native asset is `native` without an issuer. */
export type AssetFields = { asset_code: string; asset_issuer: string | null };

export const NATIVE: AssetFields = { asset_code: 'native', asset_issuer: null };

const CODE = /^[A-Za-z0-9]{1,12}$/;

/** Returns true for 1 to 12 characters A–Z a–z 0–9. Upper and lower case differ. */
export function isAssetCode(text: string): boolean {
  return CODE.test(text);
}

/** Returns true for a G… address. */
export function isIssuer(text: string): boolean {
  return StrKey.isValidEd25519PublicKey(text);
}

/** Reads `native` or `CODE:ISSUER`; null for anything else. */
export function parseAsset(text: string): AssetFields | null {
  if (text === 'native') return NATIVE;
  const [code = '', issuer = '', ...more] = text.split(':');
  return more.length === 0 && isAssetCode(code) && isIssuer(issuer)
    ? { asset_code: code, asset_issuer: issuer }
    : null;
}

/** Writes `native` or `CODE:ISSUER`: as assets are written in paths and queries, and as keys of maps. */
export function assetText({ asset_code, asset_issuer }: AssetFields): string {
  return asset_issuer === null ? 'native' : `${asset_code}:${asset_issuer}`;
}

/** Returns the issued asset; null for the native one. */
export function issuedAsset({ asset_code, asset_issuer }: AssetFields): Asset | null {
  return asset_issuer === null ? null : { code: asset_code, issuer: asset_issuer };
}
