import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { accountOf, muxedAddress } from '../../stellar/address.ts';
import {
  asOf,
  brokenRules,
  changed,
  explain,
  NO_LIMITS,
  type Policy,
  type PolicyState,
  targetOf,
} from './policies.ts';

const [ANNA, BERT, CARL] = [1, 2, 3].map((byte) => accountOf(Buffer.alloc(32, byte))) as [
  string,
  string,
  string,
];
const ANNA_7 = muxedAddress(ANNA, 7n);
const ANNA_8 = muxedAddress(ANNA, 8n);

const NATIVE = { asset_issuer: null, changes_trust_line: false };
const ISSUED = { asset_issuer: ANNA, changes_trust_line: false };

const HOUR_MS = 3_600_000;
const DAY_SECONDS = 86_400;
const NOTHING_ASKED: PolicyState = { policy: NO_LIMITS, pending: [] };
const at = (hours: number) => new Date(Date.UTC(2026, 0, 1) + hours * HOUR_MS);

let ids = 0;
/** The state after a request for these fields, `hours` after the beginning. */
function ask(state: PolicyState, wish: Partial<Policy>, hours: number, delay_seconds = DAY_SECONDS) {
  const target = { ...targetOf(state), ...wish };
  return changed(state, target, { now: at(hours), delay_seconds, newId: () => `pch_${ids++}` });
}
const policyAt = (state: PolicyState, hours: number) => asOf(state, at(hours)).policy;
const allows = (policy: Policy, destination: string, amount_stroops = 1n) =>
  brokenRules(policy, { ...NATIVE, destination, amount_stroops }, 0n).length === 0;

