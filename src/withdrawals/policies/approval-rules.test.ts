/** What needs approvals, and that a looser policy never applies without those that the rule in force asks for. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  at,
  DAY_SECONDS,
  EURC,
  IN_XLM,
  NOTHING_ASKED,
  policyOf,
  USDC,
} from '../../../test/support/policies.ts';
import { NATIVE } from '../../stellar/asset.ts';
import {
  APPROVED_KINDS,
  type Approvals,
  approvalsOf,
  approvalsOfChange,
  approvalsOfPayment,
  approvalsText,
  readApprovals,
  sameApprovals,
  stricterApprovals,
} from './approval-rules.ts';
import { asOf, awaitsApproval, changed, type Policy, type PolicyState, targetOf } from './policies.ts';

const ASSETS = [NATIVE, USDC, EURC];
const anyRule: fc.Arbitrary<Approvals> = fc
  .record({
    required: fc.integer({ min: 1, max: 3 }),
    for: fc.subarray([...APPROVED_KINDS], { minLength: 1 }),
    without_factor: fc.boolean(),
    above: fc
      .subarray(ASSETS)
      .chain((assets) =>
        fc.tuple(
          ...assets.map((asset) =>
            fc.bigInt({ min: 1n, max: 4n }).map((amount_stroops) => ({ ...asset, amount_stroops })),
          ),
        ),
      ),
  })
  .map((rule) => approvalsOf({ ...rule, above: rule.for.includes('withdrawals') ? rule.above : [] }));
const PAYMENTS = ASSETS.flatMap((asset) =>
  [1n, 2n, 3n, 4n, 5n].map((amount_stroops) => ({ ...IN_XLM, ...asset, amount_stroops })),
);
const FIELDS = ['frozen', 'limits', 'max_withdrawal_stroops', 'destinations', 'approvals'];

test('an amount that with the unapproved sum is up to the threshold needs none, a stroop more and an asset that is not named do; trust lines never', () => {
  const rule = approvalsOf({
    required: 2,
    above: [{ ...NATIVE, amount_stroops: 100n }],
    for: ['withdrawals'],
    without_factor: false,
  });
  const needs = (payment: object, unapproved_stroops = 0n) =>
    approvalsOfPayment(rule, { ...IN_XLM, amount_stroops: 1n, ...payment }, unapproved_stroops);
  assert.deepEqual(
    [
      needs({ amount_stroops: 100n }),
      needs({ amount_stroops: 101n }),
      needs({ amount_stroops: 60n }, 40n),
      needs({ amount_stroops: 60n }, 41n),
      needs(USDC),
      needs({ ...USDC, changes_trust_line: true }),
    ],
    [0, 2, 0, 2, 2, 0],
  );
  assert.equal(approvalsOfPayment({ ...rule, for: ['policies'] }, PAYMENTS[4] as any, 0n), 0);
  assert.equal(approvalsOfPayment(null, PAYMENTS[4] as any, 0n), 0);
});

test('a looser rule of approvals always needs approvals; other fields by what the rule is for', () => {
  const needing = (kind: (typeof APPROVED_KINDS)[number]) =>
    FIELDS.filter(
      (field) =>
        approvalsOfChange(
          approvalsOf({ required: 1, above: [], for: [kind], without_factor: false }),
          field,
        ) > 0,
    );
  assert.deepEqual(needing('withdrawals'), ['approvals']);
  assert.deepEqual(needing('destinations'), ['destinations', 'approvals']);
  assert.deepEqual(needing('policies'), FIELDS);
});

test('property: the stricter of two rules asks for at least what each of them asks for, and for nothing that neither does', () => {
  fc.assert(
    fc.property(anyRule, anyRule, (one, other) => {
      const both = stricterApprovals(one, other);
      const check = (needs: (rule: Approvals | null) => number) => {
        const [stricter, first, second] = [needs(both), needs(one), needs(other)];
        assert.ok(stricter >= first && stricter >= second);
        if (first === 0 && second === 0) assert.equal(stricter, 0);
      };
      for (const payment of PAYMENTS)
        for (const unapproved of [0n, 2n]) check((rule) => approvalsOfPayment(rule, payment, unapproved));
      for (const field of FIELDS) check((rule) => approvalsOfChange(rule, field));
      assert.equal(both?.without_factor, one.without_factor && other.without_factor);
      assert.ok(sameApprovals(stricterApprovals(both, one), both));
    }),
  );
});

test('property: a column gives back the rule that was written', () => {
  fc.assert(
    fc.property(fc.option(anyRule), (rule) => {
      const text = approvalsText(rule);
      assert.deepEqual(readApprovals(text === null ? null : JSON.parse(text)), rule);
    }),
  );
});

let ids = 0;
function ask(state: PolicyState, target: Policy, hour: number): PolicyState {
  return changed(state, target, {
    now: at(hour),
    delay_seconds: DAY_SECONDS,
    requested_by: 'usr_1',
    newId: () => `pch_${ids++}`,
  });
}

test('property: while nobody approves, the rule never asks for less, whatever is requested and however long one waits', () => {
  const anyStep = fc.record({ rule: fc.option(anyRule), hours: fc.integer({ min: 0, max: 60 }) });
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 8 }), (steps) => {
      let state: PolicyState = NOTHING_ASKED;
      let hour = 0;
      let least: Approvals | null = null;
      for (const { rule, hours } of steps) {
        hour += hours;
        state = ask(state, { ...targetOf(asOf(state, at(hour))), approvals: rule }, hour);
        const { approvals } = asOf(state, at(hour)).policy;
        assert.ok(sameApprovals(stricterApprovals(least, approvals), approvals));
        least = approvals;
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a change that awaits approvals is void when its time is over, and never applies', () => {
  const rule = approvalsOf({ required: 1, above: [], for: ['policies'], without_factor: false });
  const strict = ask(NOTHING_ASKED, { ...policyOf({ frozen: true }), approvals: rule }, 0);
  const asked = ask(strict, { ...policyOf({ frozen: false }), approvals: rule }, 1);
  assert.equal(asked.pending.length, 1);
  for (const hour of [24.9, 25, 1_000]) assert.equal(asOf(asked, at(hour)).policy.frozen, true);
  assert.equal(asOf(asked, at(24.9)).pending.length, 1);
  assert.deepEqual(asOf(asked, at(25)).pending, []);
});

const FOR_POLICIES = approvalsOf({ required: 1, above: [], for: ['policies'], without_factor: false });
const FROZEN = policyOf({ frozen: true });

/** What members do who approve each change that awaits approvals. */
const approveAll = ({ policy, pending }: PolicyState, hour: number): PolicyState => ({
  policy,
  pending: pending.map((change) =>
    change.request && awaitsApproval(change)
      ? { ...change, request: { ...change.request, approved_at: at(hour) } }
      : change,
  ),
});

