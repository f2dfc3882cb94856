/** Reads what the policies of a team's wallets ask for. */
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** A wallet whose policy asks for so many approvals. `without_factor`: members without a second factor may decide. */
export type Need = { wallet_id: string; required: number; without_factor: boolean };

/** What a change of access needs approvals for, and what `for` of a policy calls it: a payee is a new destination. */
const ASKED_FOR = { members: 'members', api_keys: 'api_keys', payees: 'destinations' } as const;

/** Lists those of these wallets whose policies ask for approvals of this kind. `wallet_ids`: null for every wallet of the team. */
export async function approvalNeeds(
  db: Db,
  team_id: string,
  { kind, wallet_ids }: { kind: keyof typeof ASKED_FOR; wallet_ids: string[] | null },
): Promise<Need[]> {
  const needs = selectNeeds(db, team_id).where(sql<boolean>`approvals -> 'for' ? ${ASKED_FOR[kind]}`);
  if (wallet_ids === null) return needs.execute();
  return needs.where('wallet_id', '=', sql<string>`any(${wallet_ids}::text[])`).execute();
}

/** Returns what the policy of one wallet asks for, whatever the request; undefined when it asks for no approvals. */
export async function needOfWallet(db: Db, team_id: string, wallet_id: string): Promise<Need | undefined> {
  return selectNeeds(db, team_id).where('wallet_id', '=', wallet_id).executeTakeFirst();
}

function selectNeeds(db: Db, team_id: string) {
  return db
    .selectFrom('approval_needs')
    .innerJoin('wallet_owners', 'wallet_owners.id', 'approval_needs.wallet_id')
    .select(['wallet_id', sql<number>`(approvals ->> 'required')::int`.as('required')])
    .select(sql<boolean>`coalesce((approvals ->> 'without_factor')::boolean, false)`.as('without_factor'))
    .where('owner_id', '=', team_id)
    .orderBy('wallet_id');
}

/** `withdrawals`: whether the policy asks for approvals of withdrawals; otherwise only of what no service user may ask for. */
export type ApprovalNeed = Need & { withdrawals: boolean };

export async function listApprovalNeeds(db: Db, team_id: string): Promise<ApprovalNeed[]> {
  return selectNeeds(db, team_id)
    .select(sql<boolean>`approvals -> 'for' ? 'withdrawals'`.as('withdrawals'))
    .execute();
}
