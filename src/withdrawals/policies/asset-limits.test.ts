import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import {
  ask,
  at,
  BERT,
  EURC,
  IN_XLM,
  limitsFor,
  NOTHING_ASKED,
  policyAt,
  USDC,
} from '../../../test/support/policies.ts';
import { type AssetFields, assetText, NATIVE } from '../../stellar/asset.ts';
import { limitsText, readLimits } from './asset-limits.ts';
import { NO_LIMITS, type Policy, type PolicyState } from './policies.ts';
import { brokenRules } from './policy-rules.ts';

/** Each limited asset with its two limits; null when all assets are free. */
const shown = ({ limits }: Policy) =>
  limits?.map((entry) => [entry.asset_code, entry.max_withdrawal_stroops, entry.max_rolling_24h_stroops]) ??
  null;

const pendingOf = ({ pending }: PolicyState) =>
  pending.map(({ field, asset_code, limit_stroops, max_withdrawal_stroops, max_rolling_24h_stroops }) =>
    field === 'limits'
      ? [field, asset_code, max_withdrawal_stroops, max_rolling_24h_stroops]
      : [field, asset_code, limit_stroops],
  );

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

test('another value for an asset that is pending starts its delay again, and no other', () => {
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

test('a column gives back every limit to the stroop, and tells no limits from those that refuse every asset', () => {
  for (const limits of [
    null,
    [],
    [limitsFor(NATIVE, 2n ** 63n - 1n, 1n), limitsFor(USDC, null, 2n ** 53n + 1n)],
  ]) {
    const text = limitsText(limits);
    assert.deepEqual(readLimits(text && JSON.parse(text)), limits);
  }
});