test('a change that was pending before a rule for policies came awaits the approvals of that rule, for a day', () => {
  const frozen = ask(NOTHING_ASKED, FROZEN, 0);
  const thawing = ask(frozen, policyOf({ frozen: false }), 1);
  assert.equal(asOf(thawing, at(25)).policy.frozen, false, 'without a rule the change applies');
  const ruled = ask(thawing, { ...targetOf(thawing), approvals: FOR_POLICIES }, 20);
  const [change] = ruled.pending;
  assert.deepEqual(change?.request, {
    approvals_required: 1,
    decisions: [],
    approved_at: null,
    expires_at: at(44),
  });
  assert.deepEqual(
    [change?.requested_by, change?.created_at],
    ['usr_1', at(1)],
    'who asked, and when, stays',
  );
  for (const hour of [25, 44, 1_000]) assert.equal(asOf(ruled, at(hour)).policy.frozen, true);
  assert.deepEqual(asOf(ruled, at(44)).pending, []);
  assert.equal(asOf(approveAll(ruled, 21), at(25)).policy.frozen, false, 'with approvals the change applies');
});

test('an approved change needs all approvals again of a rule that asks for more, and of no other', () => {
  const ruled = ask(ask(NOTHING_ASKED, FROZEN, 0), { ...FROZEN, approvals: FOR_POLICIES }, 1);
  const approved = approveAll(ask(ruled, { ...targetOf(ruled), frozen: false }, 2), 3);
  const same = ask(
    approved,
    { ...targetOf(approved), approvals: { ...FOR_POLICIES, for: ['policies', 'members'] } },
    4,
  );
  assert.deepEqual(same.pending, approved.pending);
  const more = ask(approved, { ...targetOf(approved), approvals: { ...FOR_POLICIES, required: 2 } }, 4);
  assert.deepEqual(more.pending[0]?.request, {
    approvals_required: 2,
    decisions: [],
    approved_at: null,
    expires_at: at(28),
  });
});

test('an approved change needs approvals again when the rule begins to ask for a second factor', () => {
  const without = { ...FOR_POLICIES, without_factor: true };
  const ruled = ask(ask(NOTHING_ASKED, FROZEN, 0), { ...FROZEN, approvals: without }, 1);
  const approved = approveAll(ask(ruled, { ...targetOf(ruled), frozen: false }, 2), 3);
  const asking = ask(approved, { ...targetOf(approved), approvals: FOR_POLICIES }, 4);
  const [change] = asking.pending;
  assert.deepEqual(change?.request, {
    approvals_required: 1,
    decisions: [],
    approved_at: null,
    expires_at: at(28),
  });
  const again = ask(approveAll(asking, 5), { ...targetOf(asking), approvals: FOR_POLICIES }, 6);
  assert.deepEqual(again.pending[0]?.request?.approved_at, at(5), 'the same rule again changes nothing');
});

test('property: whatever is asked for, no change is pending with fewer approvals than the rule in force asks for', () => {
  const anyStep = fc.record({
    hours: fc.integer({ min: 0, max: 30 }),
    rule: fc.option(anyRule),
    frozen: fc.boolean(),
    approved: fc.boolean(),
    look_hours: fc.integer({ min: 0, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 8 }), (steps) => {
      let state: PolicyState = NOTHING_ASKED;
      let hour = 0;
      for (const { hours, rule, frozen, approved, look_hours } of steps) {
        hour += hours;
        state = ask(state, { ...NOTHING_ASKED.policy, frozen, approvals: rule }, hour);
        if (approved) state = approveAll(state, hour);
        const { policy, pending } = asOf(state, at(hour + look_hours));
        for (const { field, request } of pending)
          assert.ok((request?.approvals_required ?? 0) >= approvalsOfChange(policy.approvals, field));
      }
    }),
    { numRuns: 1_000 },
  );
});
