import type { FastifyRequest } from 'fastify';
import { UNKNOWN_ROUTE } from '../lib/metrics/http-metrics.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { HttpApp } from './http-app.ts';

/** Counts and times every request of `app`. Call it before the routes are added. */
export function measureRequests(app: HttpApp, metrics: Metrics): void {
  const unanswered = new WeakMap<object, FastifyRequest>();
  // With callbacks, not promises: these run in every request.
  app.addHook('onRequest', (request, _reply, done) => {
    unanswered.set(request.raw.socket, request);
    done();
  });
  app.addHook('onResponse', (request, { statusCode: status, elapsedTime }, done) => {
    unanswered.delete(request.raw.socket);
    const [method, route] = [request.method, routeOf(request)];
    metrics.http_requests.inc({ method, route, status, code: request.error_code });
    const status_class = `${Math.trunc(status / 100)}xx`;
    metrics.http_request_duration_seconds.observe({ method, route, status_class }, elapsedTime / 1000);
    done();
  });
  // A request whose client went away has no response. One listener a connection: `onRequestAbort` adds one to each request,
  // which takes five times as long as all the rest of this file.
  app.server.on('connection', (socket) => {
    socket.once('close', () => {
      const request = unanswered.get(socket);
      if (request) metrics.http_requests_aborted.inc({ method: request.method, route: routeOf(request) });
    });
  });
}

/** Returns the route of a request for labels and names, because the number of routes is limited, and that of paths is not. */
export function routeOf({ is404, routeOptions }: FastifyRequest): string {
  return is404 ? UNKNOWN_ROUTE : (routeOptions.url ?? UNKNOWN_ROUTE);
}
