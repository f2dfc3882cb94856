import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { madeKey } from './made-keys.ts';
import { PAYOUT_KEY } from './row-body.ts';

test('a made key is that of the name and the row: the same for the same, another for another', () => {
  assert.equal(madeKey('May', 2), 'May-2');
  const names = [
    'May',
    'may',
    'M\u00e4rz',
    'Marz',
    'M\u00f6rz',
    '五月',
    '六月',
    '=May',
    '+May',
    "'May",
    'May-2',
    '  ',
    'x'.repeat(100),
  ];
  const keys = names.flatMap((name) => [1, 2, 10_000].map((number) => madeKey(name, number)));
  assert.equal(new Set(keys).size, keys.length);
  for (const key of keys) assert.match(key, PAYOUT_KEY);
  assert.equal(madeKey('Ma\u0308rz', 1), madeKey('M\u00e4rz', 1), 'one name, whichever way it is composed');
});
