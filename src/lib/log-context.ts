/**
 * What all log lines of a request have in common, wherever they are written. It follows the request through promises; loops
 * and batches, which work for many requests, leave it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** `withdrawal_id`: from the claim on, that of the withdrawal which the request has asked for. */
export type LogContext = { request_id: string; withdrawal_id?: string };

const contexts = new AsyncLocalStorage<LogContext | undefined>();

/** Runs `work` so that its log lines have these fields; undefined: without any. */
export function withLogContext<T>(context: LogContext | undefined, work: () => T): T {
  return contexts.run(context, work);
}

/** From now on the log lines of the running request have this id. */
export function noteWithdrawal(withdrawal_id: string): void {
  const context = contexts.getStore();
  if (context) context.withdrawal_id = withdrawal_id;
}

/** The context of the running request; undefined in a loop. */
export function logContext(): LogContext | undefined {
  return contexts.getStore();
}
