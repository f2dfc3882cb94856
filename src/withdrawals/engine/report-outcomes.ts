/** Tells the log and the metrics of outcomes, after the commit that has recorded them: each of them once. */
import type { Deps } from '../../deps.ts';
import { type Recorded, TRUST_LINE_OPERATIONS, type Withdrawal } from './store.ts';

/** A row that has its outcome now. */
export function reportOutcomes(
  { log, metrics }: Pick<Deps, 'log' | 'metrics'>,
  recorded: Iterable<Recorded>,
): void {
  for (const row of recorded) {
    const { status, failure_code, fee_paid_by, fee_charged_stroops } = row;
    const confirmed = status === 'confirmed';
    const outcome = failure_code === 'expired' ? 'expired' : confirmed ? 'confirmed' : 'failed';
    metrics.withdrawal_outcomes.inc({ outcome });
    if (!confirmed) metrics.withdrawal_failures.inc({ reason: failure_code ?? 'unknown' });
    if (confirmed) metrics.withdrawal_proof_seconds.observe(secondsToProof(row));
    if (fee_paid_by !== null && fee_charged_stroops !== null) {
      metrics.withdrawal_fees_stroops.inc({ paid_by: fee_paid_by }, Number(fee_charged_stroops));
      if (fee_paid_by === 'treasury') metrics.treasury_fees_stroops.inc(Number(fee_charged_stroops));
    }
    log.info(lineOf(row), `${nameOf(row)} ${confirmed ? 'confirmed' : 'failed'}`);
  }
}

function nameOf({ operation }: Recorded): string {
  return TRUST_LINE_OPERATIONS.some((each) => each === operation) ? 'change of a trust line' : 'withdrawal';
}

/** Approvals of a payout are older than its rows, those of a withdrawal are younger. */
function secondsToProof({ created_at, approved_at, settled_at }: Recorded): number {
  const began_ms = Math.max(created_at.getTime(), approved_at?.getTime() ?? 0);
  return Math.max(0, (settled_at?.getTime() ?? began_ms) - began_ms) / 1000;
}

function lineOf({ id, created_at: _, approved_at: __, settled_at: ___, status: ____, ...row }: Recorded) {
  const texts = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? `${value}` : value,
  ]);
  return { withdrawal_id: id, ...Object.fromEntries(texts) };
}

/** What a row is after `recordExpired`. */
export function expiredRow(withdrawal: Withdrawal, settled_at: Date): Recorded {
  return { ...withdrawal, status: 'failed', failure_code: 'expired', settled_at };
}
