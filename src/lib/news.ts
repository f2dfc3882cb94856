import type { Clock } from './clock.ts';

/**
 * Returns a function that tells whether a message is news: another one than the last, or the last one said again after
 * `interval_ms`. So a fault that lasts does not fill the log.
 */
export function createNews(clock: Clock, interval_ms: number): (message: string) => boolean {
  let last: { message: string; at_ms: number } | null = null;
  return (message) => {
    const now_ms = clock.now().getTime();
    if (last?.message === message && Math.abs(now_ms - last.at_ms) < interval_ms) return false;
    last = { message, at_ms: now_ms };
    return true;
  };
}
