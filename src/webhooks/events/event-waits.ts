/**
 * Requests that wait for the next event (long polling). A waiting request uses memory and its HTTP connection, but no
 * database connection: one statement looks for new events for all of them. LISTEN/NOTIFY wakes it, over one connection
 * of the process; it polls in any case.
 */
import { listen } from '../../db/listen.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { startLoop } from '../../lib/loop.ts';
import { WEBHOOK_DUE } from '../delivery/announce.ts';
import { lastSequences } from './event-store.ts';

const MAX_WAITING = 1_000;
/** Without this limit one wallet could use up MAX_WAITING. */
const MAX_WAITING_PER_WALLET = 20;
const RETRY_AFTER_SECONDS = 5;
const POLL_MS = 1_000;

/** A wait for a number above `after` of `owner_id`, a wallet or an endpoint. */
export type EventWait = { wallet_id: string; owner_id: string; after: bigint };

export type EventWaits = {
  /**
   * Resolves when there is such a number, after `ms`, when `signal` aborts, or when the service stops.
   * @throws AppError `too_many_waiting`
   */
  wait(wait: EventWait, ms: number, signal: AbortSignal): Promise<void>;
  /** Ends all waits, now and later. */
  stop(): Promise<void>;
};

export function createEventWaits(deps: Deps): EventWaits {
  const waiting = new Map<EventWait, AbortController>();
  const stopping = new AbortController();
  let watch: { wake(): void; stop(): Promise<void> } | undefined;

  /** Ends the waits that have a new number. */
  async function look(): Promise<boolean> {
    if (waiting.size === 0) return false;
    const last = await lastSequences(deps.db, [...new Set([...waiting.keys()].map((wait) => wait.owner_id))]);
    for (const [{ owner_id, after }, done] of waiting) if ((last.get(owner_id) ?? 0n) > after) done.abort();
    return false;
  }

  /** Starts with the first wait: until then the database connection for LISTEN is not needed. */
  function startWatch(): { wake(): void; stop(): Promise<void> } {
    const { clock, log } = deps;
    const loop = startLoop({ name: 'event waits', step: look, idle_ms: POLL_MS, clock, log });
    const listener = listen(deps, WEBHOOK_DUE, () => loop.wake());
    return {
      wake: loop.wake,
      async stop() {
        await listener.stop();
        await loop.stop();
      },
    };
  }

  function refuseTooMany(wallet_id: string): void {
    const same = [...waiting.keys()].filter((wait) => wait.wallet_id === wallet_id).length;
    if (waiting.size < MAX_WAITING && same < MAX_WAITING_PER_WALLET) return;
    throw new AppError('too_many_waiting', 'Too many requests wait for events already.', {
      retry_after_seconds: RETRY_AFTER_SECONDS,
    });
  }

  return {
    async wait(wait, ms, signal) {
      if (stopping.signal.aborted) return;
      refuseTooMany(wait.wallet_id);
      const done = new AbortController();
      waiting.set(wait, done);
      watch ??= startWatch();
      watch.wake(); // the event may have come since the caller looked
      try {
        await deps.clock.sleep(ms, AbortSignal.any([done.signal, signal, stopping.signal]));
      } finally {
        waiting.delete(wait);
      }
    },
    async stop() {
      stopping.abort();
      await watch?.stop();
    },
  };
}
