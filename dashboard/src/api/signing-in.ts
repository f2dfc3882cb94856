import { ApiError, askWhoIsSignedIn } from './client.ts';
import type { Me } from './contract.ts';

const NOT_KEPT = {
  status: 401,
  code: 'cookie_not_kept',
  message:
    'The service accepted the sign-in, but this browser did not keep its cookie. Allow cookies for this site. At this machine, try http://localhost in place of an address of digits.',
};

/**
 * After an operation that signs this user in: gives the user, as the service knows the browser now.
 * @throws ApiError `cookie_not_kept` when the browser has not kept the cookie
 */
export async function requireSignedIn(user_id: string): Promise<Me> {
  const me = await askWhoIsSignedIn();
  if (me?.id !== user_id) throw new ApiError(NOT_KEPT);
  return me;
}