for (const field of ['max_withdrawal_stroops', 'max_rolling_24h_stroops'] as const) {
  test(`a first or a lower ${field} holds at once; a higher one, or none, after the delay`, () => {
    let state = ask(NOTHING_ASKED, { [field]: 100n }, 0);
    assert.equal(state.policy[field], 100n);
    state = ask(state, { [field]: 50n }, 1);
    assert.equal(state.policy[field], 50n);
    for (const loose of [51n, null]) {
      const later = ask(state, { [field]: loose }, 2);
      assert.equal(later.policy[field], 50n);
      assert.deepEqual(later.pending[0]?.takes_effect_at, at(26));
      assert.equal(policyAt(later, 25.99)[field], 50n);
      assert.equal(policyAt(later, 26)[field], loose);
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
  assert.equal(policyAt(state, 1_000).max_withdrawal_stroops, 90n);
  assert.equal(policyAt(state, 1_000).max_rolling_24h_stroops, 1_000n);
});

test('to ask for what is in force takes the pending change back', () => {
  let state = ask(NOTHING_ASKED, { max_withdrawal_stroops: 100n }, 0);
  state = ask(state, { max_withdrawal_stroops: 1_000n }, 1);
  assert.deepEqual(ask(state, { max_withdrawal_stroops: 100n }, 2).pending, []);
});

test('to ask again for what is pending leaves its time; to ask for another value starts the delay anew', () => {
  let state = ask(NOTHING_ASKED, { max_withdrawal_stroops: 100n }, 0);
  state = ask(state, { max_withdrawal_stroops: 1_000n }, 1);
  assert.deepEqual(ask(state, { max_withdrawal_stroops: 1_000n }, 20), state);
  const other = ask(state, { max_withdrawal_stroops: 500n }, 20);
  assert.equal(other.pending.length, 1);
  assert.equal(policyAt(other, 43).max_withdrawal_stroops, 100n);
  assert.equal(policyAt(other, 44).max_withdrawal_stroops, 500n);
});

test('lowering and raising again does not give the old limit back at once', () => {
  let state = ask(NOTHING_ASKED, { max_withdrawal_stroops: 100n }, 0);
  state = ask(state, { max_withdrawal_stroops: 1n }, 1);
  state = ask(state, { max_withdrawal_stroops: 100n }, 1);
  assert.equal(state.policy.max_withdrawal_stroops, 1n);
});

test('to ask for no policy at all and then for a new one is no way round the delay', () => {
  let state = ask(NOTHING_ASKED, { max_withdrawal_stroops: 100n, frozen: true }, 0);
  state = ask(state, NO_LIMITS, 1);
  state = ask(state, { ...NO_LIMITS, max_withdrawal_stroops: 1_000n }, 2);
  assert.deepEqual(state.policy, { ...NO_LIMITS, max_withdrawal_stroops: 100n, frozen: true });
  assert.equal(policyAt(state, 25).max_withdrawal_stroops, 100n);
});

test('one call that tightens and loosens does each in its own time', () => {
  let state = ask(NOTHING_ASKED, { max_withdrawal_stroops: 100n, max_rolling_24h_stroops: 100n }, 0);
  state = ask(state, { max_withdrawal_stroops: 50n, max_rolling_24h_stroops: 200n, frozen: true }, 1);
  assert.deepEqual(state.policy, {
    ...NO_LIMITS,
    frozen: true,
    max_withdrawal_stroops: 50n,
    max_rolling_24h_stroops: 100n,
  });
  assert.equal(policyAt(state, 25).max_rolling_24h_stroops, 200n);
});

test('without a delay everything holds at once', () => {
  const tight = ask(NOTHING_ASKED, { frozen: true, max_withdrawal_stroops: 1n, destinations: [ANNA] }, 0, 0);
  assert.deepEqual(ask(tight, NO_LIMITS, 0, 0), NOTHING_ASKED);
});

test('a G… entry allows its account and every M… of it; an M… entry only itself, not its G… with the id as memo', () => {
  const account = { ...NO_LIMITS, destinations: [ANNA] };
  const virtual = { ...NO_LIMITS, destinations: [ANNA_7] };
  const allowed = [ANNA, ANNA_7, ANNA_8, BERT].map((to) => [allows(account, to), allows(virtual, to)]);
  assert.deepEqual(allowed, [
    [true, false],
    [true, true],
    [true, false],
    [false, false],
  ]);
});

test('a limit allows what reaches it exactly, and not one stroop more', () => {
  const policy = { ...NO_LIMITS, max_withdrawal_stroops: 100n, max_rolling_24h_stroops: 150n };
  const codes = (amount_stroops: bigint, used: bigint) =>
    brokenRules(policy, { ...NATIVE, destination: ANNA, amount_stroops }, used).map(({ code }) => code);
  assert.deepEqual(codes(100n, 50n), []);
  assert.deepEqual(codes(101n, 0n), ['policy_amount_limit']);
  assert.deepEqual(codes(100n, 51n), ['policy_daily_limit']);
});

test('a refusal by the daily limit says what is left and from when on the amount is possible', () => {
  const policy = { ...NO_LIMITS, max_rolling_24h_stroops: 100n };
  const spent = [40n, 30n, 20n].map((amount_stroops, hour) => ({ created_at: at(hour), amount_stroops }));
  const say = (amount_stroops: bigint) => {
    const [broken] = brokenRules(policy, { ...NATIVE, destination: ANNA, amount_stroops }, 90n);
    return broken && explain(broken, amount_stroops, spent).message;
  };
  assert.equal(say(10n), undefined);
  assert.match(say(11n) ?? '', /allows 100 stroops in 24 hours, with 10 stroops left; .*2026-01-02T00:00:00/);
  assert.match(say(50n) ?? '', /2026-01-02T00:00:00/);
  assert.match(say(51n) ?? '', /2026-01-02T01:00:00/);
  assert.match(say(100n) ?? '', /2026-01-02T02:00:00/);
  assert.match(say(101n) ?? '', /more than the limit itself/);
});

test('a wallet with a limit pays no issued asset, because that would go around the limit', () => {
  const payment = { ...ISSUED, destination: ANNA, amount_stroops: 1n };
  const codes = (policy: Partial<Policy>, asked = payment) =>
    brokenRules({ ...NO_LIMITS, ...policy }, asked, 0n).map(({ code }) => code);
  assert.deepEqual(codes({}), []);
  for (const field of ['max_withdrawal_stroops', 'max_rolling_24h_stroops'])
    assert.deepEqual(codes({ [field]: 100n }), ['policy_asset_without_limit']);
  assert.deepEqual(codes({ destinations: [] }), ['policy_destination_not_allowed']);
  assert.deepEqual(codes({ frozen: true }), ['policy_frozen']);
});

test('the change of a trust line is no payment: only a frozen wallet refuses it', () => {
  const change = { asset_issuer: ANNA, changes_trust_line: true, destination: ANNA, amount_stroops: 0n };
  const strict = { ...NO_LIMITS, max_withdrawal_stroops: 1n, max_rolling_24h_stroops: 1n, destinations: [] };
  assert.deepEqual(brokenRules(strict, change, 5n), []);
  assert.deepEqual(
    brokenRules({ ...strict, frozen: true }, change, 5n).map(({ code }) => code),
    ['policy_frozen'],
  );
});

test('a refusal speaks of one stroop, not of 1 stroops', () => {
  const say = (limits: Partial<Policy>, used: bigint) => {
    const [broken] = brokenRules(
      { ...NO_LIMITS, ...limits },
      { ...NATIVE, destination: ANNA, amount_stroops: 2n },
      used,
    );
    const refusal = broken && explain(broken, 2n, []);
    return [refusal?.message, refusal?.details?.[0]?.message].join(' ');
  };
  assert.match(
    say({ max_withdrawal_stroops: 1n }, 0n),
    /allows at most 1 stroop per .* be at most 1 stroop$/,
  );
  assert.match(
    say({ max_rolling_24h_stroops: 10n }, 9n),
    /, with 1 stroop left; .* be at most 1 stroop now$/,
  );
});

const limit = fc.constantFrom(1n, 2n, 3n);
const list = fc.uniqueArray(fc.constantFrom(ANNA, ANNA_7, ANNA_8, BERT));
const anyPolicy = fc.record({
  frozen: fc.boolean(),
  max_withdrawal_stroops: fc.option(limit),
  max_rolling_24h_stroops: fc.option(limit),
  destinations: fc.option(list),
});
const anyPatch = fc.record(
  { frozen: fc.boolean(), max_withdrawal_stroops: limit, max_rolling_24h_stroops: limit, destinations: list },
  { requiredKeys: [] },
);
type Act = { put: Policy } | { patch: Partial<Policy> } | { revoke: number } | { look: true };
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
const PAYMENTS = [ANNA, ANNA_7, ANNA_8, BERT].flatMap((destination) =>
  [1n, 2n, 3n, 4n].flatMap((amount_stroops) =>
    [NATIVE, ISSUED].map((asset) => ({ ...asset, destination, amount_stroops })),
  ),
);

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
          if (brokenRules(policy, payment, 0n).length > 0) continue;
          for (const target of stood) assert.deepEqual(brokenRules(target, payment, 0n), []);
        }
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
