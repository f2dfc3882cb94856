import { Alert, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isUnreachable } from '../api/client.ts';
import { reachableQuery } from '../api/reachable.ts';

const EVERY_MS = 3_000;

/** Says above every page that the service cannot be reached. Asks until the service answers, and then repeats every query that failed. */
export function UnreachableNotice() {
  const client = useQueryClient();
  const { error } = useQuery({ ...reachableQuery, refetchInterval: EVERY_MS });
  const unreachable = isUnreachable(error);
  useEffect(() => {
    if (!unreachable) return;
    return () => {
      const stuck = new Set(client.getQueryCache().findAll({ type: 'active', predicate: isStuck }));
      const them = { predicate: (query: Query) => stuck.has(query) };
      // A read that nobody answers any more would hold up the next one.
      void client.cancelQueries(them).then(() => client.refetchQueries(them));
    };
  }, [client, unreachable]);
  if (!unreachable) return null;
  return (
    <Alert
      className="unreachable"
      color="red"
      variant="filled"
      icon={<IconPlugConnectedX />}
      role="alert"
      mb="lg"
      maw={1180}
      mx="auto"
    >
      <Text fw={600}>The service cannot be reached.</Text>
      <Text size="sm">
        {navigator.onLine ? '' : 'This browser is offline. '}The page shows what was read before. It asks
        again every {EVERY_MS / 1_000} seconds, and goes on by itself.
      </Text>
    </Alert>
  );
}

const isStuck = ({ state }: Query) => state.status !== 'success' || state.fetchStatus === 'fetching';
