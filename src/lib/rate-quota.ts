import type { Clock } from './clock.ts';

/** `exceeded`: this one is above the quota. `reset_seconds`: until the next window may begin, rounded up. */
export type RateState = { exceeded: boolean; remaining: number; reset_seconds: number };

type Window = { began_ms: number; count: number };

/**
 * Counts requests by group, at most `quota` in a window of `window_ms`. The window of a group begins with its first request
 * and a new window begins with the first request after it: a group can use two quotas within a moment where two windows meet.
 */
export function createRateQuota(
  clock: Clock,
  { quota, window_ms }: { quota: number; window_ms: number },
): (group: string) => RateState {
  /** In the order in which they began. */
  const windows = new Map<string, Window>();

  /** Returns true when the window is over. A clock that was set back counts as time passed: a window could otherwise last for ever. */
  const isOver = ({ began_ms }: Window, now_ms: number) =>
    now_ms < began_ms || now_ms - began_ms >= window_ms;

  function forgetOld(now_ms: number): void {
    for (const [group, window] of windows) {
      if (!isOver(window, now_ms)) return;
      windows.delete(group);
    }
  }

  return (group) => {
    const now_ms = clock.now().getTime();
    forgetOld(now_ms);
    const known = windows.get(group);
    const window = known && !isOver(known, now_ms) ? known : { began_ms: now_ms, count: 0 };
    if (window !== known) {
      windows.delete(group);
      windows.set(group, window);
    }
    window.count++;
    return {
      exceeded: window.count > quota,
      remaining: Math.max(0, quota - window.count),
      reset_seconds: Math.ceil((window.began_ms + window_ms - now_ms) / 1000),
    };
  };
}
