import type { Clock } from './clock.ts';

/**
 * Calls `close` every `close_ms` milliseconds, on a fixed grid of times: a late call does not shift the calls after
 * it. Missed times are skipped. A clock that jumps starts a new grid.
 * @returns stops the timer; resolves when no call is running and no call will follow
 */
export function startCloseTimer(options: {
  close_ms: number;
  clock: Clock;
  close: () => void;
}): () => Promise<void> {
  const { close_ms, clock, close } = options;
  const stopping = new AbortController();
  const run = async () => {
    let next = clock.now().getTime() + close_ms;
    while (!stopping.signal.aborted) {
      const wait = next - clock.now().getTime();
      await clock.sleep(Math.min(Math.max(wait, 0), close_ms), stopping.signal);
      if (stopping.signal.aborted) return;
      close();
      next = nextTick(next, clock.now().getTime(), close_ms);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}

/** The first time of the grid after `now_ms`. A new grid starts when the last time is more than one period away. */
export function nextTick(last_ms: number, now_ms: number, close_ms: number): number {
  const late = now_ms - last_ms;
  if (late < -close_ms) return now_ms + close_ms;
  return last_ms + close_ms * (Math.floor(Math.max(late, 0) / close_ms) + 1);
}

/** Pause before the next try when a ledger could not close: the network is halted, or its disk is full. */
const RETRY_MS = 100;

/**
 * Calls `close` again and again. Between two calls, other work of this process runs.
 * @param close returns whether a ledger closed
 */
export function closeWithoutPause(close: () => boolean): () => Promise<void> {
  let stopped = false;
  const run = () => {
    if (stopped) return;
    if (close()) setImmediate(run);
    else setTimeout(run, RETRY_MS).unref();
  };
  setImmediate(run);
  return async () => {
    stopped = true;
  };
}
