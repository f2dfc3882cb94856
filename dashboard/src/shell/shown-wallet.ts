import { useSessionStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { walletsQuery } from '../api/wallets.ts';

const KEY = 'stellar-teller-wallet';

/**
 * Returns the wallet whose pages the navigation offers: that of the page. On the pages of the team it is the last one that this
 * tab has shown, so that the user comes back to it, or the only one. A wallet that the user lost is not offered.
 */
export function useShownWallet(): string | undefined {
  const { walletId } = useParams({ strict: false });
  const wallets = useQuery(walletsQuery).data?.items;
  const [last, setLast] = useSessionStorage<string>({ key: KEY, getInitialValueInEffect: false });
  useEffect(() => {
    if (walletId) setLast(walletId);
  }, [walletId, setLast]);
  if (walletId) return walletId;
  const known = wallets?.find(({ id }) => id === last) ?? (wallets?.length === 1 ? wallets[0] : undefined);
  return known?.id;
}
