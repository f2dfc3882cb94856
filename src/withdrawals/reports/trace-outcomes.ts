/**
 * The spans of outcomes, after the commit that has recorded them. Each is in the trace of its withdrawal. One reading of ledgers
 * gives the outcomes of many withdrawals, so that reading is a trace of its own, to which they link.
 */
import type { Deps } from '../../deps.ts';
import type { LedgersRead } from '../engine/hooks.ts';
import type { Recorded } from '../engine/store.ts';

/** Records the spans of outcomes. `read`: the ledgers that were read for them; null when they were found by a look-up by hash. */
export function traceOutcomes(
  { traces }: Pick<Deps, 'traces'>,
  recorded: Recorded[],
  read: LedgersRead | null,
): void {
  const traced = recorded.filter(({ traceparent }) => traceparent !== null);
  if (traced.length === 0) return;
  const reading = read && traces.start('process ledgers', { began: read.began });
  reading?.set({ ledger: read?.ledger, withdrawals: traced.length });
  for (const {
    id: withdrawal_id,
    wallet_id,
    ledger,
    status,
    failure_code,
    stellar_tx_hash,
    traceparent,
  } of traced) {
    const span = traces.start('record outcome', {
      parent: traceparent,
      links: [reading?.traceparent ?? null],
      attributes: { withdrawal_id, wallet_id, ledger, status, failure_code, stellar_tx_hash },
      ...(read && { began: read.began }),
    });
    span.end();
  }
  reading?.end();
}
