import { askWhoIsSignedIn } from '../api/client.ts';
import { meQuery } from '../api/me.ts';
import { queryClient } from '../api/query-client.ts';
import { session } from '../api/session.ts';
import { forgetTyped } from '../pages/withdraw/draft.ts';

/**
 * Whether somebody is signed in here. A tab without a user asks: the page itself is loaded without the cookie when a link of
 * another site leads to it, and only what the page then asks for carries the cookie. @throws ApiError
 */
export async function isSignedIn(): Promise<boolean> {
  if (session.current()) return true;
  const me = session.markedUser() === null ? null : await askWhoIsSignedIn();
  if (!me) return false;
  forgetTyped(); // the input of a user who is signed out by now
  queryClient.setQueryData(meQuery.queryKey, me);
  session.join(me);
  return true;
}
