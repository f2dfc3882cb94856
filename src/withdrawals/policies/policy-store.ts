/** The only writer of wallet_policies and policy_changes. */
import { strict as assert } from 'node:assert';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { approvalsText, readApprovals } from './approval-rules.ts';
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
import type { OperatorFreeze } from './policy-rules.ts';
import { isRequested, readRequests, replaceRequests } from './request-store.ts';

const policyColumns = [
  'frozen',
  'max_withdrawal_stroops',
  'max_rolling_24h_stroops',
  'native_refused',
  'destinations',
  'owner_frozen',
  'operator_frozen_at',
  'operator_freeze_reason',
  'approvals',
] as const;
type PolicyRow = Pick<Policy, 'frozen' | 'destinations'> &
  NativeColumns &
  OperatorColumns & { approvals: unknown };
type OperatorColumns = {
  owner_frozen: boolean;
  operator_frozen_at: Date | null;
  operator_freeze_reason: string | null;
};

/** What the owner has set, and beside it whether the operator freezes the wallet. */
export type StoredPolicy = PolicyState & { operator_freeze: OperatorFreeze | null };

/** Of a wallet without a row. */
export const NO_POLICY: StoredPolicy = { policy: NO_LIMITS, pending: [], operator_freeze: null };

/** The policy and its pending changes at one moment: a change is seen completely or not at all. */
export async function findPolicy(db: Db, wallet_id: string): Promise<StoredPolicy> {
  return (await findPolicies(db, [wallet_id])).get(wallet_id) ?? NO_POLICY;
}

/** The same of several wallets. Those without a row are left out. */
export async function findPolicies(db: Db, wallet_ids: string[]): Promise<Map<string, StoredPolicy>> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const policies = await trx
        .selectFrom('wallet_policies')
        .select(['wallet_id', ...policyColumns])
        .where('wallet_id', '=', sql<string>`any(${wallet_ids}::text[])`)
        .execute();
      return withLimits(trx, policies);
    });
}

/**
 * Locks the policies of these wallets until the transaction ends: a claim waits for a change under way, and a change waits
 * for claims under way. Missing rows are inserted first. Both happen in one order, so that there is no deadlock.
 */
export async function lockPolicies(trx: Trx, wallet_ids: string[]): Promise<Map<string, StoredPolicy>> {
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
): Promise<Map<string, StoredPolicy>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ wallet_id }) => wallet_id);
  const issued = await readIssuedLimits(db, ids);
  const pending = await readChanges(db, ids);
  const requests = await readRequests(db, ids);
  return new Map(
    rows.map(({ wallet_id, ...row }) => [
      wallet_id,
      {
        policy: policyOf(row, issued.get(wallet_id) ?? []),
        pending: [...(pending.get(wallet_id) ?? []), ...(requests.get(wallet_id) ?? [])].sort(byId),
        operator_freeze: operatorFreezeOf(row),
      },
    ]),
  );
}

const byId = (one: PendingChange, other: PendingChange) => (one.id < other.id ? -1 : 1);

function policyOf(row: PolicyRow, issued: AssetLimits[]): Policy {
  const { operator_frozen_at, owner_frozen, destinations } = row;
  const approvals = readApprovals(row.approvals);
  const frozen = operator_frozen_at === null && approvals === null ? row.frozen : owner_frozen;
  return { frozen, limits: limitsFrom(row, issued), destinations, approvals };
}

function operatorFreezeOf(row: OperatorColumns): OperatorFreeze | null {
  const { operator_frozen_at: frozen_at, operator_freeze_reason: reason } = row;
  return frozen_at && { frozen_at, reason };
}

/**
 * `frozen` is true while either has frozen the wallet, and while it asks for approvals: older versions know no other column,
 * so they refuse its withdrawals.
 */
function frozenColumns({ frozen, approvals }: Policy, operator_freeze: OperatorFreeze | null) {
  return {
    frozen: frozen || operator_freeze !== null || approvals !== null,
    owner_frozen: frozen,
    operator_frozen_at: operator_freeze?.frozen_at ?? null,
    operator_freeze_reason: operator_freeze?.reason ?? null,
  };
}

/** The pending changes that need no approvals, of both tables. */
async function readChanges(db: Db, wallet_ids: string[]): Promise<Map<string, PendingChange[]>> {
  const { rows } = await sql<Omit<PendingChange, 'approvals' | 'request'> & { wallet_id: string }>`
    select wallet_id, id, field, case when field like 'max_%' then 'native' end asset_code, null asset_issuer,
           limit_stroops, null::bigint max_withdrawal_stroops, null::bigint max_rolling_24h_stroops, destination,
           created_at, takes_effect_at
      from policy_changes where wallet_id = any(${wallet_ids}::text[])
    union all
    select wallet_id, id, field, asset_code, asset_issuer, limit_stroops, max_withdrawal_stroops,
           max_rolling_24h_stroops, null, created_at, takes_effect_at
      from policy_limit_changes where wallet_id = any(${wallet_ids}::text[])
  `.execute(db);
  const by_wallet = Map.groupBy(rows, ({ wallet_id }) => wallet_id);
  const plain = { approvals: null, request: null };
  return new Map(
    [...by_wallet].map(([id, own]) => [
      id,
      own.map(({ wallet_id: _, ...change }) => ({ ...change, ...plain })),
    ]),
  );
}

/**
 * Replaces the state by the result of `change`, which is called with the lock of the transaction held. Returns the new state. A result
 * without `operator_freeze` leaves the operator's freeze as it is.
 */
export async function updatePolicy(
  trx: Trx,
  wallet_id: string,
  change: (state: StoredPolicy) => PolicyState & Partial<StoredPolicy>,
): Promise<StoredPolicy> {
  const state = (await lockPolicies(trx, [wallet_id])).get(wallet_id);
  assert(state);
  const { policy, pending, operator_freeze = state.operator_freeze } = change(state);
  const { destinations, limits, approvals } = policy;
  const replaced = await trx
    .updateTable('wallet_policies')
    .set({
      ...frozenColumns(policy, operator_freeze),
      destinations,
      ...nativeColumns(limits),
      approvals: approvalsText(approvals),
      version: sql`version + 1`,
    })
    .where('wallet_id', '=', wallet_id)
    .executeTakeFirst();
  assert.equal(replaced.numUpdatedRows, 1n, 'the policy is locked above');
  await replaceIssuedLimits(trx, wallet_id, limits);
  await replaceRequests(trx, wallet_id, pending.filter(isRequested));
  const kept = new Set(pending.map(({ id }) => id));
  await deleteChanges(
    trx,
    state.pending.filter((change) => !kept.has(change.id) && !isRequested(change)),
  );
  const known = new Set(state.pending.map(({ id }) => id));
  await insertChanges(
    trx,
    wallet_id,
    pending.filter((change) => !known.has(change.id) && !isRequested(change)),
  );
  return { policy, pending, operator_freeze };
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
): change is PendingChange & { field: Exclude<PendingChange['field'], 'limits' | 'approvals'> } {
  return !isLimitChange(change);
}
