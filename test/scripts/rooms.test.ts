/** The rule about rooms that import each other: what is a mutual pair, and that the list of those that are left only shrinks. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareWithList, findMutualPairs } from '../../scripts/rooms.ts';

const UP = { from: 'src/auth/login.ts', to: 'src/auth/teams/members.ts' };
const DOWN = { from: 'src/auth/teams/roles.ts', to: 'src/auth/store.ts' };
const INSIDE = { from: 'src/auth/store.ts', to: 'src/auth/login.ts' };
const PAIR = 'src/auth <-> src/auth/teams';

describe('rooms that import each other', () => {
  it('are a pair only with imports in both directions', () => {
    assert.deepEqual([...findMutualPairs([UP, DOWN, INSIDE])], [[PAIR, [UP, DOWN]]]);
    assert.deepEqual([...findMutualPairs([UP, UP, INSIDE])], []);
  });

  it('are refused, with their imports, unless the list has the pair', () => {
    const mutual = findMutualPairs([UP, DOWN]);
    assert.deepEqual(compareWithList(mutual, [PAIR]), []);
    const [refused = ''] = compareWithList(mutual, []);
    for (const part of [PAIR, UP.from, DOWN.to]) assert.ok(refused.includes(part), refused);
  });

  it('leave the list when they do not import each other any more', () => {
    const [refused = ''] = compareWithList(findMutualPairs([UP]), [PAIR]);
    assert.match(refused, /not mutual any more/);
  });
});
