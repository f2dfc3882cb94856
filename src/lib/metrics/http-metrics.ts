import { Counter, Histogram, type Registry } from 'prom-client';

/** From a read of one row to a request that waits for the outcome of a withdrawal. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The route of a request to a path that no operation has: paths of strangers must not become labels. */
export const UNKNOWN_ROUTE = 'unknown';

/** Requests to the API and the dashboard. `route` is the pattern of the path, never the path itself. */
export function createHttpMetrics(registers: Registry[]) {
  return {
    http_requests: new Counter({
      name: 'teller_http_requests_total',
      help: 'Answered requests, by method, route, status and error code; the code is empty for a success',
      labelNames: ['method', 'route', 'status', 'code'] as const,
      registers,
    }),
    http_request_duration_seconds: new Histogram({
      name: 'teller_http_request_duration_seconds',
      help: 'Seconds from the head of a request to the last byte of its response, by method, route and class of status',
      labelNames: ['method', 'route', 'status_class'] as const,
      buckets: SECONDS,
      registers,
    }),
    http_requests_aborted: new Counter({
      name: 'teller_http_requests_aborted_total',
      help: 'Requests whose client went away before the response was sent: no fault of the service',
      labelNames: ['method', 'route'] as const,
      registers,
    }),
  };
}
