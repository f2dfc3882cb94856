/** A few seeds of the simulation (`npm run sim` runs many), and that its checks can fail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deps } from '../../src/deps.ts';
import { seedOfRun } from '../support/random.ts';
import { violations } from './checks.ts';
import { depositTamperings } from './deposit-tamper.ts';
import { tellAll } from './exhaustive.ts';
import { jumping, leaseless, rebuilding, recordingFirst, signingAsBefore } from './sabotage.ts';
import { type Options, simulate } from './simulation.ts';
import { storyOfDeposits } from './story-of-deposits.ts';
import { storyOfWebhooks } from './story-of-webhooks.ts';
import { storyOfWithdrawals } from './story-of-withdrawals.ts';
import { tamperings } from './tamper.ts';
import { webhookTamperings } from './webhook-tamper.ts';

const SEED = seedOfRun();
const SEEDS = 2;
/** All variants take minutes; any may be in the share that is run here. */
const STORIES = [
  { story: storyOfDeposits, every: 97 },
  { story: storyOfWithdrawals, every: 211 },
  { story: storyOfWebhooks, every: 13 },
];
const BRIEF = { storm_ms: 30_000 };

test('whatever goes wrong, each key is paid once at most, each credit is one deposit, each outcome the ledger’s', async (t) => {
  for (let index = 0; index < SEEDS; index++) {
    const seed = `${SEED}+${index}`;
    t.diagnostic(`seed ${seed}`);
    assert.deepEqual((await simulate(seed, BRIEF)).violations, [], `seed ${seed}`);
  }
});

test('the same seed is the same history', async () => {
  const [one, other] = [await simulate('the same', BRIEF), await simulate('the same', BRIEF)];
  assert.equal(one.digest, other.digest);
  assert.deepEqual(one.violations, []);
});

test('no falsification of the evidence is overlooked', async () => {
  const { evidence, violations: found } = await simulate('fair-8', {
    storm_ms: 60_000,
    fair: true,
    clerks: 8,
  });
  assert.deepEqual(found, []);
  const all = [...tamperings(evidence), ...depositTamperings(evidence), ...webhookTamperings(evidence)];
  for (const { name, evidence: falsified } of all) assert.notDeepEqual(violations(falsified), [], name);
});

test('a service that builds anew what a node refused is found out', async () => {
  await assertFoundOut('rebuilding', 0, rebuilding, /PAID/);
});

test('an ingester that jumps over a gap is found out', async () => {
  await assertFoundOut('jump', 5, jumping, /LOST/);
});

test('a deliverer that takes what it has claimed for delivered is found out', async () => {
  await assertFoundOut('recordingFirst', 0, recordingFirst, /LOST: it was never acknowledged/);
});

test('a deliverer that claims what another has claimed is found out, though nothing else goes wrong', async () => {
  await assertFoundOut('leaseless', 0, leaseless, /though nothing failed/, { fair: true });
});

test('a deliverer that does not notice a rotation is found out', async () => {
  await assertFoundOut('signingAsBefore', 0, signingAsBefore, /replaced long ago|wrong webhook-signature/);
});

test('with prompt receivers and no fault each event is sent once', async () => {
  const { evidence, violations: found } = await simulate('once', { storm_ms: 30_000, fair: true, clerks: 0 });
  assert.deepEqual(found, []);
  assert.ok(evidence.webhooks.faultless);
  assert.ok(evidence.webhooks.receipts.length > 20);
});

async function assertFoundOut(
  name: string,
  first: number,
  sabotage: (deps: Deps) => Deps,
  violation: RegExp,
  more: Options = {},
): Promise<void> {
  for (let index = first; index < first + 12; index++) {
    // Without refunds transaction sources are free: what is built anew is sent before anybody has seen the first one applied.
    const options = { storm_ms: 60_000, sabotage, clerks: 0, ...more };
    const { violations: found } = await simulate(`${name}-${index}`, options);
    if (found.some((text) => violation.test(text))) return;
  }
  assert.fail('nothing was noticed');
}

test('failed before, failed after, killed before, killed after: at any await nothing is paid twice or lost', async () => {
  for (const { story, every } of STORIES) {
    const { variants, violations: found } = await tellAll(story, () => undefined, every);
    assert.ok(variants > 3);
    assert.deepEqual(found, [], story.name);
  }
});
