/** The only source of time for code that decides by time: tests and simulations replace it. */
export type Clock = {
  now(): Date;
  /** Resolves after `ms` milliseconds, or at once (never rejecting) when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** A day of UTC; all days are equally long. */
export const DAY_MS = 86_400_000;

export const systemClock: Clock = { now: () => new Date(), sleep: (ms, signal) => sleep(ms, signal) };

/** For a watch in the background: a process whose work is done ends although this clock sleeps. */
export const backgroundClock: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => sleep(ms, signal, (timer) => timer.unref()),
};

// Not from node:timers/promises, which builds an error with its stack for each sleep that is aborted.
function sleep(ms: number, signal?: AbortSignal, begun?: (timer: NodeJS.Timeout) => void): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, signal?.aborted ? 0 : ms);
    if (!signal?.aborted) begun?.(timer); // a process that waits for its own stop must not end before it
    signal?.addEventListener('abort', wake);
  });
}
