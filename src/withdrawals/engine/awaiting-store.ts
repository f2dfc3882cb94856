/** Makes the transitions of withdrawals that need approvals (states.ts). None of these statements touches a signed row. */
import { strict as assert } from 'node:assert';
import { sql } from 'kysely';
import type { Approval } from '../../approvals/approval.ts';
import type { Trx } from '../../db/database.ts';
import { signingAllowed } from '../../ledgers/signing-allowed.ts';
import { hasAssignedPayment, hasUnmatched } from '../../ledgers/unmatched-store.ts';
import { isInFromStatusOf } from './states.ts';
import type { Withdrawal } from './store.ts';

/** A claim that needs approvals: how many, why, what they are about, and until when. */
export type HeldClaim = Pick<Withdrawal, 'id' | 'approvals_required' | 'approvals_cause'> & {
  order_hash: string;
  expires_at: Date;
};

/** Lets claims await approvals, in the transaction that inserted them. Nobody else has seen the rows: none of them could be signed. */
export async function holdClaims(trx: Trx, held: HeldClaim[]): Promise<void> {
  const of = <K extends keyof HeldClaim>(key: K) => held.map((each) => each[key]);
  const { rows } = await sql<{ id: string }>`
    update withdrawals
       set status = 'awaiting_approval', approvals_required = held.approvals_required,
           approvals_cause = held.approvals_cause, order_hash = held.order_hash, approval_expires_at = held.expires_at
      from unnest(${of('id')}::text[], ${of('approvals_required')}::int[], ${of('approvals_cause')}::text[],
                  ${of('order_hash')}::text[], ${of('expires_at')}::timestamptz[])
           as held (id, approvals_required, approvals_cause, order_hash, expires_at)
     where withdrawals.id = held.id and ${isInFromStatusOf('holdClaims')}
    returning withdrawals.id
  `.execute(trx);
  assert.equal(rows.length, held.length, 'every claim that is held was inserted just now');
}

/** Counts the withdrawals of each of these wallets that await approvals. */
export async function countAwaiting(trx: Trx, wallet_ids: string[]): Promise<Map<string, number>> {
  if (wallet_ids.length === 0) return new Map();
  const rows = await trx
    .selectFrom('withdrawals')
    .select(['wallet_id', sql<number>`count(*)::int`.as('count')])
    .where('wallet_id', 'in', wallet_ids)
    .where('status', '=', 'awaiting_approval')
    .groupBy('wallet_id')
    .execute();
  return new Map(rows.map(({ wallet_id, count }) => [wallet_id, count]));
}

/** `approvals_required`: as the policy asks by now. `sends`: with this approval there are enough. */
export type NewApproval = { approval: Approval; approvals_required: number; sends: boolean };

/**
 * Appends an approval; the last one queues the withdrawal. False when the row does not await approvals, or the user has
 * decided already.
 */
export async function recordApproval(
  trx: Trx,
  id: string,
  { approval, approvals_required, sends }: NewApproval,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update withdrawals
       set status = case when ${sends} then 'queued' else status end, approvals_required = ${approvals_required}::int,
           approvals = approvals || ${JSON.stringify([approval])}::jsonb,
           approved_at = case when ${sends} then ${now}::timestamptz end
     where id = ${id} and ${isInFromStatusOf('recordApproval')}
       and not approvals @> ${JSON.stringify([{ user_id: approval.user_id }])}::jsonb
    returning id
  `.execute(trx);
  return rows.length === 1;
}

/** Why a withdrawal that awaited approvals ends. `rejection`: null when no member has rejected it. */
export type Refusal = {
  code: 'rejected' | 'approval_expired' | 'requester_removed';
  message: string;
  rejection: Approval | null;
};

/**
 * Ends a withdrawal that awaits approvals: it was never signed. False when it does not await them any more. Also false while
 * a ledger may have it: this database may be an older copy, from before it was approved and paid. `least_close_time`: close
 * time of the ledger that must be processed, Unix seconds.
 */
export async function recordRefusal(
  trx: Trx,
  id: string,
  { code, message, rejection }: Refusal,
  { now, least_close_time }: { now: Date; least_close_time: bigint },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update withdrawals
       set status = 'failed', failure_code = ${code}, failure_message = ${message}, settled_at = ${now},
           approvals = approvals || ${JSON.stringify(rejection ? [rejection] : [])}::jsonb
     where id = ${id} and ${isInFromStatusOf('recordRefusal')} and not ${hasUnmatched} and not ${hasAssignedPayment}
       and ${signingAllowed({ close_time: least_close_time })}
    returning id
  `.execute(trx);
  return rows.length === 1;
}
