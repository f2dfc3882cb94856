import { Text } from '@mantine/core';
import { isUnreachable } from '../api/client.ts';
import { DateTime } from './date-time.tsx';
import { ErrorAlert } from './error-alert.tsx';

type Props = {
  error: Error;
  /** When the content was read, in ms since 1970. */
  at: number;
  retry: () => void;
  /** False if the content itself is not shown. */
  shown?: boolean;
};

/** Marks content that could not be read again. That the service cannot be reached is said once, above the page. */
export function ReadBefore({ error, at, retry, shown = true }: Props) {
  const read = <DateTime at={new Date(at).toISOString()} seconds />;
  const words = shown ? (
    <>Read at {read}. It may have changed since.</>
  ) : (
    <>Not known now. Last read at {read}.</>
  );
  if (!isUnreachable(error))
    return (
      <ErrorAlert error={error} retry={retry}>
        {words}
      </ErrorAlert>
    );
  return (
    <Text size="sm" fw={550} role="status">
      {words}
    </Text>
  );
}
