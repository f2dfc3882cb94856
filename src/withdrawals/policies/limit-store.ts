/**
 * The only writer of policy_limits and policy_limit_changes: the limits of issued assets, and pending changes that the
 * version before does not know. The limits of the native asset are in wallet_policies and policy_changes, where that
 * version reads and writes them. All are written with the lock of wallet_policies held.
 */
import { strict as assert } from 'node:assert';
import type { Db, Trx } from '../../db/database.ts';
import { NATIVE } from '../../stellar/asset.ts';
import { type AssetLimits, type LimitField, type Limits, limitOf, limitsOf } from './asset-limits.ts';
import type { PendingChange } from './policies.ts';

/** The native limits as columns of wallet_policies. */
export type NativeColumns = Record<LimitField, bigint | null> & { native_refused: boolean };

/** For the version before, which reads no `native_refused`: it refuses issued assets by these, and almost all native ones. */
const LEAST = { max_withdrawal_stroops: 1n, max_rolling_24h_stroops: 1n };

/** The limits of a wallet: the native ones from its row, the others from `issued`. */
export function limitsFrom(row: NativeColumns, issued: AssetLimits[]): Limits {
  const { native_refused, max_withdrawal_stroops, max_rolling_24h_stroops } = row;
  if (native_refused) return limitsOf(issued) ?? [];
  return limitsOf([{ ...NATIVE, max_withdrawal_stroops, max_rolling_24h_stroops }, ...issued]);
}

export function nativeColumns(limits: Limits): NativeColumns {
  const native = limitOf(limits, NATIVE);
  if (!native && limits !== null) return { ...LEAST, native_refused: true };
  const { max_withdrawal_stroops = null, max_rolling_24h_stroops = null } = native ?? {};
  return { max_withdrawal_stroops, max_rolling_24h_stroops, native_refused: false };
}

/** The limits of issued assets, by wallet. */
export async function readIssuedLimits(db: Db, wallet_ids: string[]): Promise<Map<string, AssetLimits[]>> {
  const rows = await db
    .selectFrom('policy_limits')
    .selectAll()
    .where('wallet_id', 'in', wallet_ids)
    .execute();
  const by_wallet = Map.groupBy(rows, ({ wallet_id }) => wallet_id);
  return new Map([...by_wallet].map(([id, own]) => [id, own.map(({ wallet_id: _, ...entry }) => entry)]));
}

export async function replaceIssuedLimits(trx: Trx, wallet_id: string, limits: Limits): Promise<void> {
  await trx.deleteFrom('policy_limits').where('wallet_id', '=', wallet_id).execute();
  const rows = (limits ?? []).flatMap(({ asset_issuer, ...entry }) =>
    asset_issuer === null ? [] : [{ ...entry, asset_issuer, wallet_id }],
  );
  if (rows.length > 0) await trx.insertInto('policy_limits').values(rows).execute();
}

type LimitChange = PendingChange & { field: LimitField | 'limits' };

/** Whether the change is kept here: what the version before does not know, or would apply to the native asset. */
export function isLimitChange(change: PendingChange): change is LimitChange {
  const { field, asset_issuer } = change;
  return field === 'limits' || (field.startsWith('max_') && asset_issuer !== null);
}

export async function insertLimitChanges(trx: Trx, wallet_id: string, changes: LimitChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ destination: _, approvals: __, request: ___, ...change }) => ({
    ...change,
    wallet_id,
  }));
  await trx.insertInto('policy_limit_changes').values(rows).execute();
}

export async function deleteLimitChanges(trx: Trx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const { numDeletedRows } = await trx
    .deleteFrom('policy_limit_changes')
    .where('id', 'in', ids)
    .executeTakeFirst();
  assert.equal(numDeletedRows, BigInt(ids.length), 'pending changes are read under the lock of their policy');
}
