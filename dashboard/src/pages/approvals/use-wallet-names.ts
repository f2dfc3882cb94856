import { useQuery } from '@tanstack/react-query';
import { walletsQuery } from '../../api/wallets.ts';

/** The name of a wallet by its id, which stands for a name that the member does not see. Undefined until the wallets are read. */
export function useWalletNames(): ((wallet_id: string) => string) | undefined {
  const { data } = useQuery(walletsQuery);
  return data && ((wallet_id) => data.items.find(({ id }) => id === wallet_id)?.name ?? wallet_id);
}
