import { queryClient } from '../api/query-client.ts';
import { MARK, session } from '../api/session.ts';
import { forgetTyped } from '../pages/withdraw/draft.ts';
import { forgetUser } from './forget-user.ts';

type Router = { navigate(to: { to: '/login' }): Promise<void>; invalidate(): Promise<void> };

/** Follows sign-ins and sign-outs in other tabs: one browser has one session. */
export function joinOtherTabs(router: Router): void {
  window.addEventListener('storage', ({ key }) => {
    if (key !== MARK && key !== null) return; // null: somebody has cleared the data of the site
    const user_id = session.markedUser();
    const current = session.current();
    if (user_id === null) {
      if (!current) return;
      forgetUser();
      void router.navigate({ to: '/login' });
    } else if (!current) {
      void router.invalidate(); // the sign-in page goes on to the wallets
    } else if (user_id === current.user.id) {
      session.join(current.user);
      void queryClient.invalidateQueries();
    } else {
      session.leave();
      forgetTyped();
      window.location.assign('/wallets');
    }
  });
}
