import { ACTIONS } from '../audit/actions.ts';
import type { Metrics } from '../lib/metrics.ts';
import { ADJUSTMENT_REASONS } from '../stellar/credits/adjustment.ts';

/** Makes the series that alerts watch: Prometheus sees the first increase only of a series that was there before. */
export function beginAtZero(metrics: Metrics): void {
  for (const action of Object.keys(ACTIONS)) metrics.audit_entries.inc({ action }, 0);
  for (const reason of ADJUSTMENT_REASONS) metrics.adjustments.inc({ reason }, 0);
  for (const outcome of ['confirmed', 'failed', 'expired']) metrics.withdrawal_outcomes.inc({ outcome }, 0);
  for (const outcome of ['delivered', 'given_up']) metrics.deliveries.inc({ outcome }, 0);
  for (const attributed of ['true', 'false']) metrics.deposits.inc({ attributed }, 0);
}
