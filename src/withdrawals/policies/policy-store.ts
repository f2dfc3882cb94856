/** The only writer of wallet_policies and policy_changes. */
import { strict as assert } from 'node:assert';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/database.ts';
import { NO_LIMITS, type PolicyState, type Spending } from './policies.ts';

const policyColumns = [
  'frozen',
  'max_withdrawal_stroops',
  'max_rolling_24h_stroops',
  'destinations',
] as const;
const changeColumns = [
  'id',
  'field',
  'limit_stroops',
  'destination',
  'created_at',
  'takes_effect_at',
] as const;

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
      const pending = await readChanges(trx, [wallet_id]);
      return { policy: policy ?? NO_LIMITS, pending: pending.get(wallet_id) ?? [] };
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
  // A statement of its own after the locks: only it sees the changes that this transaction has waited for.
  const pending = await readChanges(trx, wallet_ids);
  return new Map(
    policies.map(({ wallet_id, ...policy }) => [
      wallet_id,
      { policy, pending: pending.get(wallet_id) ?? [] },
    ]),
  );
}

async function readChanges(db: Db, wallet_ids: string[]): Promise<Map<string, PolicyState['pending']>> {
  const rows = await db
    .selectFrom('policy_changes')
    .select(['wallet_id', ...changeColumns])
    .where('wallet_id', 'in', wallet_ids)
    .orderBy('id')
    .execute();
  const byWallet = Map.groupBy(rows, ({ wallet_id }) => wallet_id);
  return new Map(
    [...byWallet].map(([wallet_id, changes]) => [
      wallet_id,
      changes.map(({ wallet_id: _, ...rest }) => rest),
    ]),
  );
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
    const replaced = await trx
      .updateTable('wallet_policies')
      .set(policy)
      .where('wallet_id', '=', wallet_id)
      .executeTakeFirst();
    assert.equal(replaced.numUpdatedRows, 1n, 'the policy is locked above');
    const kept = new Set(pending.map(({ id }) => id));
    const gone = state.pending.map(({ id }) => id).filter((id) => !kept.has(id));
    if (gone.length > 0) await deleteChanges(trx, gone);
    const known = new Set(state.pending.map(({ id }) => id));
    const added = pending.filter(({ id }) => !known.has(id)).map((row) => ({ ...row, wallet_id }));
    if (added.length > 0) await trx.insertInto('policy_changes').values(added).execute();
    return { policy, pending };
  });
}

async function deleteChanges(trx: Trx, ids: string[]): Promise<void> {
  const { numDeletedRows } = await trx.deleteFrom('policy_changes').where('id', 'in', ids).executeTakeFirst();
  assert.equal(numDeletedRows, BigInt(ids.length), 'pending changes are read under the lock of their policy');
}

/**
 * The sum, in stroops, of the wallet's native withdrawals after `since` that are not failed. `except`: ids of those that are
 * being checked.
 */
export async function sumSpent(
  db: Db,
  wallet_id: string,
  since: Date,
  except: string[] = [],
): Promise<bigint> {
  const { total } = await spent(db, wallet_id, since, except)
    .select(sql<bigint>`coalesce(sum(amount_stroops), 0)`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** The same withdrawals one by one, oldest first. */
export async function listSpent(
  db: Db,
  wallet_id: string,
  since: Date,
  except: string[] = [],
): Promise<Spending[]> {
  return spent(db, wallet_id, since, except)
    .select(['created_at', 'amount_stroops'])
    .orderBy('created_at')
    .execute();
}

function spent(db: Db, wallet_id: string, since: Date, except: string[]) {
  return db
    .selectFrom('withdrawals')
    .where('wallet_id', '=', wallet_id)
    .where('created_at', '>', since)
    .where('status', '<>', 'failed')
    .where('asset_issuer', 'is', null)
    .where(sql<boolean>`id <> all(${except}::text[])`);
}
