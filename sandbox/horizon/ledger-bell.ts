/** Wakes everybody who waits for the next ledger, and everybody for good when the server stops. */
export class LedgerBell {
  readonly #waiting = new Set<() => void>();
  readonly #stopping = new AbortController();

  get stopped(): AbortSignal {
    return this.#stopping.signal;
  }

  ring(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  stop(): void {
    this.#stopping.abort();
    this.ring();
  }

  /** Resolves with the next ledger, or when the signal aborts or the bell stops; at once when they already have. */
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
