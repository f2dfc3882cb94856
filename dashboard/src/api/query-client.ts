import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

/** Only transient errors are retried: a refused request will be refused again. */
function isTransient(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status === 503;
}

export const queryClient = new QueryClient({
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
