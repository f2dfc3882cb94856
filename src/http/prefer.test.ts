import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePrefer, readPreferences } from './prefer.ts';

const read = (header: string | undefined) => {
  const { respond_async, wait_seconds } = readPreferences(header);
  return `${respond_async} ${wait_seconds}`;
};

test('respond-async and wait are read from a list, in any case, with parameters, among unknown preferences', () => {
  for (const header of [
    'respond-async, wait=10',
    'Respond-Async;x=y , WAIT = 10',
    'wait="10"; why="a, b; \\" c",respond-async=""',
    ',, foo; some="respond-async", respond-async, wait=10,',
    'return=minimal, respond-async,wait=10;',
  ])
    assert.equal(read(header), 'true 10', header);
});

test('the first of doubled preferences counts, and what is not understood is ignored', () => {
  assert.equal(read(undefined), 'false null');
  assert.equal(read('wait=1, wait=2'), 'false 1');
  assert.equal(read('respond-async=no, respond-async'), 'false null');
  assert.equal(read('respond-async, wait=soon, wait=5'), 'true null');
  assert.equal(read('respond async, wait=-1'), 'false null');
  assert.equal(read('foo="respond-async, wait=3'), 'false null');
  assert.equal(read('"respond-async"'), 'false null');
  assert.equal(read('respond-async, wait=99999999999'), 'true null');
  assert.deepEqual(
    [...parsePrefer('lenient, a=b; c=d')],
    [
      ['lenient', ''],
      ['a', 'b'],
    ],
  );
});

test('no header makes the parser throw, and its time is proportional to its length', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...',;="\\ ab-\t') }), (header) => void read(header)),
  );
  const long = `respond-async, x="${'\\"'.repeat(500_000)}`;
  const began = performance.now();
  assert.equal(read(long), 'true null');
  assert(performance.now() - began < 60_000); // by its square it would be hours
});
