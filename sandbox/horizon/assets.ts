import { xdr } from '@stellar/stellar-sdk/base';
import { assetText } from '../ledger/asset.ts';
import { hex, sha256 } from '../ledger/bytes.ts';
import { publicKey } from '../ledger/entry.ts';

const TYPES = { 1: 'credit_alphanum4', 2: 'credit_alphanum12' } as const;

/**
 * `asset_type`, and for an issued asset `asset_code` and `asset_issuer`. Each name starts with the prefix
 * (`source_`, …).
 */
export function assetFields(asset: xdr.AssetWire, prefix = ''): Record<string, string> {
  if (asset.type === 0) return { [`${prefix}asset_type`]: 'native' };
  const [code = '', issuer = ''] = assetText(asset).split(':');
  return {
    [`${prefix}asset_type`]: TYPES[asset.type],
    [`${prefix}asset_code`]: code,
    [`${prefix}asset_issuer`]: issuer,
  };
}

/** Like assetFields, for the asset of a trust line, which may also be shares of a liquidity pool. */
export function lineFields(line: xdr.ChangeTrustAssetWire): Record<string, string> {
  if (line.type !== 3) return assetFields(line);
  const id = sha256(xdr.LiquidityPoolParameters.schema.encode(line.liquidityPool));
  return { asset_type: 'liquidity_pool_shares', liquidity_pool_id: hex(id) };
}

/** The asset that an issuer names by its code alone, as in allow_trust. */
export function assetOfCode(code: xdr.AssetCodeWire, ed25519: Uint8Array): xdr.AssetWire {
  const issuer = publicKey(ed25519);
  if (code.type === 1) return { type: 1, alphaNum4: { assetCode: code.assetCode4, issuer } };
  return { type: 2, alphaNum12: { assetCode: code.assetCode12, issuer } };
}
