import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { inTurns } from './payout-turns.ts';

const of = (owner_id: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${owner_id}-${index}`, owner_id }));
const at = (second: number) => new Date(second * 1_000);
const idsOf = (turns: ReturnType<typeof inTurns<{ id: string; owner_id: string }>>) =>
  turns.map(({ payout }) => payout.id);

test('a team with hundreds of running payouts keeps another team waiting for one of them', () => {
  const turns = inTurns([...of('many', 500), ...of('one', 1)], { room: 2_000, now: at(0) });
  assert.equal(idsOf(turns)[1], 'one-0');
  assert.equal(turns.length, 9);
});

test('the room is shared by teams, not by payouts', () => {
  const turns = inTurns([...of('many', 500), ...of('one', 1)], { room: 1_000, now: at(0) });
  assert.deepEqual(
    turns.slice(0, 2).map(({ share }) => share),
    [63, 500],
  );
});

test('every payout of a team has its turn, whatever their number', () => {
  for (const count of [1, 7, 8, 9, 16, 20, 501]) {
    const seen = new Set<string>();
    for (let second = 0; second < count; second++)
      for (const id of idsOf(inTurns(of('many', count), { room: 10, now: at(second) }))) seen.add(id);
    assert.equal(seen.size, count);
  }
});

test('without room nobody has a share', () => {
  assert.deepEqual(
    inTurns(of('one', 1), { room: -5, now: at(0) }).map(({ share }) => share),
    [0],
  );
});
