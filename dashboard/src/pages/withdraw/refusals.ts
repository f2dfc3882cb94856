/** Pure: what a refused withdrawal means. */
import { ApiError, mayBeDone } from '../../api/client.ts';

/**
 * Whether this request was answered with no. Anything else (no answer, a proxy's own, 409, 500, 504) leaves open what
 * became of it.
 */
export function isRefusal(error: Error): error is ApiError {
  return error instanceof ApiError && error.status !== 409 && !mayBeDone(error);
}

/** `lost`: an answer was lost before, to what was sent with the same key. */
export function refusalMeaning({ code }: ApiError, lost: boolean): string {
  if (lost)
    return 'Nothing was paid by this try. What became of the one before, whose answer was lost, is still looked for, and shown here. Trying again is safe: it carries the same Idempotency-Key.';
  if (code === 'unauthenticated')
    return 'Your session had ended: nothing was paid. What you typed is still here, to be reviewed and paid.';
  if (code === 'network_unavailable' || code === 'database_unavailable')
    return 'Nothing was paid. Try again in a moment.';
  if (code.startsWith('policy_'))
    return 'Nothing was paid. See Policies for what the wallet may pay, and when that changes.';
  return 'Nothing was paid.';
}
