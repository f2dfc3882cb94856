import type { Clock } from './clock.ts';

/** True each time that `ms` have passed since it was, for the first time so long after this. A clock set back counts as time passed. */
export function createThrottle(clock: Clock, ms: number): () => boolean {
  let last_ms = clock.now().getTime();
  return () => {
    const now_ms = clock.now().getTime();
    if (Math.abs(now_ms - last_ms) < ms) return false;
    last_ms = now_ms;
    return true;
  };
}
