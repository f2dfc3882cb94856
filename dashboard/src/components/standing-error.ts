import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useUnreachable } from '../api/reachable.ts';

/**
 * Why the content of a query is not there, or is from before. The error stays while it is retried without content of
 * its own: otherwise the page would alternate between the error and a skeleton, or rows of another query.
 */
export function useStandingError<T>(query: UseQueryResult<T>): Error | null {
  const unreachable = useUnreachable();
  const [last, setLast] = useState<Error | null>(null);
  const known = query.data !== undefined && !query.isPlaceholderData;
  const standing = query.error ?? (known ? null : (query.failureReason ?? last));
  if (standing !== last) setLast(standing);
  return standing ?? unreachable;
}
