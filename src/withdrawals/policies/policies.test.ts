import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { accountOf, muxedAddress } from '../../stellar/address.ts';
import { type AssetFields, assetText, NATIVE } from '../../stellar/asset.ts';
import { type AssetLimits, type LimitField, limitOf, limitsOf } from './asset-limits.ts';
import { asOf, changed, NO_LIMITS, type Policy, type PolicyState, targetOf } from './policies.ts';
import { brokenRules, explain } from './policy-rules.ts';

const [ANNA, BERT, CARL] = [1, 2, 3].map((byte) => accountOf(Buffer.alloc(32, byte))) as [
  string,
  string,
  string,
];
const ANNA_7 = muxedAddress(ANNA, 7n);
const ANNA_8 = muxedAddress(ANNA, 8n);

const USDC = { asset_code: 'USDC', asset_issuer: ANNA };
const EURC = { asset_code: 'EURC', asset_issuer: ANNA };
const IN_XLM = { ...NATIVE, changes_trust_line: false };

const HOUR_MS = 3_600_000;
const DAY_SECONDS = 86_400;
const NOTHING_ASKED: PolicyState = { policy: NO_LIMITS, pending: [] };
const at = (hours: number) => new Date(Date.UTC(2026, 0, 1) + hours * HOUR_MS);

/** The two fields are of the native asset, as in the API. */
type Wish = Partial<Policy> & Partial<Record<LimitField, bigint | null>>;
function wished({ limits, max_withdrawal_stroops, max_rolling_24h_stroops, ...wish }: Wish, before: Policy) {
  const fields = { max_withdrawal_stroops, max_rolling_24h_stroops };
  const named = Object.entries(fields).filter(([, limit]) => limit !== undefined);
  const list = limits === undefined ? before.limits : limits;
  if (named.length === 0) return { ...before, ...wish, limits: list };
  const native = { ...limitsFor(NATIVE), ...limitOf(list, NATIVE), ...Object.fromEntries(named) };
  const others = list?.filter(({ asset_issuer }) => asset_issuer !== null) ?? [];
  return { ...before, ...wish, limits: limitsOf([native, ...others]) };
}
const policyOf = (wish: Wish): Policy => wished(wish, NO_LIMITS);
const limitsFor = (
  asset: AssetFields,
  max_withdrawal_stroops: bigint | null = null,
  max_rolling_24h_stroops: bigint | null = null,
): AssetLimits => ({ ...asset, max_withdrawal_stroops, max_rolling_24h_stroops });

let ids = 0;
/** The state after a request for these fields, `hours` after the beginning. */
function ask(state: PolicyState, wish: Wish, hours: number, delay_seconds = DAY_SECONDS) {
  const target = wished(wish, targetOf(state));
  return changed(state, target, { now: at(hours), delay_seconds, newId: () => `pch_${ids++}` });
}
const policyAt = (state: PolicyState, hours: number) => asOf(state, at(hours)).policy;
const allows = (policy: Policy, destination: string, amount_stroops = 1n) =>
  brokenRules(policy, { ...IN_XLM, destination, amount_stroops }, 0n).length === 0;
const native = (policy: Policy, field: LimitField) => limitOf(policy.limits, NATIVE)?.[field] ?? null;
/** Each limited asset with its two limits; null when all assets are free. */
const shown = ({ limits }: Policy) =>
  limits?.map((entry) => [
    entry.asset_code,
    entry.max_withdrawal_stroops ?? null,
    entry.max_rolling_24h_stroops ?? null,
  ]) ?? null;
const pendingOf = ({ pending }: PolicyState) =>
  pending.map(({ field, asset_code, limit_stroops, max_withdrawal_stroops, max_rolling_24h_stroops }) =>
    field === 'limits'
      ? [field, asset_code, max_withdrawal_stroops, max_rolling_24h_stroops]
      : [field, asset_code, limit_stroops],
  );

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

test('to ask again for what is pending leaves its time; to ask for another value starts the delay anew', () => {
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
  const policy = policyOf({ max_withdrawal_stroops: 100n, max_rolling_24h_stroops: 150n });
  const codes = (amount_stroops: bigint, used: bigint) =>
    brokenRules(policy, { ...IN_XLM, destination: ANNA, amount_stroops }, used).map(({ code }) => code);
  assert.deepEqual(codes(100n, 50n), []);
  assert.deepEqual(codes(101n, 0n), ['policy_amount_limit']);
  assert.deepEqual(codes(100n, 51n), ['policy_daily_limit']);
});

