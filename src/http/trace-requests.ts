import type { FastifyRequest } from 'fastify';
import { readTraceparent, type Span, type Traces, traceFields } from '../lib/traces.ts';
import type { HttpApp } from './http-app.ts';
import { routeOf } from './measure-requests.ts';

/**
 * Traces every request to the API (not those to pages and to /healthz), as a part of the trace that its `traceparent` names,
 * if it has one. Call it before the routes are added, and only where requests are traced.
 */
export function traceRequests(app: HttpApp, traces: Traces): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  const unanswered = new WeakMap<object, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, protocol, headers } = request;
    const route = routeOf(request);
    if (!route.startsWith('/v1/')) return done();
    const parent = readTraceparent(headers.traceparent) ?? undefined;
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'url.scheme': protocol,
      request_id: request.id,
    };
    const span = traces.start(`${method} ${route}`, {
      kind: 'server',
      attributes,
      ...(parent !== undefined && { parent }),
    });
    Object.assign(request.log_context, traceFields(span.traceparent));
    spans.set(request, span);
    unanswered.set(request.raw.socket, span);
    done();
  });
  app.addHook('onResponse', (request, { statusCode: status }, done) => {
    const span = spans.get(request);
    unanswered.delete(request.raw.socket);
    span?.set({
      ...subjectOf(request),
      'http.response.status_code': status,
      error_code: request.error_code || null,
    });
    // A span of a server is an error only when the fault is the server's. A 504 of a withdrawal is no fault: it goes on.
    span?.end(status >= 500 && request.error_code !== 'outcome_pending' ? `${status}` : undefined);
    done();
  });
  // A client that went away: no response, and no error.
  app.server.on('connection', (socket) => {
    socket.once('close', () => unanswered.get(socket)?.end());
  });
}

/**
 * Returns what a request is about, for its span. There is no wallet before the guard has let the request in, and no withdrawal
 * before its claim.
 */
function subjectOf({ wallet, log_context }: FastifyRequest) {
  return { wallet_id: wallet?.id, withdrawal_id: log_context.withdrawal_id };
}
