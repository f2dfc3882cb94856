/**
 * `npm test`: a seed in which everything happens, twice; a run without faults; and a variant of each scenario. The long form has a
 * seed for each part of the service, and tries a share of the variants. `npm run test:long` runs many seeds and variants.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { isLong } from '../support/form.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { seededRandom, seedOfRun } from '../support/random.ts';
import { variantsOfScenario, violationsOfVariant } from './exhaustive.ts';
import { scenarioOfApprovals } from './scenario-of-approvals.ts';
import { scenarioOfAssets } from './scenario-of-assets.ts';
import { scenarioOfDeposits } from './scenario-of-deposits.ts';
import { scenarioOfPayouts } from './scenario-of-payouts.ts';
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
}

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
