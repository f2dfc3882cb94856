import type { Clock } from './clock.ts';

/**
 * A throttle: gives a function that is true at most once in `ms` milliseconds, and first after `ms`. A clock that was set
 * back counts as elapsed time.
 */
export function createThrottle(clock: Clock, ms: number): () => boolean {
  let last_ms = clock.now().getTime();
  return () => {
    const now_ms = clock.now().getTime();
    if (Math.abs(now_ms - last_ms) < ms) return false;
    last_ms = now_ms;
    return true;
  };
}
