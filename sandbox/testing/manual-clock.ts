import type { Clock } from '../clock.ts';

type Sleeper = { at_ms: number; wake: () => void };

/** A clock that moves only when the test moves it. */
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

  /** Moves the time, wakes sleepers whose time has come, and lets them run. */
  async advance(ms: number): Promise<void> {
    this.#now_ms += ms;
    const due = this.#sleepers.filter(({ at_ms }) => at_ms <= this.#now_ms);
    this.#sleepers = this.#sleepers.filter(({ at_ms }) => at_ms > this.#now_ms);
    for (const { wake } of due) wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
