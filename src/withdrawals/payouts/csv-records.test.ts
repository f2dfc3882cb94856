import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { CsvError as OtherError, parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { atOnce } from '../../lib/in-parts.ts';
import { CsvError, MOST_LINES, MOST_RECORD_CHARS, readRecords } from './csv-records.ts';

const read = (text: string, most = 1_000) => atOnce(readRecords(text, ',', most));
const fieldsOf = (text: string) => read(text).map(({ fields }) => fields);

test('property: the fields of any text are those that another reader finds, and it refuses the same texts', () => {
  const bits = fc.constantFrom('a', 'é', ' ', ',', ',', '"', '""', '"a"', '\n', '\n', '"\n"');
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 30 }), (parts) => {
      const text = parts.join('');
      const others = otherFieldsOf(text);
      if (others === null) assert.throws(() => fieldsOf(text), CsvError);
      else assert.deepEqual(fieldsOf(text), others);
    }),
    { numRuns: 5_000 },
  );
});

/** Null: refused. */
function otherFieldsOf(text: string): string[][] | null {
  try {
    return parse(text, {
      bom: true,
      relax_column_count: true,
      record_delimiter: '\n',
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    });
  } catch (error) {
    assert(error instanceof OtherError);
    return null;
  }
}

test('a line ends with LF, CR or both, and a record is at the line where it ends', () => {
  assert.deepEqual(read('\ufeffa,b\r\nc,"d\r\ne"\r\rf,\n\ng'), [
    { fields: ['a', 'b'], line: 1 },
    { fields: ['c', 'd\r\ne'], line: 3 },
    { fields: ['f', ''], line: 5 },
    { fields: ['g'], line: 7 },
  ]);
});

test('what is wrong is said of the line where it begins', () => {
  const cases: [string, number, RegExp][] = [
    ['a\n"b\nc', 2, /a quote is never closed/],
    ['a\n\nb"c', 3, /a quote is in a field that does not begin with one/],
    ['"a"b', 1, /behind a quote that ends a field/],
    [`a\n${'x'.repeat(MOST_RECORD_CHARS + 1)}`, 2, /more than 4096 characters/],
    [`a\n${','.repeat(MOST_RECORD_CHARS + 1)}`, 2, /more than 4096 characters/],
    [`a\n"${'\n'.repeat(MOST_RECORD_CHARS)}`, 2, /more than 4096 characters/],
    [`a${'\n'.repeat(MOST_LINES)}b`, MOST_LINES + 1, /more than 100000 lines/],
    [`a${',\r\n'.repeat(MOST_LINES)}b`, MOST_LINES + 1, /more than 100000 lines/],
  ];
  for (const [text, line, message] of cases)
    assert.throws(
      () => read(text),
      (error: unknown) => error instanceof CsvError && error.line === line && message.test(error.message),
      JSON.stringify(text.slice(0, 20)),
    );
});

test('it reads no more records than are wanted', () => {
  assert.equal(read('a\nb\n"', 2).length, 2);
});
