import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { MARK_UNKNOWN, readAmount } from './read-amount.ts';

const asked = MARK_UNKNOWN;
const refused = 'invalid_request';

/** As docs/payouts.md has them: the amount, how it is read by the separator of the file, and by the mark that is named. */
const CASES: [
  text: string,
  comma: string,
  semicolon: string,
  decimal_point: string,
  decimal_comma: string,
][] = [
  ['12', '12', '12', '12', '12'],
  ['12.5', '12.5', '12.5', '12.5', refused],
  ['12.50', '12.5', '12.5', '12.5', refused],
  ['0.125', '0.125', '0.125', '0.125', refused],
  ['1234.567', '1234.567', '1234.567', '1234.567', refused],
  ['1.0000', '1', '1', '1', refused],
  ['1.000', '1', asked, '1', '1000'],
  ['12.505', '12.505', asked, '12.505', '12505'],
  ['12,5', asked, '12.5', refused, '12.5'],
  ['12,50', asked, '12.5', refused, '12.5'],
  ['0,125', asked, '0.125', refused, '0.125'],
  ['1234,567', asked, '1234.567', refused, '1234.567'],
  ['1,000', asked, asked, '1000', '1'],
  ['1,234', asked, asked, '1234', '1.234'],
  ['1.234,50', asked, '1234.5', refused, '1234.5'],
  ['1.234.567', asked, '1234567', refused, '1234567'],
  ['1,234.50', '1234.5', '1234.5', '1234.5', refused],
  ['1,234,567', '1234567', '1234567', '1234567', refused],
  ['1 234', '1234', '1234', '1234', '1234'],
  ['1 234,50', asked, '1234.5', refused, '1234.5'],
  ['1 234,500', asked, '1234.5', refused, '1234.5'],
  ['1\u00a0234,50', asked, '1234.5', refused, '1234.5'],
  ['1\u202f234.50', '1234.5', '1234.5', '1234.5', refused],
  ["1'234.50", '1234.5', '1234.5', '1234.5', refused],
  ['1’234.50', '1234.5', '1234.5', '1234.5', refused],
  ['922337203685,4775807', asked, '922337203685.4775807', refused, '922337203685.4775807'],
  ...[
    [
      '',
      '.5',
      ',5',
      '12.',
      '12,',
      '012',
      '01,5',
      '0,000.5',
      '12.12345678',
      '12,12345678',
      '-1',
      '−1',
      '(1)',
      '+1',
    ],
    [
      '1e3',
      '1E+3',
      '€12',
      '12 €',
      '12 XLM',
      '$1,234.50',
      '0x10',
      'NaN',
      'Infinity',
      '１２',
      '٣',
      '12;5',
      '1_000',
    ],
    [
      '1,23,456.50',
      '1.234,567.8',
      '1,234.567,8',
      '1 234 56',
      '12 34',
      '1.23.456',
      '1,2,3',
      "1'234 567",
      "1''234",
    ],
    ['1234,567.8', '1.2345,6', '1 2', '1..000', '1,,000', '1. 000', '12.5.', "'12.5"],
  ]
    .flat()
    .map((text) => [text, refused, refused, refused, refused] as [string, string, string, string, string]),
];

const unitsOf = (stroops: bigint) =>
  `${stroops / 10_000_000n}.${`${stroops % 10_000_000n}`.padStart(7, '0')}`.replace(/\.?0+$/, '');

test('an amount is read as one amount, or refused: never guessed', () => {
  for (const [text, comma, semicolon, decimal_point, decimal_comma] of CASES) {
    const read = (separator: string, decimal?: 'point' | 'comma') => {
      const amount = readAmount(text, { separator, decimal });
      if ('code' in amount) return amount.code;
      const units = unitsOf(amount.stroops);
      assert.ok(amount.as === null || amount.as === units, `${text} is reported as ${amount.as}`);
      // What is not reported must be what any reader takes it for.
      if (amount.as === null) assert.equal(unitsOf(stroopsIfPlain(text)), units, text);
      return units;
    };
    assert.deepEqual(
      [read(','), read(';'), read('\t'), read(';', 'point'), read(',', 'comma')],
      [comma, semicolon, semicolon, decimal_point, decimal_comma],
      JSON.stringify(text),
    );
    for (const separator of [',', ';', '\t'])
      assert.deepEqual(
        [read(separator, 'point'), read(separator, 'comma')],
        [decimal_point, decimal_comma],
        text,
      );
  }
});

function stroopsIfPlain(text: string): bigint {
  const [, whole = '', part = ''] = /^([0-9]+)(?:\.([0-9]{1,7}))?$/.exec(text) ?? [];
  return BigInt(whole + part.padEnd(7, '0'));
}

test('an amount that is written in another way is reported as it was read, and no other one', () => {
  const as = (text: string, decimal?: 'point' | 'comma') => {
    const read = readAmount(text, { separator: ';', decimal });
    return 'as' in read ? read.as : read.code;
  };
  for (const text of ['12', '12.5', '12.50', '1234.567']) assert.equal(as(text), null, text);
  assert.deepEqual([as('12,50'), as('1.234,50'), as('1 234')], ['12.5', '1234.5', '1234']);
  assert.deepEqual([as('1.000', 'point'), as('1.000', 'comma')], [null, '1000']);
});

test('a refusal says how an amount is written', () => {
  const message = (text: string, separator = ';', decimal?: 'point' | 'comma') => {
    const read = readAmount(text, { separator, decimal });
    return 'message' in read ? read.message : '';
  };
  assert.match(message('1.000'), /`decimal`.* like 1234 or 1[.]2340/);
  assert.match(message('12,5', ','), /`decimal`.* like 1234[.]5/);
  assert.match(message('€12'), /no currency/);
  assert.match(message('-1'), /greater than 0/);
  assert.match(message('12.5', ';', 'comma'), /with a decimal comma/);
});
