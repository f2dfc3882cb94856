import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export const alertsQuery = queryOptions({
  queryKey: ['team', 'alerts'],
  queryFn: ({ signal }) => api('getAlerts', { signal }),
});
