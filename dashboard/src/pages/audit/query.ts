/** What the page asks the service for. */
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { QueryOf } from '../../api/operations.ts';
import { startOfDay } from '../../text/days.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import type { AuditSearch } from './search.ts';
import { isKnownAction } from './sentences.ts';

/** The filters for the API: whole days in the reader's time zone, including the last. The service refuses an unknown action. */
export function auditQuery({
  action,
  since,
  until,
  entry: _,
  ...filters
}: AuditSearch): QueryOf<'listAuditEntries'> {
  return withoutUndefined({
    ...filters,
    action: action !== undefined && isKnownAction(action) ? action : undefined,
    since: since && startOfDay(since).toISOString(),
    until: until && startOfDay(until, 1).toISOString(),
  });
}

/** The entry with this number; null when the reader may see no such entry. An entry never changes. */
export function entryQuery(seq: string) {
  return queryOptions({
    queryKey: ['audit', 'entry', seq],
    queryFn: async ({ signal }) => {
      const { items } = await api('listAuditEntries', { query: { seq: Number(seq), limit: 1 }, signal });
      return items[0] ?? null;
    },
  });
}
