import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateCsv } from '../../dashboard/src/pages/payouts/template.ts';
import { atOnce } from '../../src/lib/in-parts.ts';
import { readCsv } from '../../src/withdrawals/payouts/payout-csv.ts';
import { readRow, rowOfCsv } from '../../src/withdrawals/payouts/read-rows.ts';

test('the template is a file that the service reads, for the spreadsheet of the reader, and its example cannot be paid', () => {
  for (const [locale, separator] of [
    ['en', ','],
    ['de', ';'],
    ['pt-BR', ';'],
    ['de-CH', ','],
  ] as const) {
    const text = templateCsv(locale);
    assert.ok(text.startsWith('\ufeff'));
    const file = atOnce(readCsv(text));
    assert.deepEqual([file.separator, file.problems, file.rows.length], [separator, [], 1], locale);
    const formed = file.rows.map((row) => rowOfCsv(row, { decimal: undefined, separator }))[0];
    assert(formed);
    assert.equal(formed.given.amount_stroops, 125_000_000n);
    const { row, problems } = readRow(formed, () => undefined);
    assert.deepEqual([row, problems.map(({ field }) => field)], [null, ['destination']]);
  }
});
