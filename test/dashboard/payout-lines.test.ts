import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupedByLine } from '../../dashboard/src/pages/payouts/line-groups.ts';

const said = (lines: (number | null)[], message = 'is required') =>
  lines.map((line) => ({ line, row: line === null ? null : line - 1, message }));
const wordsOf = (lines: (number | null)[]) =>
  groupedByLine(said(lines), ({ message }) => message).map((group) => group.lines);

test('what is said of many lines is said once, with all its lines', () => {
  const range = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at);
  assert.deepEqual(wordsOf([2]), ['Line 2']);
  assert.deepEqual(wordsOf(range(2, 31)), ['Lines 2–31']);
  assert.deepEqual(wordsOf([2, 3]), ['Lines 2–3']);
  assert.deepEqual(wordsOf([9, 2, 4, 4, 5]), ['Lines 2, 4–5 and 9']);
  assert.deepEqual(wordsOf([2, 4, 6, 8, 10, 11, 13]), ['Lines 2, 4, 6, 8 and 3 more']);
  assert.deepEqual(wordsOf([null]), ['The file']);
});

test('different things stay apart, in the order of their first lines, and all are counted', () => {
  const all = [...said([2, 3], 'is required'), ...said([2], 'is too long'), ...said([5], 'is required')];
  assert.deepEqual(
    groupedByLine(all, ({ message }) => message).map(({ first, count, lines }) => [
      first.message,
      count,
      lines,
    ]),
    [
      ['is required', 3, 'Lines 2–3 and 5'],
      ['is too long', 1, 'Line 2'],
    ],
  );
});
