import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { walletQuery } from '../api/wallets.ts';
import { Failure } from '../parts/failure.tsx';
import { NotFound } from './not-found.tsx';

/** Pages of one wallet: none of them when it is not there for this user. */
export function WalletFrame() {
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId' });
  const { error } = useQuery(walletQuery(walletId));
  if (error instanceof ApiError && error.status === 404) return <NotFound />;
  if (error) return <Failure error={error} />;
  return <Outlet />;
}
