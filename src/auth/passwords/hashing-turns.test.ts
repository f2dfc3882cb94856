/** Counted in turns, not in time: how many hashes of strangers begin before one of a known device. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { AppError } from '../../lib/errors.ts';
import { createHashingTurns, type Turn } from './hashing-turns.ts';

/** Hashes that end one after the other, and the order in which they began. */
function hashes() {
  const hashingTurn = createHashingTurns();
  const begun: string[] = [];
  const open: (() => void)[] = [];
  let most = 0;
  const ask = (turn: Turn) =>
    hashingTurn(turn, async () => {
      begun.push(turn.group);
      await new Promise<void>((end) => open.push(end));
    });
  /** Ends hashes until none is left. */
  const run = async () => {
    for (let end = open.shift(); end; end = open.shift()) {
      most = Math.max(most, open.length + 1);
      end();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { begun, ask, run, most: () => most };
}

const stranger = (group: number): Turn => ({ known: false, group: `stranger ${group}` });
const owner: Turn = { known: true, group: 'owner' };

test('with 120 strangers of 120 address groups waiting, a known device is next', async () => {
  const { begun, ask, run, most } = hashes();
  const all = Array.from({ length: 120 }, (_, group) => ask(stranger(group)));
  all.push(ask(owner));
  await run();
  await Promise.all(all);
  assert.equal(begun.indexOf('owner'), 2, 'behind the two hashes that run');
  assert.equal(begun.length, 121);
  assert.equal(most(), 2, 'two at once, of both kinds together');
});

test('known devices and strangers take turns: neither kind waits for the other to be done', async () => {
  const { begun, ask, run } = hashes();
  const all = Array.from({ length: 20 }, (_, group) => [ask(stranger(group)), ask(owner)]).flat();
  await run();
  await Promise.all(all);
  for (const part of [begun.slice(0, 20), begun.slice(10, 30)]) {
    const known = part.filter((group) => group === 'owner').length;
    assert.ok(known >= 9 && known <= 11, `${known} of 20 turns`);
  }
});

test('one address group with a full line delays a stranger of another group by one hash', async () => {
  const { begun, ask, run } = hashes();
  const flood = Array.from({ length: 52 }, () => ask(stranger(1)));
  await assert.rejects(ask(stranger(1)), (error: AppError) => {
    assert.deepEqual([error.code, error.retry_after_seconds], ['too_many_logins', 5]);
    return error instanceof AppError;
  });
  const other = ask(stranger(2));
  await run();
  await Promise.all([...flood, other]);
  assert.ok(begun.indexOf('stranger 2') <= 3, `turn ${begun.indexOf('stranger 2')}`);
});

test('a thousand strangers do not wait in a thousand lines, and a known device still comes in', async () => {
  const { begun, ask, run } = hashes();
  const asked = Array.from({ length: 1_000 }, (_, group) =>
    ask(stranger(group)).then(
      () => 'hashed',
      () => 'refused',
    ),
  );
  const own = ask(owner);
  await run();
  const outcomes = await Promise.all(asked);
  assert.equal(outcomes.filter((outcome) => outcome === 'hashed').length, 402, '2 ran, 400 waited');
  await own;
  assert.equal(begun.indexOf('owner'), 2);
});
