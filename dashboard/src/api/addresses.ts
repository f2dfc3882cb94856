import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export function addressQuery(walletId: string, addressId: string) {
  return queryOptions({
    queryKey: ['wallet', walletId, 'address', addressId],
    queryFn: ({ signal }) => api('getDepositAddress', { id: walletId, address_id: addressId, signal }),
  });
}
