/**
 * The budget of a team: what the treasury pays for it in 24 hours at most. Without a budget one team could empty what pays for
 * all teams.
 *
 * | a row of the team that                       | counts as                                                        |
 * |----------------------------------------------|------------------------------------------------------------------|
 * | has no outcome yet                           | what the treasury was to pay when it was asked for, or its bid   |
 * |                                              | where that is more                                               |
 * | added a trust line                           | fee and reserve, whether or not the reserve comes back that day  |
 * | has another outcome that is in a ledger      | the fee that the treasury was charged, or a channel that it fills|
 * | has failed, and is in no ledger              | nothing                                                          |
 *
 * A row counts for 24 hours from its claim, or from its last approval. A budget refuses new orders only: what was accepted is
 * paid. So the fee-bumps of accepted rows may exceed a budget.
 *
 * The check is in the transaction that claims the key, with the budgets of the teams locked: concurrent claims, on any number
 * of processes, are checked one after the other.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Db, Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { stroopsInWords } from '../../lib/stroops.ts';
import type { Violation } from '../engine/hooks.ts';
import type { NewWithdrawal } from '../engine/store.ts';

/** An order that is to be claimed. `treasury_stroops`: what the treasury would pay for it; null or absent: nothing. */
export type BudgetOrder = Pick<NewWithdrawal, 'id' | 'owner_id' | 'treasury_stroops'>;

type Settings = Pick<Config, 'treasury_team_daily_stroops'>;
/** `except`: ids of the rows that are being checked. */
type Spent = { since: Date; except: string[] };

/**
 * Returns for each order why its team's budget refuses it, or null. The orders are checked in turn: one that is not refused
 * counts for the orders after it. Locks the budgets until the transaction ends, those of `teams_to_lock` too.
 */
export async function checkTreasuryBudgets(
  trx: Trx,
  config: Settings,
  orders: BudgetOrder[],
  now: Date,
  teams_to_lock: readonly string[] = [],
): Promise<(Violation | null)[]> {
  const paid = orders.filter(({ treasury_stroops }) => treasury_stroops);
  const teams = [...new Set([...paid.map(({ owner_id }) => owner_id), ...teams_to_lock])].sort();
  if (teams.length === 0) return orders.map(() => null);
  const budgets = await lockBudgets(trx, teams);
  const spent = { since: windowStart(now), except: orders.map(({ id }) => id) };
  const used = await sumSpent(trx, teams, spent);
  const violations: (Violation | null)[] = [];
  for (const { owner_id, treasury_stroops } of orders) {
    const needed_stroops = treasury_stroops ?? 0n;
    const budget_stroops = budgets.get(owner_id) ?? config.treasury_team_daily_stroops;
    const used_stroops = used.get(owner_id) ?? 0n;
    const fits = needed_stroops === 0n || used_stroops + needed_stroops <= budget_stroops;
    if (fits) used.set(owner_id, used_stroops + needed_stroops);
    const broken = { owner_id, needed_stroops, used_stroops, budget_stroops };
    // The orders themselves are the newest rows. So they change nothing about when the oldest ones make room.
    violations.push(fits ? null : await explain(trx, broken, { ...spent, except: [] }));
  }
  return violations;
}

/**
 * Returns why the team's budget would refuse an order now, or null. Locks nothing: the budget may have less left when the order
 * is claimed.
 */
