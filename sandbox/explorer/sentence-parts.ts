import { StrKey, type xdr } from '@stellar/stellar-sdk/base';
import { accountAddress, muxedAddress } from '../horizon/addresses.ts';

/**
 * A part of a sentence that the page shows. Names, memos and asset codes in a ledger are chosen by strangers, so
 * they stay data until the browser puts them into text nodes.
 */
export type Part =
  | string
  | { account: string }
  | { amount: string; asset: string; issuer: string | null }
  | { text: string }
  | { id: string };

const STROOPS_PER_UNIT = 10_000_000n;

/** Stroops as a decimal number without trailing zeros: `12.5`. */
export function units(stroops: bigint): string {
  const sign = stroops < 0n ? '-' : '';
  const magnitude = stroops < 0n ? -stroops : stroops;
  const fraction = (magnitude % STROOPS_PER_UNIT).toString().padStart(7, '0').replace(/0+$/, '');
  const whole = (magnitude / STROOPS_PER_UNIT).toString();
  return sign + (fraction === '' ? whole : `${whole}.${fraction}`);
}

/** G…, or M… when the account is muxed. */
export function addressOf(account: xdr.MuxedAccountWire): string {
  return account.type === 0 ? accountAddress(account) : muxedAddress(account.med25519);
}

export function publicKeyAddress({ ed25519 }: { ed25519: Uint8Array }): string {
  return StrKey.encodeEd25519PublicKey(Buffer.from(ed25519));
}

export function accountPart(account: xdr.MuxedAccountWire | xdr.PublicKeyWire): Part {
  return { account: account.type === 0 ? publicKeyAddress(account) : addressOf(account) };
}

type AnyAsset = xdr.AssetWire | xdr.ChangeTrustAssetWire | xdr.TrustLineAssetWire;

/** Code and issuer. The native asset and shares of liquidity pools have none. */
export function assetOf(asset: AnyAsset): { asset: string; issuer: string | null } {
  if (asset.type === 0) return { asset: 'XLM', issuer: null };
  if (asset.type === 3) return { asset: 'pool shares', issuer: null };
  const { assetCode, issuer } = asset.type === 1 ? asset.alphaNum4 : asset.alphaNum12;
  return { asset: codeText(assetCode), issuer: publicKeyAddress(issuer) };
}

export function codeText(code: Uint8Array): string {
  return visible(Buffer.from(code).toString('latin1').replace(/\0+$/, ''));
}

export function amountPart(stroops: bigint, asset: xdr.AssetWire = { type: 0 }): Part {
  return { amount: units(stroops), ...assetOf(asset) };
}

export function assetPart(asset: AnyAsset): Part {
  return { amount: '', ...assetOf(asset) };
}

export function textPart(text: { toString(): string }): Part {
  return { text: visible(text.toString()) };
}

/**
 * Writes out characters that are invisible or change how the following text reads (controls, bidirectional marks).
 */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (mark) => `\\u{${mark.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}
