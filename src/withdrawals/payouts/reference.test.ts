import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { RefundBody, readOrder, WithdrawBody } from '../answers/schema.ts';
import { readRow, rowOfBody, rowOfCsv } from './read-rows.ts';

const PAYEE = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const ROW = { idempotency_key: 'k', destination: PAYEE };

/** What each way in makes of a reference: the text that is kept, or what is wrong with it. */
const WAYS: Record<string, (reference: string) => { kept: string | null } | { wrong: string | undefined }> = {
  withdraw: (reference) => {
    const { data, error } = WithdrawBody.safeParse({ destination: PAYEE, amount_stroops: 1n, reference });
    return data ? { kept: readOrder(data, null).reference } : { wrong: error?.issues[0]?.message };
  },
  refund: (reference) => {
    const { data, error } = RefundBody.safeParse({ reference });
    return data ? { kept: data.reference || null } : { wrong: error?.issues[0]?.message };
  },
  'row as JSON': (reference) => kept(rowOfBody({ ...ROW, amount_stroops: 1n, reference }, 0)),
  // As the reader of a CSV gives it: an empty field is absent.
  'row as CSV': (reference) => {
    const fields = { ...ROW, amount_stroops: '1', ...(reference && { reference }) };
    return kept(rowOfCsv({ number: 1, line: 2, fields }, { decimal: undefined, separator: ',' }));
  },
};

function kept(formed: ReturnType<typeof rowOfBody>) {
  const { row, problems } = readRow(formed, () => undefined);
  return row ? { kept: row.reference } : { wrong: problems[0]?.message };
}

const TOO_LONG = { wrong: 'must have at most 100 characters' };
const CONTROL = { wrong: 'must not have control characters, for example tabs and line ends' };

test('a reference has at most 100 characters and no control characters, in a withdrawal, a refund and a row alike', () => {
  const cases: [string, string, { kept: string | null } | { wrong: string }][] = [
    ['words', 'Order 4711, Zoë', { kept: 'Order 4711, Zoë' }],
    ['no text', '', { kept: null }],
    ['100 letters', 'é'.repeat(100), { kept: 'é'.repeat(100) }],
    ['101 letters', 'é'.repeat(101), TOO_LONG],
    ['100 emoji', '🧾'.repeat(100), { kept: '🧾'.repeat(100) }],
    ['101 emoji', '🧾'.repeat(101), TOO_LONG],
    ['a megabyte', 'x'.repeat(1e6), TOO_LONG],
    ['a zero character', 'a\0b', CONTROL],
    ['a tab', 'a\tb', CONTROL],
    ['a line end', 'a\n', CONTROL],
    ['a delete', 'a\x7f', CONTROL],
    ['a control character of Latin-1', 'a\x85b', CONTROL],
    ['a joined emoji', '👩‍🚀', { kept: '👩‍🚀' }],
  ];
  for (const [name, reference, expected] of cases)
    for (const [way, read] of Object.entries(WAYS))
      assert.deepEqual(read(reference), expected, `${name}: ${way}`);
});
