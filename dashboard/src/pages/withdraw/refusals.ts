/** Pure: what a refused withdrawal means. */
import { ApiError } from '../../api/client.ts';

/**
 * Whether this request was answered with no. Anything else (no answer, a proxy's own, 409, 500, 504) leaves open what
 * became of it.
 */
export function isRefusal(error: Error): error is ApiError {
  if (!(error instanceof ApiError) || error.code === 'unreadable') return false;
  return error.status === 503 || (error.status >= 400 && error.status < 500 && error.status !== 409);
}

export function refusalMeaning({ code }: ApiError): string {
  if (code === 'unauthenticated')
    return 'Your session had ended: nothing was paid. What you typed is still here, to be reviewed and paid.';
  if (code === 'network_unavailable' || code === 'database_unavailable')
    return 'Nothing was paid. Try again in a moment.';
  if (code.startsWith('policy_'))
    return 'Nothing was paid. See Policies for what the wallet may pay, and when that changes.';
  return 'Nothing was paid.';
}
