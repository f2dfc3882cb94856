import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AssetFields } from '../stellar/asset.ts';

/** Returns the condition that a row of one of the wallet's views is of this asset. */
export function isOf({ asset_code, asset_issuer }: AssetFields): RawBuilder<SqlBool> {
  return sql`(asset_code = ${asset_code} and asset_issuer is not distinct from ${asset_issuer})`;
}
