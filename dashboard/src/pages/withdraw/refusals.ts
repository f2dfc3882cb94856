/** Pure: the meaning of a refused withdrawal. */
import { ApiError, mayHaveTakenEffect } from '../../api/client.ts';

/**
 * Whether the service refused this request. Anything else (no response, a proxy's response, 409, 500, 504) leaves the
 * outcome open.
 */
export function isRefusal(error: Error): error is ApiError {
  return error instanceof ApiError && error.status !== 409 && !mayHaveTakenEffect(error);
}

/** `lost`: the response to an earlier request with the same key was lost. */
export function refusalMeaning({ code }: ApiError, lost: boolean): string {
  if (lost)
    return 'This attempt paid nothing. The response to an earlier attempt was lost. Its outcome appears here once it is known. Trying again is safe: it uses the same Idempotency-Key.';
  if (code === 'unauthenticated')
    return 'Your session had ended, so nothing was paid. Your input is still here. Review it and pay.';
  if (['network_unavailable', 'database_unavailable', 'service_stopping'].includes(code))
    return 'Nothing was paid. Try again in a moment.';
  if (code.startsWith('policy_'))
    return 'Nothing was paid. See Policies for the current rules and pending changes.';
  return 'Nothing was paid.';
}
