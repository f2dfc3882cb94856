import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { copyOf } from './copy.ts';

test('a copy of evidence is what a structured clone is, and a change of it changes nothing else', () => {
  const row = { id: 'wd_1', amount_stroops: 2n ** 63n, at: new Date(5), none: null, left_out: undefined };
  class Json {
    text = '1';
  }
  const evidence = {
    rows: [row],
    paid: { row },
    sequences: new Map([['wal_1', { last: 7n, row }]]),
    seen: new Set([row]),
    data: new Json(),
  };
  const before = structuredClone(evidence);
  const copy = copyOf(evidence);
  assert.deepEqual(structuredClone(copy), before);
  assert.equal(copy.rows[0], copy.paid.row, 'what is there twice is there twice');
  copy.paid.row.amount_stroops = 1n;
  copy.paid.row.at.setTime(6);
  copy.data.text = '2';
  copy.seen.clear();
  copy.sequences.clear();
  copy.rows.pop();
  assert.deepEqual(structuredClone(evidence), before);
  assert.throws(() => copyOf({ bytes: Buffer.alloc(1) }), /bytes/);
});
