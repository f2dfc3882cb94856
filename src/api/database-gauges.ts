/**
 * Gauges that count rows of the database. They are read when somebody asks for the metrics, at most every few seconds, by
 * statements that count a limited number of rows.
 */
import { disputed, LED } from '../db/leadership.ts';
import type { Deps } from '../deps.ts';
import { countUnresolved } from '../ledgers/unmatched-store.ts';
import { readWithdrawalCursor } from '../ledgers/withdrawal-cursor.ts';
import { readPending } from '../webhooks/store/pending-store.ts';
import { type OpenState, readOpen } from '../withdrawals/engine/queries.ts';
import { countBlockedTxSources } from '../withdrawals/engine/tx-source-store.ts';
import { countOpenPayouts, type OpenPayoutState } from '../withdrawals/payouts/payout-store.ts';

const READ_EVERY_MS = 5_000;
/** A scrape waits no longer: Prometheus gives up after ten seconds. */
const PATIENCE_MS = 2_000;

/**
 * Returns a function that brings the gauges up to date. It never fails, and resolves after PATIENCE_MS at the latest: figures
 * that could not be read are NaN then, and no older figure stands in for them.
 */
export function createDatabaseGauges(deps: Deps): () => Promise<void> {
  const { metrics, clock, log } = deps;
  let reading: Promise<void> | null = null;
  let read_at_ms = Number.NEGATIVE_INFINITY;

  async function read(): Promise<void> {
    try {
      // One after the other: they must not take all connections of the pool.
      const withdrawals = await readOpen(deps.reads);
      const blocked = await countBlockedTxSources(deps.reads);
      const unresolved = await countUnresolved(deps.reads);
      const cursor = await readWithdrawalCursor(deps.reads);
      const payouts = await countOpenPayouts(deps.reads);
      const pending = await readPending(deps.reads, clock.now());
      const two_lead = await disputed(deps.reads);
      for (const work of LED) metrics.leadership_disputed.set({ work }, two_lead.includes(work) ? 1 : 0);
      const age = (since: Date | null) =>
        since ? Math.max(0, clock.now().getTime() - since.getTime()) / 1000 : 0;
      for (const [state, { count, oldest_at }] of Object.entries(withdrawals)) {
        metrics.withdrawals_open.set({ state }, count);
        metrics.withdrawal_open_age_seconds.set({ state }, age(oldest_at));
      }
      for (const [state, count] of Object.entries(payouts)) metrics.payouts_open.set({ state }, count);
      for (const [state, count] of Object.entries(blocked)) metrics.tx_sources_blocked.set({ state }, count);
      for (const [blocks, count] of Object.entries(unresolved))
        metrics.unmatched_transactions_open.set({ blocks }, count);
      metrics.withdrawal_cursor_age_seconds.set(
        age(cursor ? new Date(Number(cursor.close_time) * 1000) : null),
      );
      metrics.deliveries_pending.set(pending.deliveries);
      metrics.delivery_due_age_seconds.set(pending.due_age_seconds);
      metrics.database_read_timestamp_seconds.set(clock.now().getTime() / 1000);
    } catch (error) {
      log.warn({ err: error }, 'the gauges of the database could not be read');
      forget();
    }
  }

  function forget(): void {
    for (const state of ['awaiting_approval', 'queued', 'assigned', 'signed'] satisfies OpenState[]) {
      metrics.withdrawals_open.set({ state }, Number.NaN);
      metrics.withdrawal_open_age_seconds.set({ state }, Number.NaN);
    }
    for (const state of ['awaiting_approval', 'running', 'paused'] satisfies OpenPayoutState[])
      metrics.payouts_open.set({ state }, Number.NaN);
    for (const work of LED) metrics.leadership_disputed.set({ work }, Number.NaN);
    for (const state of ['assigned', 'free']) metrics.tx_sources_blocked.set({ state }, Number.NaN);
    for (const blocks of ['wallet', 'key']) metrics.unmatched_transactions_open.set({ blocks }, Number.NaN);
    metrics.withdrawal_cursor_age_seconds.set(Number.NaN);
    metrics.deliveries_pending.set(Number.NaN);
    metrics.delivery_due_age_seconds.set(Number.NaN);
  }

  return async () => {
    const now_ms = clock.now().getTime();
    if (reading === null && Math.abs(now_ms - read_at_ms) >= READ_EVERY_MS) {
      read_at_ms = now_ms;
      reading = read().finally(() => {
        reading = null;
      });
    }
    if (reading === null) return;
    const enough = new AbortController();
    const late = clock.sleep(PATIENCE_MS, enough.signal).then(() => 'late');
    if ((await Promise.race([reading, late])) === 'late' && !enough.signal.aborted) forget();
    enough.abort();
  };
}
