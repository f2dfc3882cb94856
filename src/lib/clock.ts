/** The only source of time for everything that decides by time, so that tests and simulations can own it. */
export type Clock = {
  now(): Date;
  /** Resolves after `ms` milliseconds, or at once (never rejecting) when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** Days are UTC's, each as long as the next. */
export const DAY_MS = 86_400_000;

export const systemClock: Clock = {
  now: () => new Date(),
  // By hand: the promise of node:timers builds an error with its stack for each sleep that is cut short.
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, signal?.aborted ? 0 : ms);
      signal?.addEventListener('abort', wake);
    }),
};
