import { xdr } from '@stellar/stellar-sdk/base';
import { hex, sha256 } from '../ledger/bytes.ts';
import { publicKey } from '../ledger/entry.ts';
import { accountAddress } from './addresses.ts';

const TYPES = { 1: 'credit_alphanum4', 2: 'credit_alphanum12' } as const;

/** `asset_type`, and of an issued asset `asset_code` and `asset_issuer`, each behind the prefix (`source_`, …). */
export function assetFields(asset: xdr.AssetWire, prefix = ''): Record<string, string> {
  if (asset.type === 0) return { [`${prefix}asset_type`]: 'native' };
  const { assetCode, issuer } = asset.type === 1 ? asset.alphaNum4 : asset.alphaNum12;
  return {
    [`${prefix}asset_type`]: TYPES[asset.type],
    [`${prefix}asset_code`]: codeText(assetCode),
    [`${prefix}asset_issuer`]: accountAddress(issuer),
  };
}

/** As assetFields, for a line of trust, which may also be one in a liquidity pool's shares. */
export function lineFields(line: xdr.ChangeTrustAssetWire): Record<string, string> {
  if (line.type !== 3) return assetFields(line);
  const id = sha256(xdr.LiquidityPoolParameters.schema.encode(line.liquidityPool));
  return { asset_type: 'liquidity_pool_shares', liquidity_pool_id: hex(id) };
}

/** `native` or `CODE:ISSUER` (SEP-11). */
export function canonicalAsset(asset: xdr.AssetWire): string {
  if (asset.type === 0) return 'native';
  const { assetCode, issuer } = asset.type === 1 ? asset.alphaNum4 : asset.alphaNum12;
  return `${codeText(assetCode)}:${accountAddress(issuer)}`;
}

/** The asset that an issuer means by a bare code, as in allow_trust. */
export function assetOfCode(code: xdr.AssetCodeWire, ed25519: Uint8Array): xdr.AssetWire {
  const issuer = publicKey(ed25519);
  if (code.type === 1) return { type: 1, alphaNum4: { assetCode: code.assetCode4, issuer } };
  return { type: 2, alphaNum12: { assetCode: code.assetCode12, issuer } };
}

/** Codes are padded with zero bytes. */
function codeText(code: Uint8Array): string {
  return Buffer.from(code).toString('latin1').replace(/\0+$/, '');
}
