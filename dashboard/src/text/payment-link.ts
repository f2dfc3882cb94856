/** Pure: SEP-7 payment links. */
import type { AssetFields } from './asset.ts';

/**
 * The link of a deposit address, for payments of `asset`. A link that names no asset asks for the native one (SEP-7,
 * operation pay: asset_code and asset_issuer). The links of the API are not signed, so parameters may be added.
 */
export function paymentLink(uri: string, { asset_code, asset_issuer }: AssetFields): string {
  if (asset_issuer === null) return uri;
  return `${uri}&asset_code=${encodeURIComponent(asset_code)}&asset_issuer=${asset_issuer}`;
}
