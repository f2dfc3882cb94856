/** A list of what a rule refuses and the code still has: a fault outside it is refused, and it cannot keep an entry too many. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWithList } from '../../scripts/shrinking-list.ts';

const FAULTS = [
  { entry: 'src/old', message: 'src/old/one.ts is wrong' },
  { entry: 'src/old', message: 'src/old/two.ts is wrong' },
];

test('a list that has the entry of every fault, and no other, is right', () => {
  assert.deepEqual(compareWithList(FAULTS, ['src/old'], 'LIST'), []);
});

test('every fault without its entry in the list is refused', () => {
  assert.deepEqual(compareWithList(FAULTS, [], 'LIST'), [
    'src/old/one.ts is wrong',
    'src/old/two.ts is wrong',
  ]);
});

test('an entry without a fault must be deleted from the list', () => {
  const [message = '', ...others] = compareWithList(FAULTS, ['src/old', 'src/new'], 'LIST');
  assert.match(message, /^src[/]new: keeps the rule now; delete it from LIST$/);
  assert.deepEqual(others, []);
});
