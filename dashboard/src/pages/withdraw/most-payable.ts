/** Pure: the largest amount of an asset that a wallet can pay now. */
import type { AssetFields } from '../../text/asset.ts';

/** FEE_MAX_STROOPS unless the operator has set another: until a preview has said. */
const FEE_MAX_STROOPS = 100_000n;

/** All that is available; of the native asset less the dearest fee, which is paid in it. At least 0. */
export function mostPayable(
  { asset_issuer, available_stroops }: AssetFields & { available_stroops: bigint },
  fee_max_stroops = FEE_MAX_STROOPS,
): bigint {
  const most = asset_issuer === null ? available_stroops - fee_max_stroops : available_stroops;
  return most > 0n ? most : 0n;
}
