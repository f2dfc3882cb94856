import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { isNotFound } from '../api/client.ts';
import { walletQuery } from '../api/wallets.ts';
import { Failure } from '../parts/failure.tsx';
import { Page } from '../parts/page.tsx';
import { NotFound } from './not-found.tsx';

/** Pages of one wallet: none of them when it is not there for this user. */
export function WalletFrame() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId' });
  const { data, error, refetch } = useQuery(walletQuery(walletId));
  if (isNotFound(error)) return <NotFound />;
  // Once it was there the page stays, whatever fails later: it may hold what somebody has typed.
  if (error && !data)
    return (
      <Page title="The wallet could not be loaded">
        <Failure error={error} retry={() => void refetch()} />
      </Page>
    );
  return <Outlet />;
}
