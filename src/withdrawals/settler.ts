import type { Deps } from '../deps.ts';
import { startLoop } from '../lib/loop.ts';
import { advance } from './settle.ts';
import { adoptOrphans, lease } from './store.ts';

/** How long a process owns an open row without a sign of life. Too short only means that two look at one row. */
const LEASE_MS = 15_000;
const ADOPT_EVERY_MS = 1_000;
const ADOPT_LIMIT = 100;
/** Between two looks for one hash: soon at first (the sandbox closes every second), then at a ledger's pace. */
const LOOK_FIRST_MS = 250;
const LOOK_MAX_MS = 2_000;
/** Normally a freed lane wakes its waiters in this process; another process's lane is noticed by looking. */
const LANE_POLL_MS = 1_000;
const FAILURE_PAUSE_MS = 1_000;

export type Settler = {
  /** Works on the withdrawal until its outcome is recorded, or until stopped: then it is false. */
  settle(id: string): Promise<boolean>;
  /** Takes over the rows that crashed or stopped processes left, once their leases have run out. */
  startAdopting(): void;
  /** Ends the work of this process; rows that are still open are handed to the next one at once. */
  stop(): Promise<void>;
};

export function leaseUntil(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}

/** The part of this process that brings withdrawals to their outcome: one runner per open row. */
export function createSettler(deps: Deps): Settler {
  const runners = new Map<string, Promise<boolean>>();
  const stopping = new AbortController();
  let laneFreed = new AbortController();
  let adopting: { stop(): Promise<void> } | null = null;

  function settle(id: string): Promise<boolean> {
    const running = runners.get(id);
    if (running) return running;
    const runner = run(id).finally(() => runners.delete(id));
    runners.set(id, runner);
    return runner;
  }

  async function run(id: string): Promise<boolean> {
    let sent_at_ledger: number | null = null;
    let look_ms = LOOK_FIRST_MS;
    let leased_until = new Date(0);
    while (!stopping.signal.aborted) {
      try {
        leased_until = await keepLease(id, leased_until);
        const progress = await advance(deps, id, sent_at_ledger);
        if (progress.next === 'settled') {
          wakeLaneWaiters();
          return true;
        }
        if (progress.next === 'wait_for_lane') {
          await pause(LANE_POLL_MS, laneFreed.signal);
          continue;
        }
        sent_at_ledger = progress.sent_at_ledger;
        await pause(look_ms);
        look_ms = Math.min(look_ms * 1.5, LOOK_MAX_MS);
      } catch (error) {
        // The row is as it was; whatever failed (database, network) is tried again.
        deps.log.error({ err: error, withdrawal_id: id }, 'settling failed for now');
        await pause(FAILURE_PAUSE_MS);
      }
    }
    await handOver(id);
    return false;
  }

  async function keepLease(id: string, leased_until: Date): Promise<Date> {
    const now = deps.clock.now();
    if (leased_until.getTime() - now.getTime() > LEASE_MS / 2) return leased_until;
    await lease(deps.db, id, leaseUntil(now));
    return leaseUntil(now);
  }

  async function handOver(id: string): Promise<void> {
    try {
      await lease(deps.db, id, deps.clock.now());
    } catch (error) {
      deps.log.warn({ err: error, withdrawal_id: id }, 'could not hand over; its lease will run out');
    }
  }

  function wakeLaneWaiters(): void {
    laneFreed.abort();
    laneFreed = new AbortController();
  }

  function pause(ms: number, wake?: AbortSignal): Promise<void> {
    return deps.clock.sleep(ms, wake ? AbortSignal.any([stopping.signal, wake]) : stopping.signal);
  }

  async function adopt(): Promise<boolean> {
    const now = deps.clock.now();
    const until = leaseUntil(now);
    const longest_until = new Date(until.getTime() + LEASE_MS);
    const ids = await adoptOrphans(deps.db, { now, until, longest_until, limit: ADOPT_LIMIT });
    for (const id of ids) void settle(id);
    return ids.length === ADOPT_LIMIT;
  }

  return {
    settle,
    startAdopting() {
      const { clock, log } = deps;
      adopting = startLoop({ name: 'settler', step: adopt, idle_ms: ADOPT_EVERY_MS, clock, log });
    },
    async stop() {
      stopping.abort();
      await adopting?.stop();
      await Promise.all(runners.values());
    },
  };
}
