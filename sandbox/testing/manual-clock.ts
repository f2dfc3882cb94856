import type { Clock } from '../clock.ts';

type Sleeper = { at_ms: number; wake: () => void };

/** A clock that stands still until it is told to move. */
export class ManualClock implements Clock {
  #now_ms: number;
  #sleepers: Sleeper[] = [];

  constructor(now_s: number) {
    this.#now_ms = now_s * 1000;
  }

  now(): Date {
    return new Date(this.#now_ms);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || ms <= 0) return Promise.resolve();
    return new Promise((wake) => {
      this.#sleepers.push({ at_ms: this.#now_ms + ms, wake });
      signal?.addEventListener('abort', () => wake(), { once: true });
    });
  }

  /** Moves the time, waking whoever is due, and lets them run. */
  async advance(ms: number): Promise<void> {
    this.#now_ms += ms;
    const due = this.#sleepers.filter(({ at_ms }) => at_ms <= this.#now_ms);
    this.#sleepers = this.#sleepers.filter(({ at_ms }) => at_ms > this.#now_ms);
    for (const { wake } of due) wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
