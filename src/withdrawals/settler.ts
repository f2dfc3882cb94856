/**
 * The part of a process that brings withdrawals to their outcome. Four loops, each of which may stop at any line:
 *
 * | loop     | one step                                                                              | in           |
 * |----------|---------------------------------------------------------------------------------------|--------------|
 * | follow   | account for the next ledgers: outcomes, freed lanes, strays                           | follow.ts    |
 * | dispatch | lanes for those whose turn has come, signatures, one commit, then the first sending   | dispatch.ts  |
 * | watch    | sent again, bumped, looked up; who waits here for what others settled                 | flights.ts   |
 * | adopt    | leases of what this process works on; rows whose process died                         | store.ts     |
 */
import type { Deps } from '../deps.ts';
import { every } from '../lib/every.ts';
import { type Loop, startLoop } from '../lib/loop.ts';
import { createPace } from '../lib/pace.ts';
import { createChannelGrowth } from './channel-growth.ts';
import { sign } from './dispatch.ts';
import { createFlights, type Position } from './flights.ts';
import { follow } from './follow.ts';
import { retryChannels, takeLanes } from './lane-store.ts';
import { countWaiting, findWithdrawals, settledAmong } from './look-up-store.ts';
import { adoptOrphans, lease } from './store.ts';
import { LARGEST, nextWindow } from './window.ts';

/** How long a process owns a row with a lane without a sign of life. Too short only means that two look at one row. */
const LEASE_MS = 15_000;
const RENEW_LEASES_MS = LEASE_MS / 3;
const ADOPT_EVERY_MS = 1_000;
const ADOPT_LIMIT = 400;
const RETRY_CHANNELS_MS = 60_000;
/** Between looks for a new ledger while something is in flight, else IDLE_MS. */
const LOOKS = { least_ms: 50, most_ms: 500 };
const IDLE_MS = 1_000;
/** Lanes given out in one step: their sequence numbers are read in one or two requests. */
const BATCH = 200;

export type Settler = {
  /** True once the withdrawal's outcome is recorded; false when this process stops before. */
  settle(id: string): Promise<boolean>;
  start(): void;
  /** Another process says that it has settled something. */
  lookAround(): void;
  /** Ends the work of this process; rows that are still open are handed to the next one at once. */
  stop(): Promise<void>;
};

