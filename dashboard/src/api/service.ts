import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** The service's network and its explorer for transactions. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: ({ signal }) => api('getService', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
