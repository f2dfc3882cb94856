/** Wakes all who wait for the next ledger, and all for the last time when the server stops. */
export class LedgerWaiters {
  readonly #waiting = new Set<() => void>();
  readonly #stopping = new AbortController();

  get stopped(): AbortSignal {
    return this.#stopping.signal;
  }

  wakeAll(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  stop(): void {
    this.#stopping.abort();
    this.wakeAll();
  }

  /**
   * Resolves with the next ledger, when the signal aborts, or when the server stops; at once when that has
   * happened.
   */
  next(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.stopped.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}
