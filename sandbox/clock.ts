/** The only source of time for everything that depends on it, so that tests and simulations can set the time. */
export type Clock = {
  now(): Date;
  /** Resolves after `ms` milliseconds. Resolves at once, and never rejects, when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  now: () => new Date(),
  // Not the promise of node:timers: it builds an error with a stack for each sleep that is cut short.
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
