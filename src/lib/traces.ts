/**
 * Traces: spans of the work that a request or a payment causes, over loops and processes. Without
 * OTEL_EXPORTER_OTLP_ENDPOINT there is only NO_TRACES, which does nothing. With it, the code that sends spans is loaded
 * (traces/otel-traces.ts).
 *
 * A span is named to others by its *traceparent* (W3C Trace Context): `00-<trace id>-<span id>-<flags>`. Rows keep the
 * traceparent of the span that has made them, so that another process, after days perhaps, goes on with the same trace.
 */

/** Never a secret: no key, token, seed, envelope, signature, URL or value of SQL. Null and undefined are left out. */
export type Attributes = Record<string, string | number | boolean | null | undefined>;

export type SpanOptions = {
  /** `server`: it answers somebody. `client`: it asks somebody and waits. */
  kind?: 'server' | 'client' | 'internal';
  /** The traceparent of what caused it; null: that is not traced, so this is not either. Without it, the span begins a trace. */
  parent?: string | null;
  /** Traceparents of what else has to do with it, like the reading of a ledger that has many transactions. */
  links?: (string | null)[];
  attributes?: Attributes;
  /** From `now()`, for a span that is known to be one only later. */
  began?: number;
};

export type Span = {
  /** Null where nothing is traced. */
  readonly traceparent: string | null;
  set(attributes: Attributes): void;
  /** Ends the span. `error`: one of few words for what went wrong. Without this call, nothing of the span is sent. */
  end(error?: string): void;
};

export type Traces = {
  start(name: string, options?: SpanOptions): Span;
  /** Returns the time for `began`; 0 where nothing is traced. */
  now(): number;
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>;
};

/** What is not traced. */
export const NO_SPAN: Span = { traceparent: null, set() {}, end() {} };

export const NO_TRACES: Traces = { start: () => NO_SPAN, now: () => 0, close: async () => {} };

const TRACEPARENT = /^00-(?<trace_id>[0-9a-f]{32})-(?<span_id>[0-9a-f]{16})-(?<trace_flags>[0-9a-f]{2})$/;
/** Later versions may append fields; `ff` is no version. */
const LATER_VERSION = /^(?!00|ff)[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?=-|$)/;
const LONGEST = 512;

/** The fields of a log line, by the names that OpenTelemetry gives them. */
export type TraceFields = { trace_id: string; span_id: string; trace_flags: string };

/**
 * Reads the traceparent of a header, in the form of version 00. Returns null for an invalid one. Keeps the flag "sampled" alone. Source:
 * W3C Trace Context, 3.2: what cannot be read is ignored, and the trace begins here.
 */
export function readTraceparent(header: unknown): string | null {
  if (typeof header !== 'string' || header.length > LONGEST) return null;
  const [later] = LATER_VERSION.exec(header) ?? [];
  const text = later === undefined ? header : `00${later.slice(2)}`;
  const { trace_id, span_id, trace_flags } = TRACEPARENT.exec(text)?.groups ?? {};
  if (trace_id === undefined || /^0+$/.test(trace_id) || /^0+$/.test(span_id ?? '')) return null;
  return `00-${trace_id}-${span_id}-0${Number.parseInt(trace_flags ?? '', 16) & 1}`;
}

/** Returns the fields for the log lines of what is traced; undefined for null. */
export function traceFields(traceparent: string | null | undefined): TraceFields | undefined {
  return TRACEPARENT.exec(traceparent ?? '')?.groups as TraceFields | undefined;
}

export function traceparentOf({ trace_id, span_id, trace_flags }: Partial<TraceFields>): string | null {
  return trace_id === undefined ? null : `00-${trace_id}-${span_id}-${trace_flags}`;
}