test('a refusal by the daily limit says what is left and from when on the amount is possible', () => {
  const policy = policyOf({ max_rolling_24h_stroops: 100n });
  const spent = [40n, 30n, 20n].map((amount_stroops, hour) => ({ created_at: at(hour), amount_stroops }));
  const say = (amount_stroops: bigint) => {
    const [broken] = brokenRules(policy, { ...IN_XLM, destination: ANNA, amount_stroops }, 90n);
    return broken && explain(broken, { ...NATIVE, amount_stroops }, spent).message;
  };
  assert.equal(say(10n), undefined);
  assert.match(say(11n) ?? '', /allows 100 stroops in 24 hours, with 10 stroops left; .*2026-01-02T00:00:00/);
  assert.match(say(50n) ?? '', /2026-01-02T00:00:00/);
  assert.match(say(51n) ?? '', /2026-01-02T01:00:00/);
  assert.match(say(100n) ?? '', /2026-01-02T02:00:00/);
  assert.match(say(101n) ?? '', /more than the limit itself/);
});

test('the first limit of one asset refuses the others at once, and no limit by itself is refused', () => {
  const state = ask(NOTHING_ASKED, { limits: [limitsFor(USDC, 5n)] }, 0);
  assert.deepEqual(shown(state.policy), [['USDC', 5n, null]]);
  assert.deepEqual(state.pending, []);
  const codes = (asset: AssetFields, amount_stroops: bigint) =>
    brokenRules(state.policy, { ...IN_XLM, ...asset, destination: BERT, amount_stroops }, 0n).map(
      ({ code }) => code,
    );
  assert.deepEqual([codes(USDC, 5n), codes(USDC, 6n)], [[], ['policy_amount_limit']]);
  for (const other of [NATIVE, EURC, { ...USDC, asset_issuer: BERT }])
    assert.deepEqual(codes(other, 1n), ['policy_asset_without_limit'], assetText(other));
});

test('first limits of several assets in one call hold at once', () => {
  const limits = [limitsFor(NATIVE, 7n), limitsFor(EURC, null, 6n), limitsFor(USDC, 5n)];
  const state = ask(NOTHING_ASKED, { limits }, 0);
  assert.deepEqual([state.policy.limits, state.pending], [limits, []]);
});

test('a limit for an asset that was refused is one change with both fields, and waits', () => {
  let state = ask(NOTHING_ASKED, { max_withdrawal_stroops: 7n }, 0);
  state = ask(state, { limits: [limitsFor(NATIVE, 7n), limitsFor(USDC, 5n, 9n)] }, 1);
  assert.deepEqual(shown(state.policy), [['native', 7n, null]]);
  assert.deepEqual(pendingOf(state), [['limits', 'USDC', 5n, 9n]]);
  assert.deepEqual(shown(policyAt(state, 24.99)), [['native', 7n, null]]);
  assert.deepEqual(shown(policyAt(state, 25)), [
    ['native', 7n, null],
    ['USDC', 5n, 9n],
  ]);
});

test('the native asset too comes back only after the delay, once another asset alone has a limit', () => {
  let state = ask(NOTHING_ASKED, { limits: [limitsFor(USDC, 5n)] }, 0);
  state = ask(state, { max_withdrawal_stroops: 7n }, 1);
  assert.deepEqual(shown(state.policy), [['USDC', 5n, null]]);
  assert.deepEqual(pendingOf(state), [['limits', 'native', 7n, null]]);
});

test('an asset that goes while another stays limited is refused at once; back again, it waits', () => {
  const both = [limitsFor(NATIVE, 7n), limitsFor(USDC, 5n, 9n)];
  let state = ask(NOTHING_ASKED, { limits: both }, 0);
  state = ask(state, { limits: [limitsFor(NATIVE, 7n)] }, 1);
  assert.deepEqual([shown(state.policy), state.pending], [[['native', 7n, null]], []]);
  state = ask(state, { limits: both }, 2);
  assert.deepEqual(shown(state.policy), [['native', 7n, null]]);
  assert.deepEqual(pendingOf(state), [['limits', 'USDC', 5n, 9n]]);
});

test('one limited asset in the place of another: nothing can be paid until the new one is allowed', () => {
  let state = ask(NOTHING_ASKED, { limits: [limitsFor(USDC, 5n)] }, 0);
  state = ask(state, { limits: [limitsFor(EURC, 5n)] }, 1);
  assert.deepEqual(shown(state.policy), []);
  assert.deepEqual(pendingOf(state), [['limits', 'EURC', 5n, null]]);
  assert.deepEqual(shown(policyAt(state, 25)), [['EURC', 5n, null]]);
  const free = ask(state, NO_LIMITS, 2);
  assert.deepEqual(pendingOf(free), [['limits', null, null, null]]);
  assert.deepEqual(shown(policyAt(free, 25.99)), []);
  assert.equal(shown(policyAt(free, 26)), null);
});

test('the two fields of an asset change by themselves while it stays limited', () => {
  let state = ask(NOTHING_ASKED, { limits: [limitsFor(USDC, 5n, 9n)] }, 0);
  state = ask(state, { limits: [limitsFor(USDC, null, 8n)] }, 1);
  assert.deepEqual(shown(state.policy), [['USDC', 5n, 8n]]);
  assert.deepEqual(pendingOf(state), [['max_withdrawal_stroops', 'USDC', null]]);
  state = ask(state, { limits: [limitsFor(USDC, 4n)] }, 2);
  assert.deepEqual(shown(state.policy), [['USDC', 4n, 8n]]);
  assert.deepEqual(pendingOf(state), [['max_rolling_24h_stroops', 'USDC', null]]);
  assert.deepEqual(shown(policyAt(state, 26)), [['USDC', 4n, null]]);
});

