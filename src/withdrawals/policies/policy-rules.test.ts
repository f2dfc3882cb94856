import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import {
  ANNA,
  ANNA_7,
  ANNA_8,
  allows,
  at,
  BERT,
  EURC,
  IN_XLM,
  limitsFor,
  OTHER_SMART,
  policyOf,
  SMART,
  SMART_7,
  USDC,
  type Wish,
} from '../../../test/support/policies.ts';
import { type AssetFields, NATIVE } from '../../stellar/asset.ts';
import { contractAddress } from '../../stellar/contract-address.ts';
import { NO_LIMITS } from './policies.ts';
import { brokenRules, explain } from './policy-rules.ts';

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

test('a C… entry allows its contract and every W… of it; a W… entry only itself', () => {
  const contract = { ...NO_LIMITS, destinations: [SMART] };
  const muxed = { ...NO_LIMITS, destinations: [SMART_7] };
  const eight = contractAddress({ contract: SMART, muxed_id: 8n });
  const allowed = [SMART, SMART_7, eight, OTHER_SMART].map((to) => [allows(contract, to), allows(muxed, to)]);
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
  const change = { ...IN_XLM, ...USDC, changes_trust_line: true, destination: ANNA, amount_stroops: 0n };
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
