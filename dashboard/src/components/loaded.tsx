import { Box, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ErrorAlert } from './error-alert.tsx';

/**
 * The query's error, kept while it is retried without data. Otherwise the page would alternate between the error and
 * the skeleton.
 */
export function useStandingError<T>({ data, error }: UseQueryResult<T>): Error | null {
  const [last, setLast] = useState<Error | null>(null);
  const standing = error ?? (data === undefined ? last : null);
  if (standing !== last) setLast(standing);
  return standing;
}

/** Shows the content of a query, its error or a skeleton. Content stays while it is refetched, even if that fails. */
export function Loaded<T>({
  query,
  lines = 4,
  children,
}: {
  query: UseQueryResult<T>;
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  const error = useStandingError(query);
  const failure = error && <ErrorAlert error={error} retry={() => void query.refetch()} />;
  if (query.data !== undefined) {
    return (
      <>
        {failure && <Box mb="md">{failure}</Box>}
        {children(query.data)}
      </>
    );
  }
  if (failure) return failure;
  return (
    <Stack gap="sm" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => `line-${index}`).map((key) => (
        <Skeleton key={key} height={22} radius="sm" />
      ))}
    </Stack>
  );
}
