/**
 * The claim of the running request on its Idempotency-Key, from the hook that claims the key to the transaction that makes
 * something. It follows the request as its log context does: loops and batches, which work for many requests, have none.
 */
import { AppError } from '../lib/errors.ts';
import { type LogContext, logContext } from '../lib/log-context.ts';
import type { Trx } from './database.ts';
import { type Claim, type Made, recordMade } from './idempotent-requests.ts';

const claims = new WeakMap<LogContext, Claim>();

/** Notes the claim of the request that has this context. */
export function noteClaim(context: LogContext, claim: Claim): void {
  claims.set(context, claim);
}

/** Returns the claim with which the running request may still make something. */
export function claimOfRequest(): Claim | null {
  const context = logContext();
  const claim = context && claims.get(context);
  return claim && !claim.made ? claim : null;
}

/**
 * Records in the transaction of the change what the request has made.
 * @throws AppError `idempotency_key_in_flight` when the claim has gone to another request: so the transaction makes nothing
 */
export async function requireClaim(trx: Trx, claim: Claim, made: Made, now: Date): Promise<void> {
  if (await recordMade(trx, claim, made, now)) return;
  const message =
    'This request took so long that another one with its Idempotency-Key took its place; it changed nothing.';
  throw new AppError('idempotency_key_in_flight', message, { retry_after_seconds: 1 });
}
