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

test('a first line that names the separator is no header, and the others keep their lines', () => {
  for (const [first, mark] of [
    ['sep=;', ';'],
    ['SEP=,', ','],
    ['"sep=;"', ';'],
    ['\ufeffsep=\t', '\t'],
  ] as const) {
    const text = [first, HEADER.replaceAll(',', mark), ['a', 'G', '"1,5"'].join(mark), ''].join('\r\n');
    const { rows, problems, separator } = read(text);
    assert.deepEqual(problems, [], first);
    assert.equal(separator, mark);
    assert.deepEqual(rows, [
      { number: 1, line: 3, fields: { idempotency_key: 'a', destination: 'G', amount: '1,5' } },
    ]);
  }
  const wrong = (text: string) => read(text).problems.map(({ line, message }) => `${line} ${message}`);
  assert.match(wrong(`sep=|\n${HEADER.replaceAll(',', '|')}\n`).join(), /^1 names a separator/);
  assert.match(
    wrong('sep=;\nidempotency_key;destination;amount;colour\n').join(),
    /^2 has the unknown column "colour"/,
  );
  assert.match(wrong('sep=;\n').join(), /has no header/);
  assert.deepEqual(wrong('idempotency_key,destination,amount,amount\na,G,1,2\n'), [
    '1 has several columns with the name "amount": rename or remove all but one of them',
  ]);
});

test('a file of as many rows as a payout has is read whole behind a line that names the separator', () => {
  const rows = Array.from({ length: MOST_ROWS + 1 }, (_, index) => `k${index},G,1\n`);
  for (const more of [0, 1]) {
    const text = `sep=,\n${HEADER}\n${rows.slice(0, MOST_ROWS + more).join('')}`;
    assert.equal(read(text).rows.length, MOST_ROWS + more);
  }
});

test('the separator is what the header has most of, outside of quotes', () => {
  for (const [header, expected] of [
    ['a,b;c;d', ';'],
    ['"Amount, in EUR, or so";b', ';'],
    ['a\tb', '\t'],
    ['\r\n\r\na;b', ';'],
    ['a', ','],
  ] as const)
    assert.equal(read(`${header}\n`).separator, expected, header);
});

test('blank columns behind the last one are no columns', () => {
  const text = [`${HEADER}, ,`, 'a,G,1,,', 'b,G,1, , ', 'd,G', 'e,G,1', 'f,G,1,,x', ',,,,', ''].join('\n');
  const { rows, problems } = read(text);
  assert.deepEqual(
    rows.map(({ fields }) => fields),
    ['a', 'b'].map((key) => ({ idempotency_key: key, destination: 'G', amount: '1' })),
  );
  assert.deepEqual(
    problems.map(({ row, line, message }) => [row, line, message]),
    [
      [3, 4, 'has 2 fields, and the header has 5'],
      [4, 5, 'has 3 fields, and the header has 5'],
      [5, 6, 'has a text behind the last column'],
    ],
  );
  assert.deepEqual(read(` ${HEADER.replaceAll(',', ' , ')} \na,G,1\n`).problems, []);
});

test('an amount with a comma and without quotes is refused: it would be an amount and a memo', () => {
  const { rows, problems } = read(`${HEADER},memo_id,reference\na,G,12,50,,\n`);
  assert.deepEqual([rows.length, problems[0]?.message], [0, 'has 6 fields, and the header has 5']);
});

test('a column that is named or left out is read so, whatever it is called, and nothing else changes', () => {
  const given = {
    columns: [
      { name: 'An', column: 'destination' as const },
      { name: 'amount' },
      { name: 'Betrag', column: 'amount' as const },
    ],
  };
  const text = 'idempotency_key,An,amount,Betrag\na,G,1,2\n';
  const { rows, problems, has_made_keys } = atOnce(readCsv(text, given));
  assert.deepEqual(problems, []);
  assert.deepEqual(rows[0]?.fields, { idempotency_key: 'a', destination: 'G', amount: '2' });
  assert.equal(has_made_keys, false);
});

test('keys are made only where the caller asks for them and the file has no column of keys', () => {
  const fieldsOf = (text: string, given: object) =>
    atOnce(readCsv(text, given)).rows.map(({ fields }) => fields);
  const keyless = 'destination,amount\nG,1\n\nG,2\n';
  assert.deepEqual(fieldsOf(keyless, { name: 'May' }), []);
  assert.deepEqual(
    fieldsOf(keyless, { name: 'May', makes_keys: true }).map(({ idempotency_key }) => idempotency_key),
    ['May-1', 'May-2'],
  );
  assert.deepEqual(fieldsOf(`${HEADER}\n,G,1\n`, { name: 'May', makes_keys: true }), [
    { destination: 'G', amount: '1' },
  ]);
});
