/** A few seeds of the simulation (`npm run sim` runs many), and that its checks can fail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deps } from '../../src/deps.ts';
import { seedOfRun } from '../support/random.ts';
import { violations } from './checks.ts';
import { depositTamperings } from './deposit-tamper.ts';
import { tellAll } from './exhaustive.ts';
import { jumping, rebuilding } from './sabotage.ts';
import { simulate } from './simulation.ts';
import { storyOfDeposits } from './story-of-deposits.ts';
import { storyOfWithdrawals } from './story-of-withdrawals.ts';
import { tamperings } from './tamper.ts';

const SEED = seedOfRun();
const SEEDS = 2;
/** All variants take minutes; any may be in the share that is run here. */
const STORIES = [
  { story: storyOfDeposits, every: 97 },
  { story: storyOfWithdrawals, every: 211 },
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
  const { evidence, violations: found } = await simulate('fair', { storm_ms: 60_000, fair: true, clerks: 8 });
  assert.deepEqual(found, []);
  for (const { name, evidence: falsified } of [...tamperings(evidence), ...depositTamperings(evidence)])
    assert.notDeepEqual(violations(falsified), [], name);
});

test('a service that builds anew what a node refused is found out', async () => {
  await assertFoundOut('rebuilding', 2, rebuilding, /PAID/);
});

test('an ingester that jumps over a gap is found out', async () => {
  await assertFoundOut('jump', 5, jumping, /LOST/);
});

async function assertFoundOut(
  name: string,
  first: number,
  sabotage: (deps: Deps) => Deps,
  violation: RegExp,
): Promise<void> {
  for (let index = first; index < first + 12; index++) {
    // Without refunds lanes are free: what is built anew is sent before anybody has seen the first one applied.
    const options = { storm_ms: 60_000, sabotage, clerks: 0 };
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
