import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ANNA,
  ANNA_7,
  ANNA_8,
  allows,
  ask,
  at,
  BERT,
  CARL,
  DAY_SECONDS,
  EURC,
  IN_XLM,
  limitsFor,
  NOTHING_ASKED,
  payeeEntry,
  policyAt,
  policyOf,
  USDC,
  type Wish,
} from '../../../test/support/policies.ts';
import { NATIVE } from '../../stellar/asset.ts';
import { type LimitField, limitOf, limitsOf } from './asset-limits.ts';
import { asOf, NO_LIMITS, type Policy, type PolicyState, targetOf } from './policies.ts';
import { brokenRules } from './policy-rules.ts';

const native = (policy: Policy, field: LimitField) => limitOf(policy.limits, NATIVE)?.[field] ?? null;

for (const field of ['max_withdrawal_stroops', 'max_rolling_24h_stroops'] as const) {
  test(`a first or a lower ${field} holds at once; a higher one, or none, after the delay`, () => {
    let state = ask(NOTHING_ASKED, { [field]: 100n }, 0);
    assert.equal(native(state.policy, field), 100n);
    state = ask(state, { [field]: 50n }, 1);
    assert.equal(native(state.policy, field), 50n);
    for (const loose of [51n, null]) {
      const later = ask(state, { [field]: loose }, 2);
      assert.equal(native(later.policy, field), 50n);
      assert.deepEqual(later.pending[0]?.takes_effect_at, at(26));
      assert.equal(native(policyAt(later, 25.99), field), 50n);
      assert.equal(native(policyAt(later, 26), field), loose);
    }
  });
}

test('freezing holds at once, unfreezing after the delay, and a second freeze takes the unfreezing back', () => {
  const frozen = ask(NOTHING_ASKED, { frozen: true }, 0);
  assert.equal(frozen.policy.frozen, true);
  const thawing = ask(frozen, { frozen: false }, 1);
  assert.equal(policyAt(thawing, 24).frozen, true);
  assert.equal(policyAt(thawing, 25).frozen, false);
  const again = ask(thawing, { frozen: true }, 2);
  assert.deepEqual(again.pending, []);
  assert.equal(policyAt(again, 1_000).frozen, true);
});

test('a list that is turned on, and an address that leaves it, hold at once; one that comes waits', () => {
  let state = ask(NOTHING_ASKED, { destinations: [ANNA, BERT] }, 0);
  assert.deepEqual(state.policy.destinations, [ANNA, BERT]);
  state = ask(state, { destinations: [BERT, CARL] }, 1);
  assert.deepEqual(state.policy.destinations, [BERT]);
  assert.deepEqual(policyAt(state, 24).destinations, [BERT]);
  assert.deepEqual(policyAt(state, 25).destinations, [BERT, CARL]);
  const nowhere = ask(state, { destinations: [] }, 2);
  assert.deepEqual(nowhere, { policy: { ...NO_LIMITS, destinations: [] }, pending: [] });
});

test('each added address has its own delay, and a later addition does not shift an earlier one', () => {
  let state = ask(NOTHING_ASKED, { destinations: [] }, 0);
  state = ask(state, { destinations: [ANNA] }, 1);
  state = ask(state, { destinations: [ANNA, BERT] }, 13);
  assert.deepEqual(policyAt(state, 25).destinations, [ANNA]);
  assert.deepEqual(policyAt(state, 37).destinations, [ANNA, BERT]);
});

test('an M… in the place of its own G… is a tightening; a G… in the place of an M… is not', () => {
  const whole = ask(NOTHING_ASKED, { destinations: [ANNA] }, 0);
  const narrow = ask(whole, { destinations: [ANNA_7] }, 1);
  assert.deepEqual(narrow, { policy: { ...NO_LIMITS, destinations: [ANNA_7] }, pending: [] });
  const wide = ask(narrow, { destinations: [ANNA] }, 2);
  assert.deepEqual(wide.policy.destinations, [ANNA_7], 'it stays until the G… is there');
  assert.equal(allows(policyAt(wide, 25), ANNA_8), false);
  assert.equal(allows(policyAt(wide, 26), ANNA_8), true);
});

