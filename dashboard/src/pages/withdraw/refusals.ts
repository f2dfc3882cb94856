/** Pure: what a refused withdrawal means. */
import { ApiError, mayHaveTakenEffect } from '../../api/client.ts';

/**
 * Whether this request was answered with no. Anything else (no answer, a proxy's own, 409, 500, 504) leaves open what
 * became of it.
 */
export function isRefusal(error: Error): error is ApiError {
  return error instanceof ApiError && error.status !== 409 && !mayHaveTakenEffect(error);
}

/** `lost`: an answer was lost before, to what was sent with the same key. */
export function refusalMeaning({ code }: ApiError, lost: boolean): string {
  if (lost)
    return 'This attempt paid nothing. The response to an earlier attempt was lost. Its outcome appears here once it is known. Trying again is safe: it uses the same Idempotency-Key.';
  if (code === 'unauthenticated')
    return 'Your session had ended, so nothing was paid. Your input is still here. Review it and pay.';
  if (code === 'network_unavailable' || code === 'database_unavailable')
    return 'Nothing was paid. Try again in a moment.';
  if (code.startsWith('policy_'))
    return 'Nothing was paid. See Policies for the current rules and pending changes.';
  return 'Nothing was paid.';
}
