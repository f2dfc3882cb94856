import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** Of this service as a whole: its network and where transactions can be looked at. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: ({ signal }) => api('getService', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
