import { MutationCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

/** Only transient errors are retried: a refused request will be refused again. */
function isTransient(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status === 503;
}

/** The role of the user has changed since it was read: the pages must stop offering what was refused. */
function readRoleAgain(error: Error): void {
  if (error instanceof ApiError && error.code === 'role_missing')
    void queryClient.invalidateQueries({ queryKey: ['me'] });
}

export const queryClient = new QueryClient({
  mutationCache: new MutationCache({ onError: readRoleAgain }),
  defaultOptions: {
    // The service may run on this machine, where the browser's online state means nothing. And a withdrawal must fail
    // without a network, not be sent later.
    queries: {
      networkMode: 'always',
      staleTime: 2_000,
      retry: (count, error) => count < 2 && isTransient(error),
    },
    // Never retried: the first request may have taken effect.
    mutations: { networkMode: 'always', retry: false },
  },
});
