import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { classifySequence } from './sign-batch.ts';

test('an envelope is built only on the sequence number that this database left the account at', () => {
  const created = 1_234n << 32n;
  assert.equal(classifySequence(created, null), 'in_step');
  assert.equal(
    classifySequence(created + 1n, null),
    'ahead',
    'somebody has used it before the database knew of it',
  );
  assert.equal(classifySequence(created + 5n, created + 5n), 'in_step');
  assert.equal(classifySequence(created + 4n, created + 5n), 'stale');
  assert.equal(classifySequence(created + 6n, created + 5n), 'ahead');
  assert.equal(classifySequence(undefined, created), 'no_account');
});
