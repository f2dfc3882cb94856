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

/** As of one moment: no half of a change is seen. */
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
 * The policies of these wallets, locked until the transaction ends, a wallet without one too: whoever is judged waits
 * for a change under way, and a change for whoever is being judged. Rows that are missing are made before any is
 * locked, and both in one order: two transactions never wait for each other.
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
  // After the locks, in a statement of its own: only what is read now has seen the changes that we waited for.
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

/** Replaces the state by what `change` makes of it, under its lock; `change` is called with the lock held. */
export async function updatePolicy(
  db: Db,
  wallet_id: string,
  change: (state: PolicyState) => PolicyState,
): Promise<PolicyState> {
  return db.transaction().execute(async (trx) => {
    const state = (await lockPolicies(trx, [wallet_id])).get(wallet_id);
    assert(state);
    const { policy, pending } = change(state);
    await trx.updateTable('wallet_policies').set(policy).where('wallet_id', '=', wallet_id).execute();
    const kept = new Set(pending.map(({ id }) => id));
    const gone = state.pending.map(({ id }) => id).filter((id) => !kept.has(id));
    if (gone.length > 0) await trx.deleteFrom('policy_changes').where('id', 'in', gone).execute();
    const known = new Set(state.pending.map(({ id }) => id));
    const added = pending.filter(({ id }) => !known.has(id)).map((row) => ({ ...row, wallet_id }));
    if (added.length > 0) await trx.insertInto('policy_changes').values(added).execute();
    return { policy, pending };
  });
}

/**
 * The sum of what counts into the wallet's rolling window: withdrawals made after `since` that are paid or still may be.
 * `except` are those that are being judged.
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

/** The same one by one, oldest first. */
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
    .where(sql<boolean>`id <> all(${except}::text[])`);
}
