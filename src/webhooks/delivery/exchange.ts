/** One request and what came of it: undici's handler for it, which settles once with what is known by then. */
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../lib/clock.ts';

/** Of the answer, its head included; what comes after is never read: the connection is closed instead. */
export const ANSWER_MAX_BYTES = 64 * 1024;
const KEPT_MAX_BYTES = 1024;

export type Answer =
  /** `head`: how its body begins, as the bytes came. */
  | { status_code: number; retry_after: string | null; head: Buffer }
  | { error: Error & { code?: string } }
  /** Nothing came within the time. */
  | { late: true }
  /** Nobody waits for it any more. */
  | { abandoned: true };

/**
 * The status line is the receiver's answer: when the rest breaks off, is too long or too slow, it counts all the same,
 * with what came of the body.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  #settle: (answer: Answer) => void = () => undefined;
  #settled = false;
  #controller: Dispatcher.DispatchController | undefined;
  #status: { status_code: number; retry_after: string | null } | undefined;
  #kept: Buffer[] = [];
  #kept_bytes = 0;

  constructor() {
    this.answer = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Settles with the status that came, or with `otherwise`, and closes the connection if it is still in use. */
  end(otherwise: Answer): void {
    if (this.#settled) return;
    this.#settled = true;
    const head = Buffer.concat(this.#kept).subarray(0, KEPT_MAX_BYTES);
    this.#settle(this.#status ? { ...this.#status, head } : otherwise);
    this.#controller?.abort(ENDED);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled)
      controller.abort(ENDED); // while it waited for its connection
    else this.#controller = controller;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status_code: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Undici would fail on an assertion of its own, which tells nobody anything.
    if (status_code < 100) controller.abort(NO_STATUS);
    if (status_code < 200) return; // informational: the answer follows
    const retry_after = headers['retry-after'];
    this.#status = { status_code, retry_after: typeof retry_after === 'string' ? retry_after : null };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#kept_bytes >= KEPT_MAX_BYTES) return;
    this.#kept.push(chunk);
    this.#kept_bytes += chunk.length;
  }

  onResponseEnd(): void {
    this.#controller = undefined; // the connection is somebody else's now
    this.end({ error: ENDED });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#controller = undefined;
    this.end({ error });
  }
}

class AnswerTooLong extends Error {
  readonly code = 'ANSWER_TOO_LONG';
}

/**
 * Closes a connection on which an answer gets too long: before more of it is parsed, and with what one read of the
 * socket brings (64 KiB at most) beyond the limit. Counted here, because much of an answer is nobody's body: a status
 * line, informational answers, empty lines before them and a chunk's extension may have no end either.
 */
export function limitAnswers(socket: Socket): void {
  let written_bytes = 0;
  let read_bytes = 0;
  let answer_from = 0;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written_bytes) {
      written_bytes = socket.bytesWritten; // another request has been sent: its answer begins
      answer_from = read_bytes;
    }
    read_bytes = socket.bytesRead;
    if (read_bytes - answer_from > ANSWER_MAX_BYTES) socket.destroy(new AnswerTooLong());
  });
}

/** Made once: each of its own would be built with its stack. */
const ENDED = new Error('ended by us');
const NO_STATUS = Object.assign(new Error('a status below 100'), { code: 'NO_STATUS' });

/**
 * Ends those that take longer than `timeout_ms`. All have the same time, so the oldest is always the first: one sleep at
 * a time, for it, instead of a timer for each.
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
      // The clock was put back meanwhile: that gives nobody more than a whole attempt from here on.
      if (ends_at_ms > latest_ms)
        for (const [each, at_ms] of running) running.set(each, Math.min(at_ms, latest_ms));
      const left_ms = Math.min(ends_at_ms, latest_ms) - now_ms;
      // Many that hang began together: what closing them and connecting anew takes must not hold up the others at once.
      await (left_ms > 0 ? clock.sleep(left_ms, stopping.signal) : nextTurn());
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
