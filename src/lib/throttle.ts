import type { Clock } from './clock.ts';

/**
 * Returns a function that gives true at most once per `interval_ms`; the first time `interval_ms` after this call. A
 * clock that is set back by that much counts as time passed.
 */
export function createThrottle(clock: Clock, interval_ms: number): () => boolean {
  let last_ms = clock.now().getTime();
  return () => {
    const now_ms = clock.now().getTime();
    if (Math.abs(now_ms - last_ms) < interval_ms) return false;
    last_ms = now_ms;
    return true;
  };
}
