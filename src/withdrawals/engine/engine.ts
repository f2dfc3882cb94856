/**
 * The part of a process that brings withdrawals to their outcome. Four loops, each of which may stop at any line:
 *
 * | loop     | one step                                                                              | in           |
 * |----------|---------------------------------------------------------------------------------------|--------------|
 * | follow   | process the next ledgers: outcomes, freed transaction sources, unmatched transactions                           | follow.ts    |
 * | dispatch | transaction sources for those whose turn has come, signatures, one commit, then the first sending   | dispatch.ts  |
 * | watch    | sent again, bumped, looked up; who waits here for what others settled                 | submissions.ts   |
 * | adopt    | leases of what this process works on; rows whose process died                         | store.ts     |
 */
import type { Deps } from '../../deps.ts';
import { createAdaptivePoll } from '../../lib/adaptive-poll.ts';
import { type Loop, startLoop } from '../../lib/loop.ts';
import { createThrottle } from '../../lib/throttle.ts';
import { createChannelGrowth } from '../channels/channel-growth.ts';
import { LARGEST, nextCongestionWindow } from './congestion-window.ts';
import { ingestOutcomes } from './ingest-outcomes.ts';
import { countWaiting, findWithdrawals, idsWithOutcome } from './queries.ts';
import { signBatch } from './sign-batch.ts';
import { adoptOrphans, lease } from './store.ts';
import { createSubmissions, type ProcessedLedger } from './submissions.ts';
import { assignTxSources, unblockFreeChannels } from './tx-source-store.ts';

/** How long a process owns a row with a transaction source without a sign of life. Too short only means that two look at one row. */
const LEASE_MS = 15_000;
const RENEW_LEASES_MS = LEASE_MS / 3;
const ADOPT_EVERY_MS = 1_000;
const ADOPT_LIMIT = 400;
const RETRY_CHANNELS_MS = 60_000;
/** Between looks for a new ledger while something is in flight, else IDLE_MS. */
const LOOKS = { least_ms: 50, most_ms: 500 };
const IDLE_MS = 1_000;
/** Transaction sources given out in one step: their sequence numbers are read in one or two requests. */
const BATCH = 200;

export type WithdrawalEngine = {
  /** True once the withdrawal's outcome is recorded; false when this process stops before. */
  waitFor(id: string): Promise<boolean>;
  start(): void;
  /** Another process says that it has settled something. */
  checkOutcomes(): void;
  /** Ends the work of this process; rows that are still open are handed to the next one at once. */
  stop(): Promise<void>;
};

