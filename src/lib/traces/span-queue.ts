/**
 * Ended spans, on their way to the collector. The queue is bounded: while the collector is away or slow, spans are dropped and
 * counted, and nobody waits.
 */
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** The defaults that OpenTelemetry gives OTEL_BSP_MAX_QUEUE_SIZE and so on. */
const MOST_WAITING = 2_048;
const BATCH = 512;
const PAUSE_MS = 5_000;
/** ExportResultCode.SUCCESS of @opentelemetry/core, which is an enum in a package that nothing else here needs. */
const SUCCESS = 0;

export function createSpanQueue(
  exporter: SpanExporter,
  { log, metrics }: { log: Log; metrics: Metrics },
): SpanProcessor {
  let waiting: ReadableSpan[] = [];
  let sending: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  let losing = false;

  function dropped(spans: number, reason: string): void {
    metrics.trace_spans_dropped.inc({ reason }, spans);
    if (!losing) log.warn({ reason }, LOST);
    losing = true;
  }

  function accepted(): void {
    if (losing) log.info('the collector takes the spans of traces again');
    losing = false;
  }

  /** Sends one request at a time: a collector that hangs holds one connection. */
  function send(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (sending || waiting.length === 0) return;
    const batch = waiting.slice(0, BATCH);
    waiting = waiting.slice(BATCH);
    sending = exported(batch).then((taken) => {
      sending = null;
      if (taken) accepted();
      else dropped(batch.length, 'not_accepted');
      if (waiting.length >= BATCH || closed) send();
      else if (waiting.length > 0) sendSoon();
    });
  }

  function sendSoon(): void {
    timer ??= setTimeout(send, PAUSE_MS).unref();
  }

  /** Exports a batch. Returns false also for an exporter that throws: nobody but the collector misses the spans. */
  function exported(batch: ReadableSpan[]): Promise<boolean> {
    const answer = new Promise<boolean>((resolve) =>
      exporter.export(batch, ({ code }) => resolve(code === SUCCESS)),
    );
    return answer.catch(() => false);
  }

  return {
    onStart() {},
    onEnd(span) {
      if ((span.spanContext().traceFlags & 1) === 0) return;
      if (closed || waiting.length >= MOST_WAITING) return dropped(1, 'queue_full');
      waiting.push(span);
      if (waiting.length >= BATCH) send();
      else sendSoon();
    },
    async forceFlush() {
      while (sending || waiting.length > 0) {
        send();
        await sending;
      }
    },
    async shutdown() {
      closed = true;
      await this.forceFlush();
      await exporter.shutdown();
    },
  };
}

const LOST =
  'Spans of traces are lost: the collector of OTEL_EXPORTER_OTLP_ENDPOINT does not take them. Requests and payments are not ' +
  'affected; teller_trace_spans_dropped_total counts them.';
