/**
 * The spans of deposits. Each begins a trace, which its deliveries belong to. One reading of ledgers finds many deposits, so that
 * reading is a trace of its own, to which they link.
 */
import type { Deps } from '../../deps.ts';
import type { Span } from '../../lib/traces.ts';
import type { Deposit } from '../recorded/deposit-store.ts';

export type DepositSpans = {
  /** Returns the traceparent for the event of a deposit that the open transaction has inserted. */
  begin(deposit: Deposit): string | null;
  /** Ends the spans, after the commit. Without this call nothing is sent. */
  end(): void;
  /** Returns the traceparent of a deposit that has begun. */
  of(deposit: Deposit): string | null;
};

/** Creates the spans of deposits. `began`: when the reading of the ledgers began. */
export function createDepositSpans({ traces }: Pick<Deps, 'traces'>, began: number): DepositSpans {
  const spans = new Map<string, Span>();
  let reading: Span | null = null;
  return {
    begin({ id: deposit_id, wallet_id, ledger, asset_code, attributed, stellar_tx_hash }) {
      reading ??= traces.start('read ledgers', { began });
      const span = traces.start('record deposit', {
        began,
        links: [reading.traceparent],
        attributes: { deposit_id, wallet_id, ledger, asset_code, attributed, stellar_tx_hash },
      });
      spans.set(deposit_id, span);
      return span.traceparent;
    },
    end() {
      for (const span of spans.values()) span.end();
      reading?.set({ deposits: spans.size });
      reading?.end();
    },
    of: ({ id }) => spans.get(id)?.traceparent ?? null,
  };
}
