/** One seed of the simulation and a share of the scenarios' variants; `npm run test:long` runs many. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvalTamperings, createApprovalChecklist } from '../oracle/approval-tamper.ts';
import { payoutTamperings } from '../oracle/payout-tamper.ts';
import { allTamperings, createChecklist } from '../oracle/tamper.ts';
import { violations } from '../oracle/violations.ts';
import { seededRandom, seedOfRun } from '../support/random.ts';
import { tell, variantsOfScenario, violationsOfVariant } from './exhaustive.ts';
import { scenarioOfApprovals } from './scenario-of-approvals.ts';
import { scenarioOfAssets } from './scenario-of-assets.ts';
import { scenarioOfDeposits } from './scenario-of-deposits.ts';
import { scenarioOfPayouts, storyOfPayouts } from './scenario-of-payouts.ts';
import { scenarioOfWebhooks } from './scenario-of-webhooks.ts';
import { scenarioOfWithdrawals } from './scenario-of-withdrawals.ts';
import { simulate } from './simulation.ts';

const SEED = seedOfRun();
/** All variants take minutes. The seed says which of them are in the share that is run here. */
const SCENARIOS = [
  { scenario: scenarioOfDeposits, every: 601 },
  { scenario: scenarioOfWithdrawals, every: 601 },
  { scenario: scenarioOfApprovals, every: 601 },
  { scenario: scenarioOfPayouts, every: 601 },
  { scenario: scenarioOfAssets, every: 901 },
  { scenario: scenarioOfWebhooks, every: 151 },
];
const BRIEF = { storm_ms: 20_000 };
/** Of simulated time: enough for a few kills and faults. */
const BRIEFEST = { storm_ms: 5_000 };

test('whatever goes wrong, each key is paid once at most, each credit is one deposit, each outcome the ledger’s', async (t) => {
  t.diagnostic(`SEED=${SEED}`);
  assert.deepEqual((await simulate(SEED, { ...BRIEF, payouts: false })).violations, [], `seed ${SEED}`);
});

test('the same seed is the same history, with approvals and payouts, and without', async () => {
  for (const approvals of [true, false]) {
    const options = { ...BRIEFEST, approvals, payouts: approvals };
    const [one, other] = [await simulate('the same', options), await simulate('the same', options)];
    assert.equal(one.digest, other.digest);
    assert.deepEqual(one.violations, []);
  }
});

test('whatever goes wrong, only enough approvals of other members pay what needs them', async (t) => {
  t.diagnostic(`SEED=${SEED}`);
  const { violations: found } = await simulate(SEED, { ...BRIEF, approvals: true, payouts: false });
  assert.deepEqual(found, [], `seed ${SEED}`);
});

test('no falsification of the evidence is overlooked', async () => {
  const { evidence, violations: found } = await simulate('fair-12', {
    storm_ms: 20_000,
    fair: true,
    approvals: false,
    payouts: false,
    inbox_users: 8,
    env: { TREASURY_PAYS: 'fees,reserves', FEE_MAX_STROOPS: '1000000' },
    until: createChecklist(),
  });
  assert.deepEqual(found, []);
  for (const { name, evidence: falsified } of allTamperings(evidence))
    assert.notDeepEqual(violations(falsified), [], name);
});

test('whatever goes wrong, each row of an accepted file is paid once at most, and only while its payout runs', async (t) => {
  t.diagnostic(`SEED=${SEED}`);
  const { violations: found } = await simulate(SEED, { ...BRIEF, approvals: false, payouts: true });
  assert.deepEqual(found, [], `seed ${SEED}`);
});

test('no falsification of what is known of payouts is overlooked', async () => {
  const { evidence, violations: found } = await tell(storyOfPayouts, null);
  assert.deepEqual(found, []);
  for (const { name, violation, evidence: falsified } of payoutTamperings(evidence))
    assert.match(violations(falsified).join('\n'), violation, name);
});

test('no falsification of what is known of approvals is overlooked', async () => {
  const { evidence, violations: found } = await simulate('approvals-1', {
    storm_ms: 20_000,
    fair: true,
    approvals: true,
    payouts: false,
    until: createApprovalChecklist(),
  });
  assert.deepEqual(found, []);
  for (const { name, violation, evidence: falsified } of approvalTamperings(evidence))
    assert.match(violations(falsified).join('\n'), violation, name);
});

test('with prompt receivers and no fault each event is sent once', async () => {
  const { evidence, violations: found } = await simulate('once', {
    storm_ms: 20_000,
    fair: true,
    approvals: false,
    payouts: false,
    inbox_users: 0,
  });
  assert.deepEqual(found, []);
  assert.ok(evidence.webhooks.faultless);
  assert.ok(evidence.webhooks.receipts.length > 20);
});

test('failed before, failed after, killed before, killed after: at any await nothing is paid twice or lost', async (t) => {
  t.diagnostic(`SEED=${SEED}`);
  for (const { scenario, every } of SCENARIOS) {
    const { variants, violations: found } = await variantsOfScenario(scenario);
    const first = seededRandom(SEED)
      .fork(scenario.name)
      .integer(0, Math.min(every, variants.length) - 1);
    const chosen = variants.filter((_, index) => index % every === first);
    assert.ok(chosen.length > 0);
    for (const variant of chosen) found.push(...(await violationsOfVariant(scenario, variant)));
    assert.deepEqual(found, [], scenario.name);
  }
});
