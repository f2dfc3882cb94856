/** The only writer of wallet_policies and policy_changes. */
import { strict as assert } from 'node:assert';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import type { AssetLimits } from './asset-limits.ts';
import {
  deleteLimitChanges,
  insertLimitChanges,
  isLimitChange,
  limitsFrom,
  type NativeColumns,
  nativeColumns,
  readIssuedLimits,
  replaceIssuedLimits,
} from './limit-store.ts';
import { NO_LIMITS, type PendingChange, type Policy, type PolicyState } from './policies.ts';

const policyColumns = [
  'frozen',
  'max_withdrawal_stroops',
  'max_rolling_24h_stroops',
  'native_refused',
  'destinations',
] as const;
type PolicyRow = Pick<Policy, 'frozen' | 'destinations'> & NativeColumns;

/** The policy and its pending changes at one moment: a change is seen completely or not at all. */
export async function findPolicy(db: Db, wallet_id: string): Promise<PolicyState> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const policy = await trx
        .selectFrom('wallet_policies')
        .select(policyColumns)
        .where('wallet_id', '=', wallet_id)
        .executeTakeFirst();
      const states = await withLimits(trx, policy ? [{ ...policy, wallet_id }] : []);
      return states.get(wallet_id) ?? { policy: NO_LIMITS, pending: [] };
    });
}

/**
 * Locks the policies of these wallets until the transaction ends: a claim waits for a change under way, and a change waits
 * for claims under way. Missing rows are inserted first. Both happen in one order, so that there is no deadlock.
 */
export async function lockPolicies(trx: Trx, wallet_ids: string[]): Promise<Map<string, PolicyState>> {
  await sql`
    insert into wallet_policies (wallet_id)
    select id from unnest(${wallet_ids}::text[]) id
     where not exists (select from wallet_policies where wallet_id = id)
     order by id collate "C"
    on conflict do nothing
  `.execute(trx);
  const policies = await trx
    .selectFrom('wallet_policies')
    .select(['wallet_id', ...policyColumns])
    .where('wallet_id', 'in', wallet_ids)
    .orderBy('wallet_id')
    .forUpdate()
    .execute();
  // Statements of their own after the locks: only they see the changes that this transaction has waited for.
  return withLimits(trx, policies);
}

async function withLimits(
  db: Db,
  rows: (PolicyRow & { wallet_id: string })[],
): Promise<Map<string, PolicyState>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ wallet_id }) => wallet_id);
  const issued = await readIssuedLimits(db, ids);
  const pending = await readChanges(db, ids);
  return new Map(
    rows.map(({ wallet_id, ...row }) => [
      wallet_id,
      { policy: policyOf(row, issued.get(wallet_id) ?? []), pending: pending.get(wallet_id) ?? [] },
    ]),
  );
}

function policyOf({ frozen, destinations, ...native }: PolicyRow, issued: AssetLimits[]): Policy {
  return { frozen, limits: limitsFrom(native, issued), destinations };
}

/** The pending changes of both tables, in the order in which they were made. */
async function readChanges(db: Db, wallet_ids: string[]): Promise<Map<string, PendingChange[]>> {
  const { rows } = await sql<PendingChange & { wallet_id: string }>`
    select wallet_id, id, field, case when field like 'max_%' then 'native' end asset_code, null asset_issuer,
           limit_stroops, null::bigint max_withdrawal_stroops, null::bigint max_rolling_24h_stroops, destination,
           created_at, takes_effect_at
      from policy_changes where wallet_id = any(${wallet_ids}::text[])
    union all
    select wallet_id, id, field, asset_code, asset_issuer, limit_stroops, max_withdrawal_stroops,
           max_rolling_24h_stroops, null, created_at, takes_effect_at
      from policy_limit_changes where wallet_id = any(${wallet_ids}::text[])
     order by id
  `.execute(db);
  const by_wallet = Map.groupBy(rows, ({ wallet_id }) => wallet_id);
  return new Map([...by_wallet].map(([id, own]) => [id, own.map(({ wallet_id: _, ...change }) => change)]));
}

/** Replaces the state by the result of `change`, which is called with the lock held. Returns the new state. */
export async function updatePolicy(
  db: Db,
  wallet_id: string,
  change: (state: PolicyState) => PolicyState,
): Promise<PolicyState> {
  return db.transaction().execute(async (trx) => {
    const state = (await lockPolicies(trx, [wallet_id])).get(wallet_id);
    assert(state);
    const { policy, pending } = change(state);
    const { frozen, destinations, limits } = policy;
    const replaced = await trx
      .updateTable('wallet_policies')
      .set({ frozen, destinations, ...nativeColumns(limits) })
      .where('wallet_id', '=', wallet_id)
      .executeTakeFirst();
    assert.equal(replaced.numUpdatedRows, 1n, 'the policy is locked above');
    await replaceIssuedLimits(trx, wallet_id, limits);
    const kept = new Set(pending.map(({ id }) => id));
    await deleteChanges(
      trx,
      state.pending.filter(({ id }) => !kept.has(id)),
    );
    const known = new Set(state.pending.map(({ id }) => id));
    await insertChanges(
      trx,
      wallet_id,
      pending.filter(({ id }) => !known.has(id)),
    );
    return { policy, pending };
  });
}

async function insertChanges(trx: Trx, wallet_id: string, changes: PendingChange[]): Promise<void> {
  await insertLimitChanges(trx, wallet_id, changes.filter(isLimitChange));
  const rows = changes.filter(isPolicyChange).map((change) => {
    const { id, field, limit_stroops, destination, created_at, takes_effect_at } = change;
    return { id, wallet_id, field, limit_stroops, destination, created_at, takes_effect_at };
  });
  if (rows.length > 0) await trx.insertInto('policy_changes').values(rows).execute();
}

async function deleteChanges(trx: Trx, changes: PendingChange[]): Promise<void> {
  await deleteLimitChanges(
    trx,
    changes.filter(isLimitChange).map(({ id }) => id),
  );
  const ids = changes.filter(isPolicyChange).map(({ id }) => id);
  if (ids.length === 0) return;
  const { numDeletedRows } = await trx.deleteFrom('policy_changes').where('id', 'in', ids).executeTakeFirst();
  assert.equal(numDeletedRows, BigInt(ids.length), 'pending changes are read under the lock of their policy');
}

/** Whether the change is kept in policy_changes. Changes of a native limit are, with the columns that they change. */
function isPolicyChange(
  change: PendingChange,
): change is PendingChange & { field: Exclude<PendingChange['field'], 'limits'> } {
  return !isLimitChange(change);
}
