import type { FastifyRequest } from 'fastify';
import { UNKNOWN_ROUTE } from '../lib/metrics/http-metrics.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { HttpApp } from './http-app.ts';

/** Counts and times every request of `app`. Call it before the routes are added. */
export function measureRequests(app: HttpApp, metrics: Metrics): void {
  app.addHook('onResponse', async (request, { statusCode, elapsedTime }) => {
    const of = { method: request.method, route: routeOf(request) };
    const status_class = `${Math.trunc(statusCode / 100)}xx`;
    metrics.http_requests.inc({ ...of, status: statusCode, code: request.error_code });
    metrics.http_request_duration_seconds.observe({ ...of, status_class }, elapsedTime / 1000);
  });
  // Such a request has no response, so that the hook above does not see it.
  app.addHook('onRequestAbort', async (request) => {
    metrics.http_requests_aborted.inc({ method: request.method, route: routeOf(request) });
  });
}

/** The number of routes is limited, that of paths is not. */
function routeOf({ is404, routeOptions }: FastifyRequest): string {
  return is404 ? UNKNOWN_ROUTE : (routeOptions.url ?? UNKNOWN_ROUTE);
}