test('the limits of the only limited asset go by field, those of several assets go together', () => {
  const one = ask(NOTHING_ASKED, { limits: [limitsFor(USDC, 5n, 9n)] }, 0);
  assert.deepEqual(pendingOf(ask(one, NO_LIMITS, 1)), [
    ['max_withdrawal_stroops', 'USDC', null],
    ['max_rolling_24h_stroops', 'USDC', null],
  ]);
  assert.equal(shown(policyAt(ask(one, NO_LIMITS, 1), 25)), null);
  const two = ask(NOTHING_ASKED, { limits: [limitsFor(NATIVE, 7n), limitsFor(USDC, 5n, 9n)] }, 0);
  const free = ask(two, NO_LIMITS, 1);
  assert.deepEqual(free.policy, two.policy);
  assert.deepEqual(pendingOf(free), [['limits', null, null, null]]);
  assert.equal(shown(policyAt(free, 25)), null);
});

test('another value for an asset that is pending starts its delay anew, and no other', () => {
  const wish = (eurc: bigint) => ({
    limits: [limitsFor(NATIVE, 7n), limitsFor(EURC, eurc), limitsFor(USDC, 5n)],
  });
  let state = ask(NOTHING_ASKED, { max_withdrawal_stroops: 7n }, 0);
  state = ask(ask(state, wish(5n), 1), wish(4n), 13);
  assert.deepEqual(
    state.pending.map(({ asset_code, takes_effect_at }) => [asset_code, takes_effect_at]),
    [
      ['EURC', at(37)],
      ['USDC', at(25)],
    ],
  );
});

test('a wallet with a limit, frozen or with a list: each refuses an asset without a limit by its own rule', () => {
  const payment = { ...IN_XLM, ...USDC, destination: ANNA, amount_stroops: 1n };
  const codes = (wish: Wish) => brokenRules(policyOf(wish), payment, 0n).map(({ code }) => code);
  assert.deepEqual(codes({}), []);
  for (const field of ['max_withdrawal_stroops', 'max_rolling_24h_stroops'])
    assert.deepEqual(codes({ [field]: 100n }), ['policy_asset_without_limit']);
  assert.deepEqual(codes({ destinations: [] }), ['policy_destination_not_allowed']);
  assert.deepEqual(codes({ frozen: true }), ['policy_frozen']);
});

test('a refusal names the issued asset', () => {
  const policy = policyOf({ limits: [limitsFor(USDC, 5n, 9n)] });
  const say = (asset: AssetFields, amount_stroops: bigint, used: bigint) => {
    const [broken] = brokenRules(policy, { ...IN_XLM, ...asset, destination: BERT, amount_stroops }, used);
    return broken && explain(broken, { ...asset, amount_stroops }, []).message;
  };
  assert.match(say(USDC, 6n, 0n) ?? '', new RegExp(`at most 5 stroops of USDC:${ANNA} per withdrawal`));
  assert.match(
    say(USDC, 5n, 5n) ?? '',
    new RegExp(`9 stroops of USDC:${ANNA} in 24 hours, with 4 stroops left`),
  );
  assert.match(say(EURC, 1n, 0n) ?? '', new RegExp(`none for EURC:${ANNA}`));
  assert.match(say(NATIVE, 1n, 0n) ?? '', /none for the native asset/);
});

test('the change of a trust line is no payment: only a frozen wallet refuses it', () => {
  const change = { ...USDC, changes_trust_line: true, destination: ANNA, amount_stroops: 0n };
  const strict = policyOf({ max_withdrawal_stroops: 1n, max_rolling_24h_stroops: 1n, destinations: [] });
  assert.deepEqual(brokenRules(strict, change, 5n), []);
  assert.deepEqual(
    brokenRules({ ...strict, frozen: true }, change, 5n).map(({ code }) => code),
    ['policy_frozen'],
  );
});

test('a refusal speaks of one stroop, not of 1 stroops', () => {
  const say = (limits: Wish, used: bigint) => {
    const order = { ...IN_XLM, destination: ANNA, amount_stroops: 2n };
    const [broken] = brokenRules(policyOf(limits), order, used);
    const refusal = broken && explain(broken, order, []);
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
});
const anyPatch = fc.record(
  {
    ...{ frozen: anyFrozen, max_withdrawal_stroops: limit, max_rolling_24h_stroops: limit },
    ...{ limits: anyLimits, destinations: list },
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
const PAYMENTS = [ANNA, ANNA_7, ANNA_8, BERT].flatMap((destination) =>
  [1n, 2n, 3n, 4n].flatMap((amount_stroops) =>
    [NATIVE, USDC, EURC].map((asset) => ({ ...IN_XLM, ...asset, destination, amount_stroops })),
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
