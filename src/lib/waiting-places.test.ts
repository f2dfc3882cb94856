import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { createWaitingPlaces, type Place } from './waiting-places.ts';

const place = (team_id: string, wallet_id = team_id): Place => ({
  team_id,
  wallet_id,
  done: new AbortController(),
});

test('a wallet has its share of the places, and a team; leaving frees a place', () => {
  const places = createWaitingPlaces({ in_all: 100, of_team: 3, of_wallet: 2 });
  const [first, second, third] = [place('a', 'a1'), place('a', 'a1'), place('a', 'a2')];
  assert.deepEqual([first, second, place('a', 'a1')].map(places.take), [true, true, false]);
  assert.deepEqual([third, place('a', 'a2'), place('b')].map(places.take), [true, false, true]);
  places.leave(first);
  places.leave(first);
  assert.deepEqual([place('a', 'a1'), place('a', 'a2')].map(places.take), [true, false]);
});

test('with all places taken, the oldest of the team with the most makes room for a team with fewer', () => {
  const places = createWaitingPlaces({ in_all: 10, of_team: 10, of_wallet: 10 });
  const loud = Array.from({ length: 10 }, () => place('loud'));
  assert.ok(loud.every(places.take));
  assert.equal(places.take(place('loud')), false, 'nobody has more');
  const quiet = Array.from({ length: 6 }, () => place('quiet'));
  assert.deepEqual(quiet.map(places.take), [true, true, true, true, true, false], 'until both have as many');
  assert.deepEqual(
    loud.map(({ done }) => done.signal.aborted),
    [...Array(5).fill(true), ...Array(5).fill(false)],
  );
  assert.ok(loud.slice(0, 5).every(places.wasTaken));
  assert.ok(!quiet.some(({ done }) => done.signal.aborted));
  assert.equal([...places.all()].length, 10);
});
