/** Tells the log, the metrics and the traces of outcomes, after the commit that has recorded them: each of them once. */
import type { Deps } from '../../deps.ts';
import { traceFields } from '../../lib/traces.ts';
import type { LedgersRead } from '../engine/hooks.ts';
import { type Recorded, TRUST_LINE_OPERATIONS } from '../engine/store.ts';
import { traceOutcomes } from './trace-outcomes.ts';

/**
 * Reports rows that have their outcome now. `read`: the ledgers that were read for it; null when it was found by a look-up by
 * hash.
 */
export function reportOutcomes(
  { log, metrics, traces }: Pick<Deps, 'log' | 'metrics' | 'traces'>,
  recorded: Recorded[],
  read: LedgersRead | null,
): void {
  traceOutcomes({ traces }, recorded, read);
  for (const row of recorded) {
    const { status, failure_code, fee_paid_by, fee_charged_stroops } = row;
    const confirmed = status === 'confirmed';
    const outcome = failure_code === 'expired' ? 'expired' : confirmed ? 'confirmed' : 'failed';
    metrics.withdrawal_outcomes.inc({ outcome });
    if (!confirmed) metrics.withdrawal_failures.inc({ reason: failure_code ?? 'unknown' });
    if (confirmed) timeProof(metrics, row);
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

function timeProof(metrics: Deps['metrics'], row: Recorded): void {
  metrics.withdrawal_proof_seconds.observe(secondsToProof(row));
  const { ledger, signed_ledger } = row;
  // A row that an older copy of the database has not signed has no ledger of its signature.
  if (ledger !== null && signed_ledger !== null)
    metrics.withdrawal_ledgers.observe(Math.max(1, ledger - signed_ledger));
}

/** Approvals of a payout are older than its rows, those of a withdrawal are younger. */
function secondsToProof({ created_at, approved_at, settled_at }: Recorded): number {
  const began_ms = Math.max(created_at.getTime(), approved_at?.getTime() ?? 0);
  return Math.max(0, (settled_at?.getTime() ?? began_ms) - began_ms) / 1000;
}

/** Returns the members of a log line. They are named one by one: a row may have more, like its envelope and its key. */
function lineOf({ id: withdrawal_id, amount_stroops, fee_charged_stroops, ...row }: Recorded) {
  const { wallet_id, operation, asset_code, asset_issuer, destination } = row;
  const { failure_code, ledger, stellar_tx_hash, fee_paid_by } = row;
  return {
    withdrawal_id,
    wallet_id,
    operation,
    asset_code,
    asset_issuer,
    destination,
    amount_stroops: `${amount_stroops}`,
    failure_code,
    ledger,
    stellar_tx_hash,
    fee_paid_by,
    fee_charged_stroops: fee_charged_stroops === null ? null : `${fee_charged_stroops}`,
    ...traceFields(row.traceparent),
  };
}
