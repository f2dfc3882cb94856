/**
 * `npm test`: a seed in which everything happens, twice; a run without faults, whose evidence is falsified; and a variant of each
 * scenario. Its long form has a seed for each part of the service, falsifies all that can be falsified, and tries a share of the
 * variants. `npm run test:long` runs many seeds and variants.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { approvalTamperings, createApprovalChecklist } from '../oracle/approval-tamper.ts';
import { payoutTamperings } from '../oracle/payout-tamper.ts';
import { allTamperings, createChecklist } from '../oracle/tamper.ts';
import { violations } from '../oracle/violations.ts';
import { isLong } from '../support/form.ts';
import { createTestDatabase } from '../support/postgres.ts';
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
/** All variants take minutes. The seed says which of them are in the share of the long form, and which one is tried in `npm test`. */
const SCENARIOS = [
  { scenario: scenarioOfDeposits, every: 601 },
  { scenario: scenarioOfWithdrawals, every: 601 },
  { scenario: scenarioOfApprovals, every: 601 },
  { scenario: scenarioOfPayouts, every: 601 },
  { scenario: scenarioOfAssets, every: 901 },
  { scenario: scenarioOfWebhooks, every: 151 },
];
const BRIEF = { storm_ms: 20_000 };
/** Of simulated time: enough for some kills and faults. */
const BRIEFER = { storm_ms: 10_000 };
/** For the history that repeats. */
const BRIEFEST = { storm_ms: 5_000 };
const FAIR = { ...BRIEF, fair: true, payouts: false };
/** So that the run has something of each kind that can be falsified. */
const BUSY = { inbox_users: 8, env: { TREASURY_PAYS: 'fees,reserves', FEE_MAX_STROOPS: '1000000' } };
/** The run waits until requests expire, and a secret that was replaced days ago may be in use or not. */
const HIDDEN_BY_DAYS = 'a secret that has stopped signing too early';

if (isLong) longForm();
else shortForm();

function shortForm(): void {
  test('whatever goes wrong, each key and each row is paid once at most, with its approvals only, and the same seed is the same history', async (t) => {
    t.diagnostic(`SEED=${SEED}`);
    const options = { ...BRIEFER, approvals: true, payouts: true };
    const one = await simulate(SEED, options);
    const other = await besideTransactionElsewhere(() => simulate(SEED, options));
    assert.deepEqual(one.violations, [], `seed ${SEED}`);
    assert.equal(one.digest, other.digest);
    assert.ok([...one.tally.entries()].length > 0, 'something went wrong');
  });

  test('with prompt receivers and no fault each event is sent once, and no falsification of the evidence is overlooked', async () => {
    const { evidence, violations: found } = await simulate('fair-12', {
      ...FAIR,
      ...BUSY,
      approvals: true,
      until: createChecklist(),
    });
    assert.deepEqual(found, []);
    assert.ok(evidence.webhooks.faultless);
    assert.ok(evidence.webhooks.receipts.length > 20);
    for (const { name, evidence: falsified } of allTamperings(
      evidence,
      ({ name }) => name !== HIDDEN_BY_DAYS,
    ))
      assert.notDeepEqual(violations(falsified), [], name);
    let of_approvals = 0;
    for (const { name, violation, evidence: falsified } of approvalTamperings(evidence, { possible: true })) {
      assert.match(violations(falsified).join('\n'), violation, name);
      of_approvals++;
    }
    assert.ok(of_approvals > 20, `${of_approvals} falsifications of approvals`);
  });
}

/** Runs a simulation while a transaction is open in another database of the server, as the tests of other files have them. */
async function besideTransactionElsewhere<T>(work: () => Promise<T>): Promise<T> {
  const { url, drop } = await createTestDatabase();
  const neighbour = new pg.Client(url);
  await neighbour.connect();
  try {
    await neighbour.query('begin');
    await neighbour.query('select pg_current_xact_id()');
    return await work();
  } finally {
    await neighbour.end();
    await drop();
  }
}

function longForm(): void {
  const parts = [
    {
      what: 'each key is paid once at most, each credit is one deposit, each outcome the ledger’s',
      options: { payouts: false },
    },
    {
      what: 'only enough approvals of other members pay what needs them',
      options: { approvals: true, payouts: false },
    },
    {
      what: 'each row of an accepted file is paid once at most, and only while its payout runs',
      options: { approvals: false, payouts: true },
    },
  ];
  for (const { what, options } of parts)
    test(`whatever goes wrong, ${what}`, async (t) => {
      t.diagnostic(`SEED=${SEED}`);
      const { violations: found } = await simulate(SEED, { ...BRIEF, ...options });
      assert.deepEqual(found, [], `seed ${SEED}`);
    });

  test('the same seed is the same history, with approvals and payouts, and without', async () => {
    for (const approvals of [true, false]) {
      const options = { ...BRIEFEST, approvals, payouts: approvals };
      const [one, other] = [await simulate('the same', options), await simulate('the same', options)];
      assert.equal(one.digest, other.digest);
      assert.deepEqual(one.violations, []);
    }
  });

  test('no falsification of the evidence is overlooked', async () => {
    const { evidence, violations: found } = await simulate('fair-12', {
      ...FAIR,
      ...BUSY,
      approvals: false,
      until: createChecklist(),
    });
    assert.deepEqual(found, []);
    for (const { name, evidence: falsified } of allTamperings(evidence))
      assert.notDeepEqual(violations(falsified), [], name);
  });

  test('no falsification of what is known of approvals is overlooked', async () => {
    const { evidence, violations: found } = await simulate('approvals-1', {
      ...FAIR,
      approvals: true,
      until: createApprovalChecklist(),
    });
    assert.deepEqual(found, []);
    for (const { name, violation, evidence: falsified } of approvalTamperings(evidence))
      assert.match(violations(falsified).join('\n'), violation, name);
  });

  test('with prompt receivers and no fault each event is sent once', async () => {
    const { evidence, violations: found } = await simulate('once', {
      ...FAIR,
      approvals: false,
      inbox_users: 0,
    });
    assert.deepEqual(found, []);
    assert.ok(evidence.webhooks.faultless);
    assert.ok(evidence.webhooks.receipts.length > 20);
  });
}

test('no falsification of what is known of payouts is overlooked', async () => {
  const { evidence, violations: found } = await tell(storyOfPayouts, null);
  assert.deepEqual(found, []);
  for (const { name, violation, evidence: falsified } of payoutTamperings(evidence))
    assert.match(violations(falsified).join('\n'), violation, name);
});

test('failed before, failed after, killed before, killed after: at any await nothing is paid twice or lost', async (t) => {
  t.diagnostic(`SEED=${SEED}`);
  for (const { scenario, every } of SCENARIOS) {
    const { variants, violations: found } = await variantsOfScenario(scenario);
    const step = isLong ? Math.min(every, variants.length) : variants.length;
    const first = seededRandom(SEED)
      .fork(scenario.name)
      .integer(0, step - 1);
    const chosen = variants.filter((_, index) => index % step === first);
    assert.ok(chosen.length > 0);
    for (const variant of chosen) found.push(...(await violationsOfVariant(scenario, variant)));
    assert.deepEqual(found, [], scenario.name);
  }
});
