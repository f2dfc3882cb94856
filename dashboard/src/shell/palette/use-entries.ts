import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import { useWallets } from '../../api/wallets.ts';
import { useShownWallet } from '../shown-wallet.ts';
import type { Entry } from './entry.ts';
import { explainEntries, foundEntries } from './found-entries.tsx';
import { ownEntries } from './own-entries.ts';

/** Of one letter nearly everything has a part. */
const SHORTEST = 2;
const HASH = /^[0-9a-f]{64}$/i;
/** Wallets for which a hash can be explained, where none is shown. */
const EXPLAINED = 5;

/** Returns what the text finds. `isSearching`: the service has not answered for this text yet. */
export function useEntries(text: string): { entries: Entry[]; isSearching: boolean; error: Error | null } {
  const walletId = useShownWallet();
  const wallets = useWallets();
  const may = useMay();
  const [typed] = useDebouncedValue(text, 200);
  const isSought = text.length >= SHORTEST;
  const { data, isFetching, error } = useQuery({
    queryKey: ['search', typed],
    queryFn: ({ signal }) => api('searchWallets', { query: { search: typed }, signal }),
    enabled: isSought && typed === text,
    staleTime: 0,
  });
  const isSearching = isSought && (typed !== text || isFetching);
  const wallet = wallets.find(({ id }) => id === walletId);
  const nameOf = (id: string) => wallets.find((one) => one.id === id)?.name ?? id;
  const found = isSought && typed === text ? foundEntries(data?.items ?? [], nameOf) : [];
  const own = ownEntries(text, { wallet, may });
  const isUnknown = data !== undefined && typed === text && found.length === 0 && HASH.test(text);
  const explained = wallet ? [wallet] : wallets.slice(0, EXPLAINED);
  const more = isUnknown ? explainEntries(text.toLowerCase(), explained) : found;
  return { entries: [...own, ...more], isSearching, error: isSearching || !isSought ? null : error };
}
