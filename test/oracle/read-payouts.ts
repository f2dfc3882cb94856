/** Collects what is known of payouts, on a database with the triggers of watch-payouts.ts. */
import type { Ask } from './ask.ts';
import { audited } from './audit.ts';
import type { PayoutClaim, PayoutEvidence, PayoutNow, PayoutRow, PayoutStep } from './payout-evidence.ts';
import { decidedIn, membersIn, policyIn } from './watch-approvals.ts';

export async function readPayouts(
  ask: Ask,
  known: Pick<PayoutEvidence, 'uploads' | 'calls' | 'shown'>,
): Promise<PayoutEvidence> {
  const places = await audited(ask, 'event');
  const told = await ask(`
    select id, wallet_id, type, convert_from(body, 'UTF8') as body from webhook_events
     where type = 'payout.completed' order by id`);
  const row_steps = await ask('select * from seen.payout_row_steps order by at');
  return {
    ...known,
    payouts: (await ask('select * from payouts order by id')).map(payoutOf),
    rows: (await ask('select * from payout_rows order by payout_id, number')).map(rowOf),
    steps: (await ask('select * from seen.payout_steps order by at')).map(stepOf),
    row_steps: row_steps.map((row) => ({ ...row, at: Number(row.at) }) as any),
    claims: (await ask('select * from seen.payout_claims order by at')).map(claimOf),
    events: told.map((row) => ({ ...(row as any), at: places.get(row.id) ?? -1 })),
    deliveries: (await ask(`
      select event_id, endpoint_id from webhook_deliveries d join webhook_events e on e.id = d.event_id
       where e.type = 'payout.completed' order by d.id`)) as any[],
    completed_at: await audited(ask, 'payout'),
  };
}

function payoutOf({ approval_expires_at, approvals, ...row }: any): PayoutNow {
  return { ...row, approvals: decidedIn(approvals), expires_ms: approval_expires_at?.getTime() ?? null };
}

function rowOf(row: any): PayoutRow {
  const { amount_stroops, memo_id } = row;
  return {
    ...row,
    amount_stroops: BigInt(amount_stroops),
    memo_id: memo_id === null ? null : BigInt(memo_id),
  };
}

function stepOf(row: any): PayoutStep {
  const { requested_at, approval_expires_at, settled_at, members, ...step } = row;
  return {
    ...step,
    at: Number(row.at),
    created_ms: requested_at.getTime(),
    members: membersIn(members),
    had: decidedIn(row.had),
    approvals: decidedIn(row.approvals),
    expires_ms: approval_expires_at?.getTime() ?? null,
    settled_ms: settled_at?.getTime() ?? null,
    totals: row.totals.map((total: any) => ({ ...total, amount_stroops: BigInt(total.amount_stroops) })),
    policy: policyIn(row.policy),
  };
}

function claimOf(row: any): PayoutClaim {
  return {
    ...row,
    at: Number(row.at),
    approvals: decidedIn(row.approvals),
    payout_approvals: decidedIn(row.payout_approvals),
    policy: policyIn(row.policy),
  };
}
