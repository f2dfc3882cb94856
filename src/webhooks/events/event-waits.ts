/**
 * Requests that wait for an event which is not there yet. A waiting one is an entry in memory and its own HTTP
 * connection: it holds no database connection, and however many wait, whatever happens is looked up for all of them in
 * one statement. Woken by LISTEN/NOTIFY, over one connection for the process, with polling beneath.
 */
import { listen } from '../../db/listen.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { startLoop } from '../../lib/loop.ts';
import { WEBHOOK_DUE } from '../delivery/delivery-store.ts';
import { lastSequences } from './event-log.ts';

const MAX_WAITING = 1_000;
/** One wallet's integration must not take the places of all others. */
const MAX_WAITING_PER_WALLET = 20;
const TRY_AGAIN_SECONDS = 5;
const POLL_MS = 1_000;

/** For a number beyond `after` of `owner_id`, a wallet or an endpoint. */
export type Wait = { wallet_id: string; owner_id: string; after: bigint };

export type EventWaits = {
  /**
   * Resolves when the number is there, after `ms`, when `signal` aborts, or when the service stops.
   * @throws AppError `too_many_waiting`
   */
  wait(wait: Wait, ms: number, signal: AbortSignal): Promise<void>;
  /** Ends all waits, now and later. */
  stop(): Promise<void>;
};

export function createEventWaits(deps: Deps): EventWaits {
  const waiting = new Map<Wait, AbortController>();
  const stopping = new AbortController();
  let looking: { wake(): void; stop(): Promise<void> } | undefined;

  /** Wakes those whose number is there. */
  async function look(): Promise<boolean> {
    if (waiting.size === 0) return false;
    const last = await lastSequences(deps.db, [...new Set([...waiting.keys()].map((wait) => wait.owner_id))]);
    for (const [{ owner_id, after }, done] of waiting) if ((last.get(owner_id) ?? 0n) > after) done.abort();
    return false;
  }

  /** Not before somebody waits: a service whose integrations never do has no use for the connection. */
  function startLooking(): { wake(): void; stop(): Promise<void> } {
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
      retry_after_seconds: TRY_AGAIN_SECONDS,
    });
  }

  return {
    async wait(wait, ms, signal) {
      if (stopping.signal.aborted) return;
      refuseTooMany(wait.wallet_id);
      const done = new AbortController();
      waiting.set(wait, done);
      looking ??= startLooking();
      looking.wake(); // it may have come since the caller looked
      try {
        await deps.clock.sleep(ms, AbortSignal.any([done.signal, signal, stopping.signal]));
      } finally {
        waiting.delete(wait);
      }
    },
    async stop() {
      stopping.abort();
      await looking?.stop();
    },
  };
}
