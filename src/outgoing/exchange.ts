/** One HTTP request and its answer: a handler for undici that gives one answer, also when the answer is incomplete. */
import { setImmediate } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Clock } from '../lib/clock.ts';

/** The most that is read of an answer, its header section included: then the connection is closed. */
export const ANSWER_MAX_BYTES = 64 * 1024;
const KEPT_MAX_BYTES = 1024;

export type Answer =
  /** `head`: the first bytes of the body. */
  | { status_code: number; retry_after: string | null; head: Buffer }
  | { error: Error & { code?: string } }
  /** No status line came within the time. */
  | { late: true }
  /** The sender stopped waiting. */
  | { abandoned: true };

/** The status line decides: it counts even when the rest of the answer breaks off, is too long or too slow. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  #resolve: (answer: Answer) => void = () => undefined;
  #ended = false;
  #controller: Dispatcher.DispatchController | undefined;
  #status: { status_code: number; retry_after: string | null } | undefined;
  #kept: Buffer[] = [];
  #kept_bytes = 0;

  constructor() {
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Answers with the status that came, or with `otherwise`. Closes the connection if the request still uses it. */
  end(otherwise: Answer): void {
    if (this.#ended) return;
    this.#ended = true;
    const head = Buffer.concat(this.#kept).subarray(0, KEPT_MAX_BYTES);
    this.#resolve(this.#status ? { ...this.#status, head } : otherwise);
    this.#controller?.abort(ENDED);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#ended)
      controller.abort(ENDED); // it ended while it waited for a connection
    else this.#controller = controller;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status_code: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Otherwise an assertion inside undici fails, without a useful message.
    if (status_code < 100) controller.abort(NO_STATUS);
    if (status_code < 200) return; // informational: the final answer follows
    const retry_after = headers['retry-after'];
    this.#status = { status_code, retry_after: typeof retry_after === 'string' ? retry_after : null };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#kept_bytes >= KEPT_MAX_BYTES) return;
    this.#kept.push(chunk);
    this.#kept_bytes += chunk.length;
  }

  onResponseEnd(): void {
    this.#controller = undefined; // another request may use the connection now
    this.end({ error: ENDED });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#controller = undefined;
    this.end({ error });
  }
}

/** Made once: building an error with its stack for each request takes time. */
const ENDED = new Error('ended by us');
const NO_STATUS = Object.assign(new Error('a status below 100'), { code: 'NO_STATUS' });

/**
 * Ends exchanges that take longer than `timeout_ms`. All have the same timeout, so the oldest ends first: one sleep for
 * the oldest replaces a timer for each.
 */
export function createDeadlines(clock: Clock, timeout_ms: number) {
  const stopping = new AbortController();
  const running = new Map<Exchange, number>();
  let watching = false;

  async function watch(): Promise<void> {
    watching = true;
    for (const [exchange, ends_at_ms] of running) {
      const now_ms = clock.now().getTime();
      const latest_ms = now_ms + timeout_ms;
      // When the clock was set back, every exchange ends within one timeout from now.
      if (ends_at_ms > latest_ms)
        for (const [each, at_ms] of running) running.set(each, Math.min(at_ms, latest_ms));
      const left_ms = Math.min(ends_at_ms, latest_ms) - now_ms;
      // Exchanges that hang often began together. One per turn of the event loop: closing all at once would delay others.
      await (left_ms > 0 ? clock.sleep(left_ms, stopping.signal) : setImmediate());
      if (stopping.signal.aborted) break;
      if (running.delete(exchange)) exchange.end({ late: true });
    }
    watching = false;
  }

  return {
    add(exchange: Exchange): void {
      running.set(exchange, clock.now().getTime() + timeout_ms);
      if (!watching) void watch();
    },
    delete: (exchange: Exchange) => running.delete(exchange),
    stop: () => stopping.abort(),
  };
}
