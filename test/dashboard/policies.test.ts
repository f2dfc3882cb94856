import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Policy as Shown } from '../../dashboard/src/api/contract.ts';
import { durationWords } from '../../dashboard/src/pages/policies/duration.ts';
import {
  changeOfLimits,
  effectsOfLimits,
  limitsInForce,
  nameOf,
  withEntry,
} from '../../dashboard/src/pages/policies/limits.ts';
import { readAddresses } from '../../dashboard/src/pages/policies/read-addresses.ts';
import { readLimits } from '../../dashboard/src/pages/policies/read-limits.ts';
import { inForceWords } from '../../dashboard/src/pages/policies/rule-words.ts';
import { bodyOf, patchOf, requestedLimits, targetOf } from '../../dashboard/src/pages/policies/target.ts';
import { parseBody } from '../../src/http/read-json.ts';
import { accountOf } from '../../src/stellar/address.ts';
import { assetText, NATIVE } from '../../src/stellar/asset.ts';
import { APPROVED_KINDS, approvalsOf } from '../../src/withdrawals/policies/approval-rules.ts';
import {
  type AssetLimits,
  LIMIT_FIELDS,
  limitOf,
  limitsOf,
} from '../../src/withdrawals/policies/asset-limits.ts';
import * as service from '../../src/withdrawals/policies/policies.ts';
import { PolicyBody, showPolicy, targetFrom } from '../../src/withdrawals/policies/policy-schema.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const ACCOUNTS = [1, 2, 3].map((byte) => accountOf(Buffer.alloc(32, byte)));

const ASSETS = [
  NATIVE,
  ...['EURC', 'USDC'].map((asset_code) => ({ asset_code, asset_issuer: ACCOUNTS[0] ?? '' })),
];
const LATER = new Date(NOW.getTime() + 60_000);

let ids = 0;
function ask(state: service.PolicyState, target: service.Policy): service.PolicyState {
  return service.changed(state, target, {
    now: NOW,
    delay_seconds: 60,
    requested_by: 'usr_1',
    newId: () => `pch_${ids++}`,
  });
}

/** Returns the policy as the API shows it. */
function shown(state: service.PolicyState): Shown {
  return showPolicy({
    ...state,
    operator_freeze: null,
    wallet_id: 'wal_1',
    used_stroops: new Map(),
    delay_seconds: 60,
  });
}

/** The body as the service reads it. */
const read = (body: object) => {
  const text = JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return PolicyBody.parse(parseBody(text.replaceAll(/"(\d+)n"/g, '$1')));
};

const limit = fc.option(fc.bigInt({ min: 1n, max: 4n }), { freq: 2 });
const limitsFor = (index: number) => {
  const { asset_code, asset_issuer } = ASSETS[index] ?? NATIVE;
  return fc.oneof(fc.constant([null, null] as const), fc.tuple(limit, limit)).map(
    ([max_withdrawal_stroops, max_rolling_24h_stroops]): AssetLimits => ({
      asset_code,
      asset_issuer,
      max_withdrawal_stroops,
      max_rolling_24h_stroops,
    }),
  );
};
const anyLimits = fc.tuple(limitsFor(0), limitsFor(1), limitsFor(2)).map(limitsOf);
const anyApprovals = fc.option(
  fc
    .record({
      required: fc.integer({ min: 1, max: 3 }),
      for: fc.subarray([...APPROVED_KINDS], { minLength: 1 }),
      without_factor: fc.boolean(),
      above: fc.subarray(ASSETS.map((asset, index) => ({ ...asset, amount_stroops: BigInt(index + 1) }))),
    })
    .map((rule) => approvalsOf({ ...rule, above: rule.for.includes('withdrawals') ? rule.above : [] })),
);
const policyWith = (approvals: fc.Arbitrary<service.Policy['approvals']>): fc.Arbitrary<service.Policy> =>
  fc.record({
    frozen: fc.boolean(),
    limits: anyLimits,
    destinations: fc.option(fc.subarray(ACCOUNTS)),
    approvals,
  });
/** After some changes: some rules are in force, some pending. */
const stateOf = (policy: fc.Arbitrary<service.Policy>) =>
  fc
    .array(policy, { maxLength: 4 })
    .map((targets) => targets.reduce(ask, { policy: service.NO_LIMITS, pending: [] }));
const state = stateOf(policyWith(anyApprovals));

test('property: dashboard and service agree on the policy requested so far', () => {
  fc.assert(
    fc.property(state, (before) => assert.deepEqual(targetOf(shown(before)), service.targetOf(before))),
  );
});

test('property: requesting the requested policy again changes nothing, by PUT and by PATCH', () => {
  fc.assert(
    fc.property(state, (before) => {
      const target = targetOf(shown(before));
      const put = bodyOf(target);
      assert.ok(put, 'a policy that was requested allows an asset');
      assert.deepEqual(ask(before, targetFrom(read(put), service.NO_LIMITS)), before);
      const patch = patchOf(target);
      assert.equal(patch === null, target.destinations === null);
      if (patch) assert.deepEqual(ask(before, targetFrom(read(patch), service.targetOf(before))), before);
    }),
  );
});

test('no PUT is sent where every asset is refused: it would lift that', () => {
  assert.equal(bodyOf({ ...service.NO_LIMITS, limits: [] }), null);
});

/** What the policy says of one asset. */
const allowance = ({ limits }: service.Policy, asset: (typeof ASSETS)[number]) => {
  if (limits === null) return 'free';
  const entry = limitOf(limits, asset);
  return entry ? LIMIT_FIELDS.map((field) => `${entry[field]}`).join(' ') : 'refused';
};

