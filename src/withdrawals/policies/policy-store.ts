/** The only writer of wallet_policies. Pending changes are in the other table (change-store.ts). */
import { strict as assert } from 'node:assert';
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import { approvalsText, readApprovals } from './approval-rules.ts';
import { limitsText, readLimits } from './asset-limits.ts';
import { readChanges, replaceChanges } from './change-store.ts';
import { type Ending, endedChanges, recordEnded } from './ended-changes.ts';
import { NO_LIMITS, type Policy, type PolicyState } from './policies.ts';
import type { OperatorFreeze } from './policy-rules.ts';

const policyColumns = [
  'wallet_id',
  'frozen',
  'limits',
  'destinations',
  'approvals',
  'operator_frozen_at',
  'operator_freeze_reason',
] as const;
type PolicyRow = Pick<Selectable<Tables['wallet_policies']>, (typeof policyColumns)[number]>;

/** What the owner has set, and beside it whether the operator freezes the wallet. */
export type StoredPolicy = PolicyState & { operator_freeze: OperatorFreeze | null };

/** Of a wallet without a row. */
export const NO_POLICY: StoredPolicy = { policy: NO_LIMITS, pending: [], operator_freeze: null };

/** Reads the policy and its pending changes at one moment: a change is seen completely or not at all. */
export async function findPolicy(db: Db, wallet_id: string): Promise<StoredPolicy> {
  return (await findPolicies(db, [wallet_id])).get(wallet_id) ?? NO_POLICY;
}

/** Reads the policies of several wallets, with their pending changes, at one moment. Wallets without a row are left out. */
export async function findPolicies(db: Db, wallet_ids: string[]): Promise<Map<string, StoredPolicy>> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const rows = await trx
        .selectFrom('wallet_policies')
        .select(policyColumns)
        .where('wallet_id', '=', sql<string>`any(${wallet_ids}::text[])`)
        .execute();
      return withChanges(trx, rows);
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
  const rows = await trx
    .selectFrom('wallet_policies')
    .select(policyColumns)
    .where('wallet_id', 'in', wallet_ids)
    .orderBy('wallet_id')
    .forUpdate()
    .execute();
  // A statement of its own after the locks: only it sees the changes that this transaction has waited for.
  return withChanges(trx, rows);
}

async function withChanges(db: Db, rows: PolicyRow[]): Promise<Map<string, StoredPolicy>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ wallet_id }) => wallet_id);
  const pending = await readChanges(db, ids);
  return new Map(
    rows.map((row) => [
      row.wallet_id,
      {
        policy: policyOf(row),
        pending: pending.get(row.wallet_id) ?? [],
        operator_freeze: operatorFreezeOf(row),
      },
    ]),
  );
}

function policyOf({ frozen, limits, destinations, approvals }: PolicyRow): Policy {
  return { frozen, limits: readLimits(limits), destinations, approvals: readApprovals(approvals) };
}

function operatorFreezeOf(row: PolicyRow): OperatorFreeze | null {
  const { operator_frozen_at: frozen_at, operator_freeze_reason: reason } = row;
  return frozen_at && { frozen_at, reason };
}

type Changed = PolicyState & Partial<StoredPolicy> & Ending;

/**
 * Replaces the state by the result of `change`, which is called with the lock of the transaction held. Returns the new state. A result
 * without `operator_freeze` leaves the operator's freeze as it is. What becomes of changes that awaited approvals is kept.
 */
export async function updatePolicy(
  trx: Trx,
  wallet_id: string,
  change: (state: StoredPolicy) => Changed | Promise<Changed>,
): Promise<StoredPolicy> {
  const state = (await lockPolicies(trx, [wallet_id])).get(wallet_id);
  assert(state);
  const { policy, pending, operator_freeze = state.operator_freeze, ...ending } = await change(state);
  const { frozen, limits, destinations, approvals } = policy;
  const replaced = await trx
    .updateTable('wallet_policies')
    .set({
      frozen,
      limits: limitsText(limits),
      destinations,
      approvals: approvalsText(approvals),
      operator_frozen_at: operator_freeze?.frozen_at ?? null,
      operator_freeze_reason: operator_freeze?.reason ?? null,
    })
    .where('wallet_id', '=', wallet_id)
    .executeTakeFirst();
  assert.equal(replaced.numUpdatedRows, 1n, 'the policy is locked above');
  await replaceChanges(trx, wallet_id, { before: state.pending, after: pending });
  await recordEnded(trx, wallet_id, endedChanges(state.pending, pending, ending), ending.now);
  return { policy, pending, operator_freeze };
}
