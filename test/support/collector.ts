/** A receiver of OpenTelemetry's spans on loopback (OTLP over HTTP, JSON): keeps every request as it came. */
import { type Answering, type Receiver, startReceiver } from './receiver.ts';

export type SentSpan = {
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  linked_traces: string[];
  is_error: boolean;
  resource: Record<string, unknown>;
};

export type Collector = Receiver & {
  spans(): SentSpan[];
  /** Every byte that has come, with paths and headers. */
  everything(): string;
};

export async function startCollector(answering: number | Answering = accept): Promise<Collector> {
  const receiver = await startReceiver(answering);
  return {
    ...receiver,
    spans: () => receiver.requests.flatMap(({ body }) => spansIn(JSON.parse(body.toString()))),
    everything: () =>
      receiver.requests
        .map(({ path, raw_headers, body }) => [path, ...raw_headers, body].join('\n'))
        .join('\n'),
  };
}

const accept: Answering = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
};

function spansIn({ resourceSpans }: any): SentSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({
        trace_id: span.traceId,
        span_id: span.spanId,
        parent_span_id: span.parentSpanId || null,
        name: span.name,
        kind: span.kind,
        attributes: valuesOf(span.attributes),
        linked_traces: (span.links ?? []).map(({ traceId }: any) => traceId),
        is_error: span.status?.code === 2,
        resource: valuesOf(resource.attributes),
      })),
    ),
  );
}

function valuesOf(attributes: any[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
