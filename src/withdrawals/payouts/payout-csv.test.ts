import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { atOnce } from '../../lib/in-parts.ts';
import { MOST_ROWS, readCsv } from './payout-csv.ts';

const HEADER = 'idempotency_key,destination,amount';
const read = (text: string) => atOnce(readCsv(text));
const keysOf = (text: string) =>
  read(text).rows.map(({ number, line, fields }) => [number, line, fields.idempotency_key]);

test('a row keeps its number and line behind empty lines, quoted line ends and a row that cannot be read', () => {
  const text = [HEADER, '', 'a,G,1', 'b,G', ',,', '"c', 'd",G,1', 'e,G,1', ''].join('\r\n');
  const { problems } = read(text);
  assert.deepEqual(
    problems.map(({ row, line }) => [row, line]),
    [[2, 4]],
  );
  assert.deepEqual(keysOf(text), [
    [1, 3, 'a'],
    [3, 7, 'c\r\nd'],
    [4, 8, 'e'],
  ]);
});

test('lines of nothing but separators, as a spreadsheet writes them below the rows, are no rows', () => {
  const { rows, problems } = read(`${HEADER}\na,G,1\n${',,\n'.repeat(20_000)}`);
  assert.deepEqual([rows.length, problems], [1, []]);
});

test('a file of more rows than a payout has is read up to the first one too many', () => {
  const rows = Array.from({ length: MOST_ROWS + 5_000 }, (_, index) => `k${index},G,1\n`).join('');
  assert.equal(read(`${HEADER}\n${rows}`).rows.length, MOST_ROWS + 1);
});

test('one error, by its line, for a quote that is never closed and for a record that is too long', () => {
  for (const text of [
    `${HEADER}\na,G,1\n"b,G,1\n${'c,G,1\n'.repeat(5_000)}`,
    `${HEADER}\n${'x'.repeat(1e6)}`,
  ]) {
    const { rows, problems } = read(text);
    assert.deepEqual([rows.length, problems.length], [0, 1]);
    assert.match(problems[0]?.message ?? '', /^cannot be read as CSV: /);
  }
});