export function createSettler(deps: Deps): Settler {
  const flights = createFlights(deps);
  const growth = createChannelGrowth(deps);
  /** Have a lane and are not signed yet. */
  const boarded = new Set<string>();
  const waiting = new Map<string, PromiseWithResolvers<boolean>>();
  const loops: Record<string, Loop> = {};
  const pace = createPace(deps.clock, LOOKS);
  let position: Position | null = null;
  let window = LARGEST;
  const isTimeToRenew = every(deps.clock, RENEW_LEASES_MS);
  const isTimeToRetryChannels = every(deps.clock, RETRY_CHANNELS_MS);
  let stopped = false;

  function settled(ids: string[]): void {
    flights.remove(ids);
    for (const id of ids) {
      boarded.delete(id);
      waiting.get(id)?.resolve(true);
      waiting.delete(id);
    }
    if (ids.length > 0) loops.dispatch?.wake();
  }

  async function followStep(): Promise<boolean> {
    const ledgerClosed = flights.countLedger();
    const { cursor, behind, settled: ids } = await follow(deps, position?.ledger);
    pace.saw(cursor.ledger);
    const isNew = position === null || cursor.ledger > position.ledger;
    position = cursor;
    if (isNew) {
      const taken = flights.remove(ids);
      if (!behind) ledgerClosed();
      window = nextWindow(window, { taken, left_over: flights.leftOver(cursor) });
      settled(ids);
      loops.watch?.wake();
      loops.dispatch?.wake();
    }
    return behind;
  }

  async function dispatchStep(): Promise<boolean> {
    if (position === null) return false; // nothing is accounted for yet
    const room = Math.max(0, Math.min(BATCH, window - flights.live(position) - boarded.size));
    const until = leaseUntil();
    const taken = room > 0 ? await takeLanes(deps.db, { until, limit: room }) : [];
    for (const id of taken) boarded.add(id);
    if (taken.length < room) await askForChannels();
    if (boarded.size === 0) return false;
    const { signed, gone } = await sign(deps, [...boarded], until, position.ledger);
    await letGo(gone, position);
    if (signed.length > 0 && flights.count() === 0) loops.follow?.wake(); // it looks rarely while nothing is in flight
    for (const withdrawal of signed) {
      boarded.delete(withdrawal.id);
      flights.add(withdrawal, withdrawal.first_sent_ledger ?? position.ledger);
    }
    return taken.length > 0;
  }

  /**
   * Not ours to sign any more: the lane was given back, another process has signed them, or we have and the answer to the
   * commit was lost. Kept, they would be leased for ever and never sent; what is signed is sent at once, twice does no harm.
   */
  async function letGo(ids: string[], { ledger }: Position): Promise<void> {
    if (ids.length === 0) return;
    const rows = await findWithdrawals(deps.db, ids);
    for (const id of ids) {
      boarded.delete(id);
      const row = rows.get(id);
      if (row?.status === 'signed') flights.add(row, ledger);
    }
  }

  /** Lanes have run out before the window: those that wait could have channels. */
  async function askForChannels(): Promise<void> {
    const waiting = await countWaiting(deps.db);
    if (waiting > 0) growth.ensureChannels(flights.count() + boarded.size + waiting);
  }

  async function watchStep(): Promise<boolean> {
    deps.metrics.withdrawals_in_flight.set(flights.count());
    if (position !== null && flights.count() > 0) settled(await flights.watch(position));
    const ids = [...new Set([...waiting.keys(), ...flights.ids()])];
    settled(await settledAmong(deps.db, ids));
    return false;
  }

  async function adoptStep(): Promise<boolean> {
    if (position === null) return false; // the network cannot be read: another process may be luckier
    const now = deps.clock.now();
    const until = leaseUntil();
    if (isTimeToRenew()) await lease(deps.db, [...boarded, ...flights.ids()], until);
    const longest_until = new Date(until.getTime() + LEASE_MS);
    const orphans = await adoptOrphans(deps.db, { now, until, longest_until, limit: ADOPT_LIMIT });
    for (const orphan of orphans) {
      if (orphan.status === 'queued') boarded.add(orphan.id);
      else flights.add(orphan, position.ledger);
    }
    if (orphans.length > 0) loops.dispatch?.wake();
    if (isTimeToRetryChannels()) await retryChannels(deps.db);
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
      waiting.size + flights.count() + boarded.size > 0 ? pace.wait_ms() : IDLE_MS,
    );
    loop('dispatch', dispatchStep, IDLE_MS);
    loop('watch', watchStep, IDLE_MS);
    loop('adopt', adoptStep, ADOPT_EVERY_MS);
  }

  return {
    settle(id) {
      if (stopped) return Promise.resolve(false);
      const waiter = waiting.get(id) ?? Promise.withResolvers<boolean>();
      waiting.set(id, waiter);
      loops.dispatch?.wake();
      return waiter.promise;
    },
    start,
    lookAround: () => loops.watch?.wake(),
    async stop() {
      stopped = true;
      await Promise.all([growth.stop(), ...Object.values(loops).map((loop) => loop.stop())]);
      for (const { resolve } of waiting.values()) resolve(false);
      waiting.clear();
      await flights.landed();
      await handOver();
    },
  };

  async function handOver(): Promise<void> {
    try {
      await lease(deps.db, [...boarded, ...flights.ids()], deps.clock.now());
    } catch (error) {
      deps.log.warn({ err: error }, 'could not hand over; the leases will run out');
    }
  }
}
