import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTraceparent, traceFields, traceparentOf } from './traces.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('a traceparent of any version is read as one of version 00, with no flag but "sampled"', () => {
  for (const [header, flags] of [
    [`00-${TRACE}-${SPAN}-01`, '01'],
    [`00-${TRACE}-${SPAN}-00`, '00'],
    [`00-${TRACE}-${SPAN}-ff`, '01'],
    [`00-${TRACE}-${SPAN}-02`, '00'],
    [`01-${TRACE}-${SPAN}-01`, '01'],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`, '01'],
  ] as const)
    assert.equal(readTraceparent(header), `00-${TRACE}-${SPAN}-${flags}`, header);
});

test('what is no traceparent is ignored', () => {
  for (const header of [
    undefined,
    '',
    [`00-${TRACE}-${SPAN}-01`],
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-01.`,
    `cc-${TRACE}-${SPAN}-01.what`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-01\n`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    `cc-${TRACE}-${SPAN}-01-${'x'.repeat(1_000)}`,
  ])
    assert.equal(readTraceparent(header), null, String(header).slice(0, 80));
});

test('a traceparent and the fields of a log line tell the same', () => {
  const traceparent = `00-${TRACE}-${SPAN}-01`;
  const fields = traceFields(traceparent);
  assert.deepEqual({ ...fields }, { trace_id: TRACE, span_id: SPAN, trace_flags: '01' });
  assert.equal(traceparentOf(fields ?? {}), traceparent);
  assert.equal(traceFields(null), undefined);
  assert.equal(traceparentOf({}), null);
});
