import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../test/support/webhooks.ts';
import { createRepeats } from './repeats.ts';

test('a repeated message is logged at once, and then once a minute with its number', () => {
  const clock = manualClock();
  const times = createRepeats(clock);
  const told = Array.from({ length: 120 }, (_, second) => {
    const counts = [times(`port ${second} is closed`), times('another fault')];
    clock.advance(1_000);
    return counts;
  });
  assert.deepEqual(
    told.filter(([one, other]) => one !== 0 || other !== 0),
    [
      [1, 1],
      [60, 60],
    ],
  );
});

test('texts without end take no memory without end', () => {
  const times = createRepeats(manualClock());
  const letters = (index: number) => [...`${index}`].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  const told = Array.from({ length: 1_000 }, (_, index) => times(letters(index)));
  assert.equal(told.filter((count) => count > 0).length, 101);
});
