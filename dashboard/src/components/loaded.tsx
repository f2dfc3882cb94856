import { Box, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorAlert } from './error-alert.tsx';
import { ReadBefore } from './read-before.tsx';
import { useStandingError } from './standing-error.ts';

type Props<T> = {
  query: UseQueryResult<T>;
  lines?: number;
  /** The content says what is so now: it is not shown once it cannot be read again. */
  only_now?: boolean;
  children: (data: T) => ReactNode;
};

/**
 * Shows the content of a query, its error or a skeleton. Content stays while it is refetched. If that fails, it says
 * when it was read.
 */
export function Loaded<T>({ query, lines = 4, only_now = false, children }: Props<T>) {
  const { data, dataUpdatedAt: at, failureReason, isPlaceholderData } = query;
  const standing = useStandingError(query);
  const error = standing ?? (only_now ? failureReason : null);
  const retry = () => void query.refetch();
  if (data !== undefined && !(error && isPlaceholderData)) {
    if (error && only_now) return <ReadBefore {...{ error, at, retry }} shown={false} />;
    return (
      <>
        {error && (
          <Box mb="md">
            <ReadBefore {...{ error, at, retry }} />
          </Box>
        )}
        {children(data)}
      </>
    );
  }
  if (error) return <ErrorAlert error={error} retry={retry} />;
  return (
    <Stack gap="sm" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => `line-${index}`).map((key) => (
        <Skeleton key={key} height={22} radius="sm" />
      ))}
    </Stack>
  );
}
