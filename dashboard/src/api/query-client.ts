import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

/** What may be different a moment later is asked for again; what was refused will be refused again. */
function isTransient(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status === 503;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // The service may be on this machine: whether the browser takes itself to be online says nothing. And an order that
    // was given without a network must fail, and not be sent later by itself.
    queries: {
      networkMode: 'always',
      staleTime: 2_000,
      retry: (count, error) => count < 2 && isTransient(error),
    },
    // Never again by itself: what was sent may have taken effect.
    mutations: { networkMode: 'always', retry: false },
  },
});