test('a tightening takes back the pending loosening of its field, and of no other', () => {
  let state = ask(NOTHING_ASKED, { max_withdrawal_stroops: 100n, max_rolling_24h_stroops: 100n }, 0);
  state = ask(state, { max_withdrawal_stroops: 1_000n, max_rolling_24h_stroops: 1_000n }, 1);
  state = ask(state, { max_withdrawal_stroops: 90n }, 2);
  assert.deepEqual(
    state.pending.map(({ field }) => field),
    ['max_rolling_24h_stroops'],
  );
  assert.equal(native(policyAt(state, 1_000), 'max_withdrawal_stroops'), 90n);
  assert.equal(native(policyAt(state, 1_000), 'max_rolling_24h_stroops'), 1_000n);
});

test('to ask for what is in force takes the pending change back', () => {
  let state = ask(NOTHING_ASKED, { max_withdrawal_stroops: 100n }, 0);
  state = ask(state, { max_withdrawal_stroops: 1_000n }, 1);
  assert.deepEqual(ask(state, { max_withdrawal_stroops: 100n }, 2).pending, []);
});

test('to ask again for what is pending leaves its time; to ask for another value starts the delay again', () => {
  let state = ask(NOTHING_ASKED, { max_withdrawal_stroops: 100n }, 0);
  state = ask(state, { max_withdrawal_stroops: 1_000n }, 1);
  assert.deepEqual(ask(state, { max_withdrawal_stroops: 1_000n }, 20), state);
  const other = ask(state, { max_withdrawal_stroops: 500n }, 20);
  assert.equal(other.pending.length, 1);
  assert.equal(native(policyAt(other, 43), 'max_withdrawal_stroops'), 100n);
  assert.equal(native(policyAt(other, 44), 'max_withdrawal_stroops'), 500n);
});

test('lowering and raising again does not give the old limit back at once', () => {
  let state = ask(NOTHING_ASKED, { max_withdrawal_stroops: 100n }, 0);
  state = ask(state, { max_withdrawal_stroops: 1n }, 1);
  state = ask(state, { max_withdrawal_stroops: 100n }, 1);
  assert.equal(native(state.policy, 'max_withdrawal_stroops'), 1n);
});

test('to ask for no policy at all and then for a new one is no way round the delay', () => {
  let state = ask(NOTHING_ASKED, { max_withdrawal_stroops: 100n, frozen: true }, 0);
  state = ask(state, NO_LIMITS, 1);
  state = ask(state, { ...NO_LIMITS, max_withdrawal_stroops: 1_000n }, 2);
  assert.deepEqual(state.policy, policyOf({ max_withdrawal_stroops: 100n, frozen: true }));
  assert.equal(native(policyAt(state, 25), 'max_withdrawal_stroops'), 100n);
});

test('one call that tightens and loosens does each in its own time', () => {
  let state = ask(NOTHING_ASKED, { max_withdrawal_stroops: 100n, max_rolling_24h_stroops: 100n }, 0);
  state = ask(state, { max_withdrawal_stroops: 50n, max_rolling_24h_stroops: 200n, frozen: true }, 1);
  assert.deepEqual(
    state.policy,
    policyOf({ frozen: true, max_withdrawal_stroops: 50n, max_rolling_24h_stroops: 100n }),
  );
  assert.equal(native(policyAt(state, 25), 'max_rolling_24h_stroops'), 200n);
});

test('without a delay everything holds at once', () => {
  const tight = ask(NOTHING_ASKED, { frozen: true, max_withdrawal_stroops: 1n, destinations: [ANNA] }, 0, 0);
  assert.deepEqual(ask(tight, NO_LIMITS, 0, 0), NOTHING_ASKED);
});

const limit = fc.constantFrom(1n, 2n, 3n);
const PAYEES = [
  payeeEntry(1, ANNA),
  payeeEntry(2, ANNA, { memo_id: 5n }),
  payeeEntry(3, ANNA, { memo_id: 6n, asset: USDC }),
  payeeEntry(4, ANNA_7, { asset: USDC }),
];
const ENTRIES = [ANNA, ANNA_7, ANNA_8, BERT, ...PAYEES];
const list = fc.uniqueArray(fc.constantFrom(...ENTRIES), { maxLength: 5 });
/** Often without a limit, so that assets come and go. */
const fields = fc.oneof(
  fc.constant([null, null] as const),
  fc.tuple(fc.option(limit, { freq: 2 }), fc.option(limit, { freq: 2 })),
);
/** Rarely: a frozen wallet hides the rest of its policy. */
const anyFrozen = fc.nat({ max: 4 }).map((number) => number === 4);
const anyDestinations = fc.option(list, { freq: 1 });
const anyLimits = fc
  .tuple(...[NATIVE, USDC, EURC].map((asset) => fields.map((limits) => limitsFor(asset, ...limits))))
  .map(limitsOf);
