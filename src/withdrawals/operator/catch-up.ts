/** The withdrawal cursor after a gap: `teller backfill` lets a source with a longer history carry it on. */
import { readWithdrawalCursor } from '../../ledgers/withdrawal-cursor.ts';
import { createThrottle } from '../../lib/throttle.ts';
import type { EngineDeps } from '../engine/hooks.ts';
import { ingestOutcomes } from '../engine/ingest-outcomes.ts';

const REPORT_MS = 1_000;

/**
 * Processes every ledger that `deps.stellar` has after the withdrawal cursor, as the service does. Safe beside the running
 * service: each step moves the cursor from where it is, or changes nothing. Gives a summary for the operator.
 * @throws NetworkUnavailable
 */
export async function catchUpWithdrawals(deps: EngineDeps, report: (text: string) => void): Promise<string> {
  const isTime = createThrottle(deps.clock, REPORT_MS);
  let step = await ingestOutcomes(deps);
  while (step.behind) {
    if (isTime()) report(`The withdrawal cursor is at ledger ${step.cursor.ledger}.\n`);
    step = await ingestOutcomes(deps);
  }
  const cursor = await readWithdrawalCursor(deps.db);
  const { ledger, stop_reason } = cursor ?? step.cursor;
  if (stop_reason) return `The withdrawal cursor stays at ledger ${ledger}: ${stop_reason}\n`;
  return `The withdrawal cursor is at ledger ${ledger}.\n`;
}
