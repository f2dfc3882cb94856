import assert from 'node:assert/strict';
import { randomBytes as systemRandomBytes } from 'node:crypto';
import { test } from 'node:test';
import { newId } from './ids.ts';
import { useRandomness } from './random.ts';

test('a simulation that puts its own randomness in place gets the same ids again', (t) => {
  t.after(() => useRandomness(systemRandomBytes));
  const ids = () => {
    useRandomness((length) => Buffer.alloc(length, 7));
    return [1, 2, 3].map((ms) => newId('wd', new Date(ms)));
  };
  assert.deepEqual(ids(), ids());
});
