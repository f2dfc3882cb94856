import { setTimeout as delay } from 'node:timers/promises';

/** The only source of time for everything that decides by time, so that tests and simulations can own it. */
export type Clock = {
  now(): Date;
  /** Resolves after `ms` milliseconds, or at once (never rejecting) when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) => delay(ms, undefined, signal ? { signal } : {}).catch(ignoreAbort),
};

function ignoreAbort(error: Error): void {
  if (error.name !== 'AbortError') throw error;
}
