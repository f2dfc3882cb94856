/** The rule about rooms that import each other: which imports make a mutual pair, and what the message says of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describePairs, findMutualPairs } from '../../scripts/rooms.ts';

const UP = { from: 'src/auth/login.ts', to: 'src/auth/teams/members.ts' };
const DOWN = { from: 'src/auth/teams/roles.ts', to: 'src/auth/store.ts' };
const INSIDE = { from: 'src/auth/store.ts', to: 'src/auth/login.ts' };
const PAIR = 'src/auth <-> src/auth/teams';

describe('rooms that import each other', () => {
  it('are a pair only with imports in both directions', () => {
    assert.deepEqual([...findMutualPairs([UP, DOWN, INSIDE])], [[PAIR, [UP, DOWN]]]);
    assert.deepEqual([...findMutualPairs([UP, UP, INSIDE])], []);
  });

  it('are refused with their imports', () => {
    const [{ entry, message } = assert.fail()] = describePairs(findMutualPairs([UP, DOWN]));
    assert.equal(entry, PAIR);
    for (const part of [PAIR, UP.from, DOWN.to]) assert.ok(message.includes(part), message);
  });
});
