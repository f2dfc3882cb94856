/** The rule about rooms that import each other: which imports make a cycle of rooms. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCycles } from '../../scripts/rooms.ts';

const TO_LOGIN = { from: 'src/access/teams/members.ts', to: 'src/auth/login/login.ts' };
const TO_USERS = { from: 'src/auth/login/login.ts', to: 'src/auth/users/user-store.ts' };
const TO_TEAMS = { from: 'src/auth/users/actor.ts', to: 'src/access/teams/roles.ts' };
const INSIDE = { from: 'src/auth/users/user-store.ts', to: 'src/auth/users/actor.ts' };
const ABOVE = { from: 'src/api/app.ts', to: 'src/auth/login/login.ts' };
const BELOW = { from: 'src/auth/users/user-store.ts', to: 'src/lib/ids.ts' };

describe('rooms that import each other', () => {
  it('are found by the imports of their cycle, however long it is, and by no others', () => {
    assert.deepEqual(findCycles([ABOVE, TO_LOGIN, TO_USERS, INSIDE, TO_TEAMS, BELOW]), [
      TO_LOGIN,
      TO_USERS,
      TO_TEAMS,
    ]);
    const back = { from: TO_LOGIN.to, to: TO_LOGIN.from };
    assert.deepEqual(findCycles([ABOVE, TO_LOGIN, back, BELOW]), [TO_LOGIN, back]);
  });

  it('are not found where every arrow leads down', () => {
    assert.deepEqual(findCycles([ABOVE, TO_LOGIN, TO_USERS, INSIDE, BELOW]), []);
  });
});