export async function foreseeTreasuryBudget(
  { db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>,
  { owner_id, treasury_stroops }: Omit<BudgetOrder, 'id'>,
): Promise<Violation | null> {
  if (!treasury_stroops) return null;
  const spent = { since: windowStart(clock.now()), except: [] };
  const [used, budgets] = await Promise.all([sumSpent(db, [owner_id], spent), readBudgets(db, [owner_id])]);
  const used_stroops = used.get(owner_id) ?? 0n;
  const budget_stroops = budgets.get(owner_id) ?? config.treasury_team_daily_stroops;
  if (used_stroops + treasury_stroops <= budget_stroops) return null;
  return explain(db, { owner_id, needed_stroops: treasury_stroops, used_stroops, budget_stroops }, spent);
}

function windowStart(now: Date): Date {
  return new Date(now.getTime() - DAY_MS);
}

// budgets

/** Budgets of teams that have one of their own. A statement of its own makes missing rows, so that each team's row can be locked. */
async function lockBudgets(trx: Trx, team_ids: string[]): Promise<Map<string, bigint>> {
  await sql`
    insert into treasury_budgets (team_id)
    select id from unnest(${team_ids}::text[]) id
     where not exists (select from treasury_budgets where team_id = id)
     order by id collate "C"
    on conflict do nothing
  `.execute(trx);
  const rows = await trx
    .selectFrom('treasury_budgets')
    .selectAll()
    .where('team_id', 'in', team_ids)
    .orderBy('team_id')
    .forUpdate()
    .execute();
  return ownBudgets(rows);
}

async function readBudgets(db: Db, team_ids: string[]): Promise<Map<string, bigint>> {
  return ownBudgets(
    await db.selectFrom('treasury_budgets').selectAll().where('team_id', 'in', team_ids).execute(),
  );
}

function ownBudgets(rows: { team_id: string; daily_stroops: bigint | null }[]): Map<string, bigint> {
  return new Map(
    rows.flatMap(({ team_id, daily_stroops }) => (daily_stroops === null ? [] : [[team_id, daily_stroops]])),
  );
}

/** Sets the budget of a team, in stroops for 24 hours; null: the one of all teams again. */
export async function setTreasuryBudget(
  db: Db,
  team_id: string,
  daily_stroops: bigint | null,
): Promise<void> {
  await db
    .insertInto('treasury_budgets')
    .values({ team_id, daily_stroops })
    .onConflict((conflict) => conflict.column('team_id').doUpdateSet({ daily_stroops }))
    .execute();
}

export type TeamSpending = { team_id: string; used_stroops: bigint; budget_stroops: bigint };

/** Returns the teams for which the treasury has paid most in the last 24 hours, and what each may have. */
export async function listTreasurySpending(
  db: Db,
  config: Settings,
  { now, limit }: { now: Date; limit: number },
): Promise<TeamSpending[]> {
  const { rows } = await sql<TeamSpending>`
    select owner_id as team_id, sum(stroops)::bigint as used_stroops,
           coalesce(max(daily_stroops), ${config.treasury_team_daily_stroops}::bigint) as budget_stroops
      from (${spendingOf(sql`true`, { since: windowStart(now), except: [] })}) as spending
      left join treasury_budgets on team_id = owner_id
     group by owner_id
     order by used_stroops desc, owner_id limit ${limit}
  `.execute(db);
  return rows;
}

// what was spent

/** Selects one row of `owner_id`, `at` and `stroops` for each row of these teams that counts. */
function spendingOf(of_teams: RawBuilder<unknown>, { since, except }: Spent): RawBuilder<unknown> {
  return sql`
    select owner_id, coalesce(approved_at, created_at) as at,
           case when operation = 'add_trust_line' and status <> 'failed' then treasury_stroops
                when ledger is not null then case when fee_paid_by in ('treasury', 'channel') then fee_charged_stroops else 0 end
                when status = 'failed' then 0
                else greatest(treasury_stroops, fee_bid_stroops) end as stroops
      from withdrawals
     where ${of_teams} and treasury_stroops is not null and coalesce(approved_at, created_at) > ${since}
       and id <> all(${except}::text[])`;
}

const ofTeams = (team_ids: string[]) => sql`owner_id = any(${team_ids}::text[])`;

async function sumSpent(db: Db, team_ids: string[], spent: Spent): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ owner_id: string; stroops: bigint }>`
    select owner_id, sum(stroops)::bigint as stroops from (${spendingOf(ofTeams(team_ids), spent)}) as spending
     group by owner_id
  `.execute(db);
  return new Map(rows.map(({ owner_id, stroops }) => [owner_id, stroops]));
}

type Broken = {
  owner_id: string;
  needed_stroops: bigint;
  used_stroops: bigint;
  budget_stroops: bigint;
};

async function explain(
  db: Db,
  { owner_id, needed_stroops, used_stroops, budget_stroops }: Broken,
  spent: Spent,
): Promise<Violation> {
  const left = used_stroops < budget_stroops ? budget_stroops - used_stroops : 0n;
  const never = needed_stroops > budget_stroops;
  const missing_stroops = used_stroops + needed_stroops - budget_stroops;
  const freed_at = never ? null : await whenFreed(db, owner_id, missing_stroops, spent);
  const possible = freed_at
    ? `this is possible from ${freed_at.toISOString()} on, if nothing else is paid until then`
    : 'ask again later';
  const when = never ? 'this is more than the budget itself' : possible;
  const message =
    `The operator of the service pays fees and reserves for your team, up to ${stroopsInWords(budget_stroops)} in 24 hours. ` +
    `${stroopsInWords(left)} are left, and this needs ${stroopsInWords(needed_stroops)}; ${when}. Nothing was started.`;
  return { code: 'treasury_budget_spent', message };
}

/**
 * Computes when the oldest rows of the team that count, together at least `stroops`, are more than 24 hours old. Null when all
 * rows together are less.
 */
async function whenFreed(db: Db, owner_id: string, stroops: bigint, spent: Spent): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(at) as at
      from (select at, sum(stroops) over (order by at) as freed
              from (${spendingOf(ofTeams([owner_id]), spent)}) as spending) as freeing
     where freed >= ${stroops}
  `.execute(db);
  const at = rows[0]?.at;
  return at ? new Date(at.getTime() + DAY_MS) : null;
}
