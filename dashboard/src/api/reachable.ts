/** Whether the service answers at all. The frame asks; every list and figure reads the answer here. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ApiError, api, isUnreachable } from './client.ts';

/** Longer silence means that the service cannot be reached. */
const PATIENCE_MS = 5_000;

export const reachableQuery = queryOptions({
  queryKey: ['reachable'],
  queryFn: async ({ signal }) => {
    await api('getService', { signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) });
    return true;
  },
  retry: false,
});

/** Why the service cannot be reached; null while it can be, or while nobody has asked. */
export function useUnreachable(): ApiError | null {
  const { error } = useQuery({ ...reachableQuery, enabled: false });
  return isUnreachable(error) ? error : null;
}