test('property: the limits of one asset change what the dashboard says of each asset, at once or later', () => {
  const change = fc.nat({ max: 2 }).chain(limitsFor);
  fc.assert(
    // With approvals, what becomes looser waits for members too.
    fc.property(stateOf(policyWith(fc.constant(null))), change, (before, entry) => {
      const wanted = withEntry(requestedLimits(shown(before)), entry);
      const after = ask(before, { ...service.targetOf(before), limits: wanted });
      const settled = service.asOf(after, LATER).policy;
      const effects = effectsOfLimits(limitsInForce(shown(before)), wanted, ASSETS);
      for (const asset of ASSETS) {
        const said = effects.filter((effect) => assetText(effect.asset) === assetText(asset));
        const [was, is, will] = [before.policy, after.policy, settled].map((each) => allowance(each, asset));
        assert.equal(
          said.some(({ effect }) => effect === 'at_once'),
          was !== is,
          `${was} → ${is} at once`,
        );
        assert.equal(
          said.some(({ effect }) => effect === 'later'),
          is !== will,
          `${is} → ${will} later`,
        );
        for (const { words } of said) assert.match(words, /^(XLM|(EURC|USDC) \(G\w{3}…\w{4}\)): /);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('what is pending already is not said again, and what is cancelled is said', () => {
  const [usdc, eurc] = [ASSETS[2] ?? NATIVE, ASSETS[1] ?? NATIVE];
  const none = { max_withdrawal_stroops: null, max_rolling_24h_stroops: null };
  const first = [{ ...NATIVE, ...none, max_withdrawal_stroops: 7n }];
  const daily = (max_rolling_24h_stroops: bigint) => ({ ...usdc, ...none, max_rolling_24h_stroops });
  const in_force = ask({ policy: service.NO_LIMITS, pending: [] }, { ...service.NO_LIMITS, limits: first });
  const target = limitsOf([...first, daily(5n)]);
  const before = shown(ask(in_force, { ...service.NO_LIMITS, limits: target }));
  const say = (limits: service.Policy['limits']) => {
    const { effects, cancelled } = changeOfLimits(before, target, limits, ASSETS);
    return [effects, cancelled].map((list) => list.map(({ effect, words }) => `${effect} ${words}`));
  };
  assert.deepEqual(say(target), [[], []]);
  const waits = (asset: typeof usdc, units: string) => {
    const { asset_code, asset_issuer } = asset;
    const name = `${asset_code} (${asset_issuer?.slice(0, 4)}…${asset_issuer?.slice(-4)})`;
    return `later ${name}: at most ${units} ${asset_code} in 24 hours.`;
  };
  assert.deepEqual(say(limitsOf([...first, daily(6n)])), [
    [waits(usdc, '0.0000006')],
    [waits(usdc, '0.0000005')],
  ]);
  assert.deepEqual(say(withEntry(target, { ...eurc, ...none, max_rolling_24h_stroops: 1n })), [
    [waits(eurc, '0.0000001')],
    [],
  ]);
  assert.deepEqual(say(first), [[], [waits(usdc, '0.0000005')]]);
});

test('the limits that are typed are read in the unit of their asset; an empty field is no limit', () => {
  const usdc = ASSETS[2] ?? NATIVE;
  const typed = { max_withdrawal_stroops: '900719925.4740993 USDC', max_rolling_24h_stroops: ' ' };
  assert.deepEqual(readLimits(usdc, typed), {
    entry: { ...usdc, max_withdrawal_stroops: 9007199254740993n, max_rolling_24h_stroops: null },
    problems: {},
  });
  const { entry, problems } = readLimits(NATIVE, { ...typed, max_rolling_24h_stroops: '0' });
  assert.deepEqual([entry, Object.keys(problems)], [null, LIMIT_FIELDS]);
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

test('beside a change that waits stands the rule in force that it replaces', () => {
  const [one = ''] = ACCOUNTS;
  const usdc = ASSETS[2] ?? NATIVE;
  const limited = { ...NATIVE, max_withdrawal_stroops: 10_000_000n, max_rolling_24h_stroops: null };
  const in_force = {
    frozen: true,
    limits: [limited],
    destinations: [one],
    approvals: { required: 2, for: ['policies' as const], above: [], without_factor: false },
  };
  const both = { ...in_force, limits: [limited, { ...limited, ...usdc }] };
  const asked = ask({ policy: both, pending: [] }, service.NO_LIMITS);
  const policy = shown(asked);
  const words = policy.pending.map((change) => [change.field, inForceWords(policy, change)]);
  assert.deepEqual(Object.fromEntries(words), {
    frozen: 'The wallet is frozen',
    limits: `Only these assets are allowed: XLM, ${nameOf(usdc)}`,
    destinations: 'One destination is allowed',
    approvals: '2 approvals for every change of these rules that allows more',
  });
  const before = { ...in_force, approvals: null };
  const wider = {
    ...before,
    limits: [
      { ...limited, max_withdrawal_stroops: 20_000_000n },
      { ...limited, ...usdc },
    ],
  };
  const widened = shown(ask({ policy: before, pending: [] }, wider));
  assert.deepEqual(
    widened.pending.map((change) => inForceWords(widened, change)),
    ['The limit of XLM per withdrawal is 1 XLM', `${nameOf(usdc)} is refused`],
  );
  const refusing = shown(ask({ policy: { ...before, limits: [] }, pending: [] }, service.NO_LIMITS));
  const [all] = refusing.pending.filter(({ field }) => field === 'limits');
  assert.equal(all && inForceWords(refusing, all), 'No asset is allowed');
});
