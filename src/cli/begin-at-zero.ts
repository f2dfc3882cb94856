import { ACTIONS } from '../audit/actions.ts';
import type { Metrics } from '../lib/metrics.ts';
import { ADJUSTMENT_REASONS } from '../stellar/credits/adjustment.ts';

/** Makes the series that alerts watch, so that each is seen before its first increase. */
export function beginAtZero(metrics: Metrics): void {
  metrics.treasury_spendable_stroops.remove(); // the treasury watch sets it, where one runs
  metrics.key_journal_writable.remove(); // and watchDisks this one, where there is a journal
  for (const action of Object.keys(ACTIONS)) metrics.audit_entries.inc({ action }, 0);
  for (const reason of ADJUSTMENT_REASONS) metrics.adjustments.inc({ reason }, 0);
  for (const outcome of ['confirmed', 'failed', 'expired']) metrics.withdrawal_outcomes.inc({ outcome }, 0);
  for (const outcome of ['delivered', 'given_up']) metrics.deliveries.inc({ outcome }, 0);
  for (const attributed of ['true', 'false']) metrics.deposits.inc({ attributed }, 0);
}
