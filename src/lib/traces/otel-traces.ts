/** Traces by OpenTelemetry. Only an `import()` may load this file, and only where traces are on: its packages take 25 MB. */
import {
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { type Attributes, NO_SPAN, type Span, type Traces, traceFields, traceparentOf } from '../traces.ts';
import { version } from '../version.ts';
import { createSpanQueue } from './span-queue.ts';
import type { SamplerName, TraceSettings } from './trace-settings.ts';

const CLOSE_MS = 2_000;
/** No attribute of ours is nearly as long. */
const LONGEST_ATTRIBUTE = 1_024;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

export function createOtelTraces(
  settings: TraceSettings,
  { log, metrics }: { log: Log; metrics: Metrics },
): Traces {
  const { url, headers, resource, sampler, sampler_ratio } = settings;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...resource, 'service.version': version }),
    sampler: samplerOf(sampler, sampler_ratio),
    spanLimits: { attributeValueLengthLimit: LONGEST_ATTRIBUTE },
    spanProcessors: [createSpanQueue(new OTLPTraceExporter({ url, headers }), { log, metrics })],
  });
  const tracer = provider.getTracer('stellar-teller', version);
  return {
    start(name, { kind = 'internal', parent, links = [], attributes = {}, began } = {}) {
      if (parent === null) return NO_SPAN;
      const cause = contextOf(parent);
      const options = {
        kind: KINDS[kind],
        links: links.flatMap((link) => linkTo(link)),
        attributes: given(attributes),
        ...(began !== undefined && { startTime: began }),
      };
      return spanOf(
        tracer.startSpan(name, options, cause ? trace.setSpanContext(ROOT_CONTEXT, cause) : ROOT_CONTEXT),
      );
    },
    now: () => performance.timeOrigin + performance.now(),
    async close() {
      const late = new AbortController();
      const closed = provider
        .shutdown()
        .catch((error) => log.warn({ err: error }, 'spans could not be sent'));
      await Promise.race([closed, systemClock.sleep(CLOSE_MS, late.signal)]);
      late.abort();
    },
  };
}

type OtelSpan = ReturnType<ReturnType<TracerProvider['getTracer']>['startSpan']>;

function spanOf(span: OtelSpan): Span {
  const { traceId: trace_id, spanId: span_id, traceFlags } = span.spanContext();
  return {
    traceparent: traceparentOf({ trace_id, span_id, trace_flags: `0${traceFlags & 1}` }),
    set(attributes) {
      span.setAttributes(given(attributes));
    },
    end(error) {
      if (error !== undefined) {
        span.setAttribute('error.type', error);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

function contextOf(traceparent: string | undefined): SpanContext | null {
  const fields = traceFields(traceparent);
  if (fields === undefined) return null;
  const { trace_id: traceId, span_id: spanId, trace_flags } = fields;
  return { traceId, spanId, traceFlags: Number.parseInt(trace_flags, 16), isRemote: true };
}

function linkTo(traceparent: string | null): Link[] {
  const context = contextOf(traceparent ?? undefined);
  return context ? [{ context }] : [];
}

function given(attributes: Attributes): Record<string, string | number | boolean> {
  const all = Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(all) as Record<string, string | number | boolean>;
}

/** Returns the sampler with this name. Source of the names: OTEL_TRACES_SAMPLER in the specification of OpenTelemetry's environment variables. */
function samplerOf(name: SamplerName, ratio: number): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    default:
      return new ParentBasedSampler({ root: samplerOf(ROOTS[name], ratio) });
  }
}

const ROOTS = {
  parentbased_always_on: 'always_on',
  parentbased_always_off: 'always_off',
  parentbased_traceidratio: 'traceidratio',
} as const;
