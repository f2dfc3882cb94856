import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoginOperation } from '../../dashboard/src/api/me.ts';
import { ROLES_OF } from '../../dashboard/src/api/roles-of.ts';
import { type Facts, firstSteps } from '../../dashboard/src/pages/overview/first-steps.ts';

const NOTHING: Facts = {
  address: false,
  deposit: false,
  endpoint: false,
  exam: false,
  colleague: false,
  factor: false,
};
const as = (role: 'owner' | 'operator' | 'developer' | 'viewer') => (operation: LoginOperation) =>
  (ROLES_OF[operation] as readonly string[]).includes(role);

function wordsFor(role: Parameters<typeof as>[0], isPublic = false): string[] | undefined {
  return firstSteps(NOTHING, { isPublic, may: as(role) })?.map(({ words }) => words);
}

test('a role sees the first steps that it may do; one that sets up nothing sees none', () => {
  assert.deepEqual(wordsFor('owner'), [
    'Create a deposit address',
    'Make a test payment to an address',
    'Add a webhook endpoint',
    'Let your receiver pass the exam',
    'Invite a colleague',
    'Add a second factor to your login',
  ]);
  assert.equal(wordsFor('developer')?.includes('Invite a colleague'), false);
  assert.deepEqual(wordsFor('operator'), [
    'Create a deposit address',
    'Make a test payment to an address',
    'Add a second factor to your login',
  ]);
  assert.deepEqual(wordsFor('viewer'), []);
});

test('nobody makes a test payment with real money', () => {
  assert.equal(wordsFor('owner', true)?.includes('Make a test payment to an address'), false);
});

test('a step is done when its fact is so, and no step is shown before the facts of all are read', () => {
  const reader = { isPublic: false, may: as('operator') };
  const steps = firstSteps({ ...NOTHING, address: true }, reader);
  assert.deepEqual(
    steps?.map(({ isDone }) => isDone),
    [true, false, false],
  );
  assert.equal(firstSteps({ ...NOTHING, factor: undefined }, reader), undefined);
  assert.ok(
    firstSteps({ ...NOTHING, colleague: undefined }, reader),
    'a role without a step needs no fact of it',
  );
});