export function createWithdrawalEngine(deps: Deps): WithdrawalEngine {
  const submissions = createSubmissions(deps);
  const growth = createChannelGrowth(deps);
  /** Have a transaction source and are not signed yet. */
  const assigned = new Set<string>();
  const waiting = new Map<string, PromiseWithResolvers<boolean>>();
  const loops: Record<string, Loop> = {};
  const poll = createAdaptivePoll(deps.clock, LOOKS);
  let position: ProcessedLedger | null = null;
  let window = LARGEST;
  const isTimeToRenew = createThrottle(deps.clock, RENEW_LEASES_MS);
  const isTimeToRetryChannels = createThrottle(deps.clock, RETRY_CHANNELS_MS);
  let stopped = false;

  function settled(ids: string[]): void {
    submissions.remove(ids);
    for (const id of ids) {
      assigned.delete(id);
      waiting.get(id)?.resolve(true);
      waiting.delete(id);
    }
    if (ids.length > 0) loops.dispatch?.wake();
  }

  async function followStep(): Promise<boolean> {
    const ledgerClosed = submissions.countLedger();
    const { cursor, behind, settled: ids } = await ingestOutcomes(deps, position?.ledger);
    poll.saw(cursor.ledger);
    const isNew = position === null || cursor.ledger > position.ledger;
    position = cursor;
    if (isNew) {
      const taken = submissions.remove(ids);
      if (!behind) ledgerClosed();
      window = nextCongestionWindow(window, { taken, left_over: submissions.leftOver(cursor) });
      settled(ids);
      loops.watch?.wake();
      loops.dispatch?.wake();
    }
    return behind;
  }

  async function dispatchStep(): Promise<boolean> {
    if (position === null) return false; // nothing is accounted for yet
    const room = Math.max(0, Math.min(BATCH, window - submissions.live(position) - assigned.size));
    const until = leaseUntil();
    const taken = room > 0 ? await assignTxSources(deps.db, { until, limit: room }) : [];
    for (const id of taken) assigned.add(id);
    if (taken.length < room) await askForChannels();
    if (assigned.size === 0) return false;
    const { signed, gone } = await signBatch(deps, [...assigned], until, position.ledger);
    await letGo(gone, position);
    if (signed.length > 0 && submissions.count() === 0) loops.follow?.wake(); // it looks rarely while nothing is in flight
    for (const withdrawal of signed) {
      assigned.delete(withdrawal.id);
      submissions.add(withdrawal, withdrawal.signed_ledger ?? position.ledger);
    }
    return taken.length > 0;
  }

  /**
   * Not ours to sign any more: the transaction source was given back, another process has signed them, or we have and the answer to the
   * commit was lost. Kept, they would be leased for ever and never sent; what is signed is sent at once, twice does no harm.
   */
  async function letGo(ids: string[], { ledger }: ProcessedLedger): Promise<void> {
    if (ids.length === 0) return;
    const rows = await findWithdrawals(deps.db, ids);
    for (const id of ids) {
      assigned.delete(id);
      const row = rows.get(id);
      if (row?.status === 'signed') submissions.add(row, ledger);
    }
  }

  /** Transaction sources have run out before the window: those that wait could have channels. */
  async function askForChannels(): Promise<void> {
    const waiting = await countWaiting(deps.db);
    if (waiting > 0) growth.ensureChannels(submissions.count() + assigned.size + waiting);
  }

  async function watchStep(): Promise<boolean> {
    deps.metrics.withdrawals_in_flight.set(submissions.count());
    if (position !== null && submissions.count() > 0) settled(await submissions.watch(position));
    const ids = [...new Set([...waiting.keys(), ...submissions.ids()])];
    settled(await idsWithOutcome(deps.db, ids));
    return false;
  }

  async function adoptStep(): Promise<boolean> {
    if (position === null) return false; // the network cannot be read: another process may be luckier
    const now = deps.clock.now();
    const until = leaseUntil();
    if (isTimeToRenew()) await lease(deps.db, [...assigned, ...submissions.ids()], until);
    const longest_until = new Date(until.getTime() + LEASE_MS);
    const orphans = await adoptOrphans(deps.db, { now, until, longest_until, limit: ADOPT_LIMIT });
    for (const orphan of orphans) {
      if (orphan.status === 'queued') assigned.add(orphan.id);
      else submissions.add(orphan, position.ledger);
    }
    if (orphans.length > 0) loops.dispatch?.wake();
    if (isTimeToRetryChannels()) await unblockFreeChannels(deps.db);
    return false;
  }

  function leaseUntil(): Date {
    return new Date(deps.clock.now().getTime() + LEASE_MS);
  }

  function start(): void {
    const { clock, log } = deps;
    const loop = (name: string, step: () => Promise<boolean>, idle_ms: number | (() => number)) => {
      loops[name] = startLoop({ name: `withdrawals ${name}`, step, idle_ms, clock, log });
    };
    loop('follow', followStep, () =>
      waiting.size + submissions.count() + assigned.size > 0 ? poll.wait_ms() : IDLE_MS,
    );
    loop('dispatch', dispatchStep, IDLE_MS);
    loop('watch', watchStep, IDLE_MS);
    loop('adopt', adoptStep, ADOPT_EVERY_MS);
  }

  return {
    waitFor(id) {
      if (stopped) return Promise.resolve(false);
      const waiter = waiting.get(id) ?? Promise.withResolvers<boolean>();
      waiting.set(id, waiter);
      loops.dispatch?.wake();
      return waiter.promise;
    },
    start,
    checkOutcomes: () => loops.watch?.wake(),
    async stop() {
      stopped = true;
      await Promise.all([growth.stop(), ...Object.values(loops).map((loop) => loop.stop())]);
      for (const { resolve } of waiting.values()) resolve(false);
      waiting.clear();
      await submissions.drained();
      await handOver();
    },
  };

  async function handOver(): Promise<void> {
    try {
      await lease(deps.db, [...assigned, ...submissions.ids()], deps.clock.now());
    } catch (error) {
      deps.log.warn({ err: error }, 'could not hand over; the leases will run out');
    }
  }
}
