/** What has been decided in a team: requests that awaited approvals, of all its wallets that a member may use. */
import { strict as assert } from 'node:assert';
import { type DecidedPage, type Outcome, outcomeOf } from '../../approvals/decided.ts';
import { type DecidedChange, listDecidedChanges } from '../../approvals/decided-change-store.ts';
import type { Membership } from '../../auth/teams/team-store.ts';
import type { Db } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Withdrawal } from '../engine/store.ts';
import { type Counted, countRows } from '../payouts/payout-row-store.ts';
import { decidedPayouts, type Payout } from '../payouts/payout-store.ts';
import { decidedWithdrawals } from './approval-store.ts';

/** `change`: JSON as the API shows it. `wallet_id`: null for members and service users. */
export type Decided = { id: string; wallet_id: string | null; outcome: Outcome; decided_at: Date } & (
  | { kind: 'withdrawal'; withdrawal: Withdrawal }
  | { kind: 'payout'; payout: Payout; counted: Counted[] }
  | { kind: 'policy_change' | 'access_change'; change: string }
);

/** Returns what the member sees of it, newest decision first. */
export async function listDecided(
  { readInTurn }: Pick<Deps, 'readInTurn'>,
  member: Membership,
  page: DecidedPage,
): Promise<Decided[]> {
  // One after the other: a turn has one connection.
  const items = await readInTurn(member.team_id, async (db) => [
    ...(await decidedWithdrawals(db, member, page)).map(ofWithdrawal),
    ...(await ofPayouts(db, await decidedPayouts(db, member, page))),
    ...(await listDecidedChanges(db, member, page)).map(ofChange),
  ]);
  return items.sort(byDecision).slice(0, page.limit);
}

function ofWithdrawal(withdrawal: Withdrawal): Decided {
  const { id, wallet_id, approved_at, settled_at, stellar_tx_hash, failure_code } = withdrawal;
  // What the ledger has was approved, although an older copy of the database does not know that.
  const outcome = outcomeOf(approved_at !== null || stellar_tx_hash !== null, failure_code);
  return {
    kind: 'withdrawal',
    id,
    wallet_id,
    outcome,
    decided_at: endOf(approved_at, settled_at),
    withdrawal,
  };
}

async function ofPayouts(db: Db, payouts: Payout[]): Promise<Decided[]> {
  const ids = payouts.map(({ id }) => id);
  const counted = await countRows(db, ids);
  return payouts.map((payout) => {
    const { id, wallet_id, approved_at, settled_at, reason_code } = payout;
    const outcome = outcomeOf(approved_at !== null, reason_code);
    return {
      kind: 'payout',
      id,
      wallet_id,
      outcome,
      decided_at: endOf(approved_at, settled_at),
      payout,
      counted,
    };
  });
}

function ofChange({ id, kind, wallet_ids, outcome, change, decided_at }: DecidedChange): Decided {
  return {
    kind: kind === 'policy_change' ? 'policy_change' : 'access_change',
    id,
    wallet_id: kind === 'members' ? null : (wallet_ids?.[0] ?? null),
    outcome,
    decided_at,
    change,
  };
}

function endOf(approved_at: Date | null, settled_at: Date | null): Date {
  const decided_at = approved_at ?? settled_at;
  assert(decided_at, 'what no longer awaits approvals has them, or has ended');
  return decided_at;
}

function byDecision(one: Decided, other: Decided): number {
  const later = other.decided_at.getTime() - one.decided_at.getTime();
  return later === 0 ? (one.id < other.id ? 1 : -1) : later;
}
