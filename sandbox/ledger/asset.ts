import { StrKey, type xdr } from '@stellar/stellar-sdk/base';
import { sameBytes } from './bytes.ts';

export type Asset = xdr.AssetWire;
export type IssuedAsset = Exclude<Asset, { type: 0 }>;

export const NATIVE: Asset = { type: 0 };

export function issuerOf(asset: IssuedAsset): Uint8Array;
export function issuerOf(asset: Asset): Uint8Array | undefined;
export function issuerOf(asset: Asset): Uint8Array | undefined {
  if (asset.type === 0) return undefined;
  return asset.type === 1 ? asset.alphaNum4.issuer.ed25519 : asset.alphaNum12.issuer.ed25519;
}

export function isIssuer(asset: Asset, ed25519: Uint8Array): boolean {
  const issuer = issuerOf(asset);
  return issuer !== undefined && sameBytes(issuer, ed25519);
}

/** The code as in XDR: filled with zeros to 4 or 12 bytes. */
export function codeOf(asset: IssuedAsset): Uint8Array {
  return asset.type === 1 ? asset.alphaNum4.assetCode : asset.alphaNum12.assetCode;
}

export function sameAsset(a: Asset, b: Asset): boolean {
  if (a.type === 0 || b.type === 0) return a.type === b.type;
  return a.type === b.type && sameBytes(codeOf(a), codeOf(b)) && sameBytes(issuerOf(a), issuerOf(b));
}

/**
 * Letters and digits, followed by zeros only. Codes of five or more characters have the longer form (stellar-core,
 * isAssetValid).
 */
export function isValidAsset(asset: Asset): boolean {
  if (asset.type === 0) return true;
  const code = Buffer.from(codeOf(asset)).toString('latin1');
  return asset.type === 1 ? /^[0-9a-zA-Z]{1,4}\0*$/.test(code) : /^[0-9a-zA-Z]{5,12}\0*$/.test(code);
}

/** `native` or `CODE:ISSUER` (SEP-11). */
export function assetText(asset: Asset): string {
  if (asset.type === 0) return 'native';
  const code = Buffer.from(codeOf(asset)).toString('latin1').replace(/\0+$/, '');
  return `${code}:${StrKey.encodeEd25519PublicKey(issuerOf(asset))}`;
}
