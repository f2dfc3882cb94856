/**
 * Requests that wait for news of the database (long polling). A waiting request uses memory and its HTTP connection, but no
 * database connection: one statement looks for news for all of them. LISTEN/NOTIFY wakes it, over one connection of the
 * process; it polls in any case.
 */
import type pg from 'pg';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { withLogContext } from '../lib/log-context.ts';
import { startLoop } from '../lib/loop.ts';
import type { Metrics } from '../lib/metrics.ts';
import { createWaitingPlaces, type Place } from '../lib/waiting-places.ts';
import { listen } from './listen.ts';

const MAX_WAITING = 5_000;
/** Without this limit one wallet could use up the places of its team. */
const MAX_WAITING_PER_WALLET = 20;
const POLL_MS = 1_000;
/** For a request that found no place to wait. */
export const NO_PLACE_RETRY_SECONDS = 1;

export type Waits<W> = {
  /**
   * Resolves when there is news, after `ms`, when `signal` aborts, or when the service stops. False: the request had
   * no place to wait, or had to leave it to another team.
   */
  wait(wait: W, ms: number, signal: AbortSignal): Promise<boolean>;
  /** Ends all waits, now and later. */
  stop(): Promise<void>;
};

/** Creates the waits. `of_team`: the places of one team. `look` returns those of the waits for which there is news; `channel` wakes it. */
export function createWaits<W extends Pick<Place, 'team_id' | 'wallet_id'>>(
  deps: { pool: pg.Pool; clock: Clock; log: Log; metrics: Metrics },
  options: { name: string; channel: string; of_team: number; look: (waits: W[]) => Promise<W[]> },
): Waits<W> {
  const { name, channel, of_team } = options;
  const places = createWaitingPlaces<Place & { wait: W }>({
    in_all: MAX_WAITING,
    of_team,
    of_wallet: MAX_WAITING_PER_WALLET,
  });
  const stopping = new AbortController();
  let watch: { wake(): void; stop(): Promise<void> } | undefined;

  /** Ends the waits that have news. */
  async function look(): Promise<boolean> {
    const present = new Map([...places.all()].map((place) => [place.wait, place]));
    if (present.size === 0) return false;
    for (const wait of await options.look([...present.keys()])) present.get(wait)?.done.abort();
    return false;
  }

  /** Starts with the first wait: until then the database connection for LISTEN is not needed. */
  function startWatch(): { wake(): void; stop(): Promise<void> } {
    const { clock, log, metrics } = deps;
    const loop = startLoop({ name, step: look, idle_ms: POLL_MS, clock, log, metrics });
    const listener = listen(deps, channel, () => loop.wake());
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
      const { team_id, wallet_id } = wait;
      const place = { team_id, wallet_id, wait, done: new AbortController() };
      if (!places.take(place)) return false;
      watch ??= withLogContext(undefined, startWatch); // it works for all requests
      watch.wake(); // the news may have come since the caller looked
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
