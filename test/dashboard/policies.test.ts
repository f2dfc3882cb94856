import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Policy as Shown } from '../../dashboard/src/api/contract.ts';
import { durationWords } from '../../dashboard/src/pages/policies/duration.ts';
import { readAddresses } from '../../dashboard/src/pages/policies/read-addresses.ts';
import { bodyOf, effectOfLimit, targetOf } from '../../dashboard/src/pages/policies/target.ts';
import { accountOf } from '../../src/stellar/address.ts';
import * as service from '../../src/withdrawals/policies/policies.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const ACCOUNTS = [1, 2, 3].map((byte) => accountOf(Buffer.alloc(32, byte)));

let ids = 0;
function ask(state: service.PolicyState, target: service.Policy): service.PolicyState {
  return service.changed(state, target, { now: NOW, delay_seconds: 60, newId: () => `pch_${ids++}` });
}

/** As the API shows it. */
function shown({ policy, pending }: service.PolicyState): Shown {
  return {
    wallet_id: 'wal_1',
    ...policy,
    used_rolling_24h_stroops: 0n,
    delay_seconds: 60,
    pending: pending.map(({ created_at, takes_effect_at, ...change }) => ({
      ...change,
      created_at: created_at.toISOString(),
      takes_effect_at: takes_effect_at.toISOString(),
    })),
  };
}

const limit = fc.option(fc.bigInt({ min: 1n, max: 4n }));
const policy: fc.Arbitrary<service.Policy> = fc.record({
  frozen: fc.boolean(),
  max_withdrawal_stroops: limit,
  max_rolling_24h_stroops: limit,
  destinations: fc.option(fc.subarray(ACCOUNTS)),
});
/** After some changes: some rules are in force, some pending. */
const state = fc
  .array(policy, { maxLength: 4 })
  .map((targets) => targets.reduce(ask, { policy: service.NO_LIMITS, pending: [] }));

test('property: dashboard and service agree on the policy requested so far', () => {
  fc.assert(
    fc.property(state, (before) => assert.deepEqual(targetOf(shown(before)), service.targetOf(before))),
  );
});

test('property: requesting the requested policy again changes nothing', () => {
  fc.assert(
    fc.property(state, (before) => {
      const target = { ...service.NO_LIMITS, ...bodyOf(targetOf(shown(before))) };
      assert.deepEqual(ask(before, target), before);
    }),
  );
});

test('property: a limit applies when the dashboard says, at once or later', () => {
  const field = fc.constantFrom('max_withdrawal_stroops' as const, 'max_rolling_24h_stroops' as const);
  fc.assert(
    fc.property(state, field, limit, (before, name, wanted) => {
      const in_force = before.policy[name];
      const after = ask(before, { ...service.targetOf(before), [name]: wanted });
      const pending = after.pending.find((change) => change.field === name);
      const effect = effectOfLimit(in_force, wanted);
      assert.equal(after.policy[name], effect === 'later' ? in_force : wanted);
      assert.equal(pending !== undefined, effect === 'later');
      if (pending) assert.equal(pending.limit_stroops, wanted);
    }),
  );
});

test('a delay is shown in its largest whole unit, one day as 24 hours', () => {
  const told = [86_400, 3_600, 5_400, 172_800, 45].map(durationWords);
  assert.deepEqual(told, ['24 hours', '1 hour', '90 minutes', '2 days', '45 seconds']);
});

test('pasted addresses are read line by line, and a problem names its line', () => {
  const [one, two] = ACCOUNTS;
  assert.deepEqual(readAddresses(`${one}\n\n  ${two} \n`), { addresses: [one, two], problem: null });
  assert.match(readAddresses(`${one}\nG123`).problem ?? '', /line 2/);
  assert.match(readAddresses(' \n').problem ?? '', /required/);
});
