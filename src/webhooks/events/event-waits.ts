/**
 * Requests that wait for the next event (long polling). A waiting request uses memory and its HTTP connection, but no
 * database connection: one statement looks for new events for all of them. LISTEN/NOTIFY wakes it, over one connection
 * of the process; it polls in any case.
 */
import { listen } from '../../db/listen.ts';
import type { Deps } from '../../deps.ts';
import { startLoop } from '../../lib/loop.ts';
import { WEBHOOK_DUE } from '../delivery/announce.ts';
import { lastSequences } from './event-store.ts';
import { createWaitingPlaces, type Place } from './waiting-places.ts';

const MAX_WAITING = 5_000;
/** Without this limit one wallet could use up the places of its team. */
const MAX_WAITING_PER_WALLET = 20;
const POLL_MS = 1_000;

/** A wait for a number above `after` of `owner_id`, a wallet or an endpoint. */
export type EventWait = { team_id: string; wallet_id: string; owner_id: string; after: bigint };

export type EventWaits = {
  /**
   * Resolves when there is such a number, after `ms`, when `signal` aborts, or when the service stops. False: the request had
   * no place to wait, or had to leave it to another team.
   */
  wait(wait: EventWait, ms: number, signal: AbortSignal): Promise<boolean>;
  /** Ends all waits, now and later. */
  stop(): Promise<void>;
};

export function createEventWaits(deps: Deps): EventWaits {
  const places = createWaitingPlaces<EventWait & Place>({
    in_all: MAX_WAITING,
    of_team: deps.config.team_quotas.waiting,
    of_wallet: MAX_WAITING_PER_WALLET,
  });
  const stopping = new AbortController();
  let watch: { wake(): void; stop(): Promise<void> } | undefined;

  /** Ends the waits that have a new number. */
  async function look(): Promise<boolean> {
    const owners = new Set([...places.all()].map(({ owner_id }) => owner_id));
    if (owners.size === 0) return false;
    const last = await lastSequences(deps.db, [...owners]);
    for (const { owner_id, after, done } of places.all())
      if ((last.get(owner_id) ?? 0n) > after) done.abort();
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

  return {
    async wait(wait, ms, signal) {
      if (stopping.signal.aborted) return true;
      const place = { ...wait, done: new AbortController() };
      if (!places.take(place)) return false;
      watch ??= startWatch();
      watch.wake(); // the event may have come since the caller looked
      try {
        await deps.clock.sleep(ms, AbortSignal.any([place.done.signal, signal, stopping.signal]));
      } finally {
        places.leave(place);
      }
      return !places.wasTaken(place);
    },
    async stop() {
      stopping.abort();
      await watch?.stop();
    },
  };
}
