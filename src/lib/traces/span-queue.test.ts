import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { pino } from 'pino';
import { sampleOf } from '../../../test/support/metrics-text.ts';
import { createMetrics } from '../metrics.ts';
import { createSpanQueue } from './span-queue.ts';

const sampled = { spanContext: () => ({ traceFlags: 1 }) } as unknown as ReadableSpan;
const unsampled = { spanContext: () => ({ traceFlags: 0 }) } as unknown as ReadableSpan;

function start(sendBatch: SpanExporter['export']) {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line).msg) });
  const metrics = createMetrics();
  const exporter: SpanExporter = { export: sendBatch, shutdown: async () => {} };
  const dropped = async (reason: string) =>
    sampleOf(await metrics.registry.metrics(), 'teller_trace_spans_dropped_total', { reason });
  return { queue: createSpanQueue(exporter, { log, metrics }), lines, dropped };
}

test('while a collector hangs, 2,048 spans wait and later ones are counted, with one line', async () => {
  const answers: (() => void)[] = [];
  const sizes: number[] = [];
  const { queue, lines, dropped } = start((spans, done) => {
    sizes.push(spans.length);
    answers.push(() => done({ code: 0 }));
  });
  for (let span = 0; span < 3_000; span++) queue.onEnd(sampled);
  queue.onEnd(unsampled);
  assert.deepEqual(sizes, [512], 'one request at a time');
  assert.equal(await dropped('queue_full'), 3_000 - 512 - 2_048);
  assert.equal(lines.length, 1);
  const ended = queue.shutdown();
  while (sizes.length < 5) {
    answers.at(-1)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  answers.at(-1)?.();
  await ended;
  assert.equal(
    sizes.reduce((sum, size) => sum + size),
    512 + 2_048,
  );
  assert.equal(lines.length, 2, 'and one when it takes spans again');
});

for (const [fault, sendBatch] of [
  ['refuses spans', (_spans, done) => done({ code: 1 })],
  [
    'makes the exporter throw',
    () => {
      throw new Error('on purpose');
    },
  ],
] as [string, SpanExporter['export']][])
  test(`a collector that ${fault} costs the spans and nothing else`, async () => {
    const { queue, dropped } = start(sendBatch);
    for (let span = 0; span < 10; span++) queue.onEnd(sampled);
    await queue.shutdown();
    assert.equal(await dropped('not_accepted'), 10);
  });
