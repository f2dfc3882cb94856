import {
  keepPreviousData,
  type QueryKey,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type ListPage, withNewest, withOlder } from './infinite-list.ts';

export type InfiniteList<Row> = {
  queryKey: QueryKey;
  /** Newest first; without a cursor the first page. `page` belongs into the query, `given` beside it. */
  fetchPage: (page: { cursor?: string }, given: { signal?: AbortSignal }) => Promise<ListPage<Row>>;
};

type PageRequest = { queryKey: QueryKey; cursor: string };

/** A list that refreshes its newest rows while `live`, and loads older ones with `loadOlder`. */
export function useInfiniteList<Row extends { id: string }>(
  { queryKey, fetchPage }: InfiniteList<Row>,
  live: boolean,
) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const newest = await fetchPage({}, { signal });
      const list = client.getQueryData<ListPage<Row>>(queryKey);
      return list ? withNewest(list, newest) : newest;
    },
    placeholderData: keepPreviousData,
    structuralSharing: false, // a comparison of 100,000 rows every two seconds is slow
    refetchInterval: live ? 2_000 : false,
    refetchOnWindowFocus: live,
  });
  const older = useMutation({
    mutationFn: ({ cursor }: PageRequest) => fetchPage({ cursor }, {}),
    onSuccess: (page, asked) =>
      client.setQueryData<ListPage<Row>>(
        asked.queryKey,
        (list) => list && withOlder(list, asked.cursor, page),
      ),
  });
  const cursor = query.isPlaceholderData ? null : (query.data?.next_cursor ?? null);
  return {
    query,
    hasOlder: cursor !== null,
    older,
    loadOlder: () => {
      if (cursor !== null && !older.isPending) older.mutate({ queryKey, cursor });
    },
  };
}
