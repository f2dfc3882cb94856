import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { judgeSequence } from './dispatch.ts';

test('an envelope is built only on the sequence number that this database left the account at', () => {
  const created = 1_234n << 32n;
  assert.equal(judgeSequence(created, null), 'in_step');
  assert.equal(
    judgeSequence(created + 1n, null),
    'ahead',
    'somebody has used it before the database knew of it',
  );
  assert.equal(judgeSequence(created + 5n, created + 5n), 'in_step');
  assert.equal(judgeSequence(created + 4n, created + 5n), 'stale');
  assert.equal(judgeSequence(created + 6n, created + 5n), 'ahead');
  assert.equal(judgeSequence(undefined, created), 'no_account');
});