const anyPolicy = fc.record({
  frozen: anyFrozen,
  limits: anyLimits,
  destinations: anyDestinations,
  approvals: fc.constant(null), // approval-rules.test.ts
});
const anyPatch = fc.record(
  {
    frozen: anyFrozen,
    max_withdrawal_stroops: limit,
    max_rolling_24h_stroops: limit,
    limits: anyLimits,
    destinations: list,
  },
  { requiredKeys: [] },
);
type Act = { put: Policy } | { patch: Wish } | { revoke: number } | { look: true };
const anyStep = fc.record({
  hours: fc.integer({ min: 0, max: 40 }),
  act: fc.oneof<fc.Arbitrary<Act>[]>(
    fc.record({ put: anyPolicy }),
    fc.record({ patch: anyPatch }),
    fc.record({ revoke: fc.nat({ max: 5 }) }),
    fc.constant({ look: true }),
  ),
});
/** Every payment that the policies above can tell apart. */
const PAYMENTS = [
  ...[ANNA, ANNA_7, ANNA_8, BERT].map((destination) => ({ destination, memo_id: null })),
  ...[5n, 6n].map((memo_id) => ({ destination: ANNA, memo_id })),
].flatMap((payee) =>
  [1n, 2n, 3n, 4n].flatMap((amount_stroops) =>
    [NATIVE, USDC, EURC].map((asset) => ({ ...IN_XLM, ...asset, ...payee, amount_stroops })),
  ),
);

/** What was paid of the asset before: tells a limit per withdrawal and a limit of 24 hours apart. */
const USED = [0n, 2n];

/** Plays the steps. After each: the policy in force, and the targets during the delay before. */
function play(steps: { hours: number; act: Act }[], delay_seconds: number) {
  let state = NOTHING_ASKED;
  let hour = 0;
  const targets = [{ since: Number.NEGATIVE_INFINITY, target: NO_LIMITS }];
  const looks: { policy: Policy; stood: Policy[] }[] = [];
  for (const { hours, act } of steps) {
    hour += hours;
    state = acted(state, act, hour, delay_seconds);
    targets.push({ since: hour, target: 'put' in act ? act.put : targetOf(state) });
    const from = hour - delay_seconds / 3600;
    const stood = targets.filter((_, index) => (targets[index + 1]?.since ?? hour + 1) > from);
    looks.push({ policy: policyAt(state, hour), stood: stood.map(({ target }) => target) });
  }
  return { state, hour, looks, target: targets.at(-1)?.target ?? NO_LIMITS };
}

function acted(state: PolicyState, act: Act, hour: number, delay_seconds: number): PolicyState {
  if ('put' in act) return ask(state, act.put, hour, delay_seconds);
  if ('patch' in act) return ask(state, act.patch, hour, delay_seconds);
  if (!('revoke' in act)) return state;
  const { policy, pending } = asOf(state, at(hour));
  return { policy, pending: pending.filter((_, index) => index !== act.revoke) };
}

test('a payment is allowed only if every target that stood during the last delay allows it', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 12 }), (steps) => {
      for (const { policy, stood } of play(steps, DAY_SECONDS).looks) {
        for (const payment of PAYMENTS) {
          for (const used of USED) {
            if (brokenRules(policy, payment, used).length > 0) continue;
            for (const target of stood) assert.deepEqual(brokenRules(target, payment, used), []);
          }
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a request refuses no payment that both the policy in force and the target allow', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 8 }), anyPolicy, (steps, target) => {
      const { state, hour } = play(steps, DAY_SECONDS);
      const [before, after] = [policyAt(state, hour), policyAt(ask(state, target, hour), hour)];
      for (const payment of PAYMENTS) {
        if ([before, target].some((policy) => brokenRules(policy, payment, 0n).length > 0)) continue;
        assert.deepEqual(brokenRules(after, payment, 0n), []);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('once the delay has passed without a change, exactly the target holds', () => {
  fc.assert(
    fc.property(
      fc.array(anyStep, { maxLength: 12 }),
      fc.constantFrom(0, DAY_SECONDS),
      (steps, delay_seconds) => {
        const { state, hour, target } = play(steps, delay_seconds);
        const settled = asOf(state, at(hour + delay_seconds / 3600));
        assert.deepEqual(settled.pending, []);
        assert.deepEqual(settled.policy.limits, target.limits);
        for (const payment of PAYMENTS) {
          assert.deepEqual(
            brokenRules(settled.policy, payment, 0n).length > 0,
            brokenRules(target, payment, 0n).length > 0,
          );
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
