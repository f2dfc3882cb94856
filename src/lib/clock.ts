/** The only source of time for decisions, so that tests and simulations can control it. */
export type Clock = {
  now(): Date;
  /** Resolves after `ms` milliseconds, or at once (never rejecting) when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** Days are UTC days, all of the same length. */
export const DAY_MS = 86_400_000;

export const systemClock: Clock = {
  now: () => new Date(),
  // Not node:timers/promises: it builds an error with a stack for each sleep that is aborted.
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
