/**
 * What all log lines of a request have in common, wherever they are written. It follows the request through promises; loops
 * and batches, which work for many requests, leave it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type TraceFields, traceparentOf } from './traces.ts';

/**
 * `withdrawal_id`: from the claim on, that of the withdrawal which the request has asked for. The fields of its span are there
 * where requests are traced.
 */
export type LogContext = { request_id: string; withdrawal_id?: string } & Partial<TraceFields>;

const contexts = new AsyncLocalStorage<LogContext | undefined>();

/** Runs `work` so that its log lines have these fields; undefined: without any. */
export function withLogContext<T>(context: LogContext | undefined, work: () => T): T {
  return contexts.run(context, work);
}

/** Adds this id to the later log lines of the running request. */
export function noteWithdrawal(withdrawal_id: string): void {
  const context = contexts.getStore();
  if (context) context.withdrawal_id = withdrawal_id;
}

/** Returns the context of the running request; undefined in a loop. */
export function logContext(): LogContext | undefined {
  return contexts.getStore();
}

/** Returns the traceparent of the span of the running request, for the spans that it causes; null in a loop, and where nothing is traced. */
export function currentTraceparent(): string | null {
  return traceparentOf(contexts.getStore() ?? {});
}
