import { queryClient } from '../api/query-client.ts';
import { session } from '../api/session.ts';
import { forgetColumns } from '../pages/payouts/known-columns.ts';
import { forgetTyped } from '../pages/withdraw/draft.ts';

/** Ends the session in all tabs, and forgets all that the user has read and typed. */
export function forgetUser(): void {
  session.end();
  forgetTyped();
  forgetColumns();
  queryClient.clear();
}
