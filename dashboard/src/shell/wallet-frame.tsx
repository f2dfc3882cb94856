import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { isNotFound } from '../api/client.ts';
import { walletQuery } from '../api/wallets.ts';
import { ErrorAlert } from '../components/error-alert.tsx';
import { WalletNotFound } from '../components/not-found.tsx';
import { Page } from '../components/page.tsx';
import { BlockedNotice } from './blocked-notice.tsx';

/** The pages of one wallet, or “not found” if the user has no such wallet. */
export function WalletFrame() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId' });
  const { data, error, refetch } = useQuery(walletQuery(walletId));
  if (isNotFound(error)) return <WalletNotFound />;
  // Once loaded, the page stays after later errors: it may hold input.
  if (error && !data)
    return (
      <Page title="The wallet could not be loaded">
        <ErrorAlert error={error} retry={() => void refetch()} />
      </Page>
    );
  return (
    <>
      <BlockedNotice walletId={walletId} />
      <Outlet />
    </>
  );
}
