/** The span of one attempt of a delivery, in the trace of what its event tells. */
import type { Deps } from '../../deps.ts';
import { NO_SPAN, type Span } from '../../lib/traces.ts';
import { isAcknowledged, type PostResult } from '../../outgoing/post.ts';
import type { ClaimedDelivery } from '../store/delivery-store.ts';

/** Begins the span of an attempt. It has only host and port of the URL: its path and its query may be credentials of the receiver. */
export function traceAttempt({ traces }: Deps, url: string, delivery: ClaimedDelivery): Span {
  const { traceparent, id: delivery_id, endpoint_id, event_id, event, number } = delivery;
  if (traceparent === null) return NO_SPAN;
  const { protocol, hostname, port } = new URL(url);
  return traces.start('POST webhook', {
    kind: 'client',
    parent: traceparent,
    attributes: {
      delivery_id,
      endpoint_id,
      event_id,
      event,
      'http.request.method': 'POST',
      'http.request.resend_count': number - 1,
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    },
  });
}

/** Ends the span of an attempt. An answer other than 2xx is an error, and so is a missing answer. */
export function endAttempt(span: Span, result: PostResult): void {
  if (!('status_code' in result)) {
    span.end('abandoned' in result ? 'abandoned' : 'no_answer');
    return;
  }
  const { status_code } = result;
  span.set({ 'http.response.status_code': status_code });
  span.end(isAcknowledged(status_code) ? undefined : `${status_code}`);
}
