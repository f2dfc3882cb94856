/** A few seeds of the simulation (`npm run sim` runs many), and that its checks can fail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedOfRun } from '../support/random.ts';
import { violations } from './checks.ts';
import { tellAll } from './exhaustive.ts';
import { rebuilding } from './sabotage.ts';
import { simulate } from './simulation.ts';
import { tamperings } from './tamper.ts';

const SEED = seedOfRun();
const SEEDS = 2;
/** The whole of them take minutes; any may be in the share that is run here. */
const SHARE = 149;
const BRIEF = { storm_ms: 30_000 };

test('whatever goes wrong, every key is paid at most once and every outcome is the ledger’s', async (t) => {
  for (let index = 0; index < SEEDS; index++) {
    const seed = `${SEED}+${index}`;
    t.diagnostic(`seed ${seed}`);
    assert.deepEqual((await simulate(seed, BRIEF)).violations, [], `seed ${seed}`);
  }
});

test('the same seed is the same history, and no falsification of its evidence is overlooked', async () => {
  const [one, other] = [await simulate('the same', BRIEF), await simulate('the same', BRIEF)];
  assert.equal(one.digest, other.digest);
  assert.deepEqual(violations(one.evidence), []);
  for (const { name, evidence } of tamperings(one.evidence))
    assert.notDeepEqual(violations(evidence), [], name);
});

test('a service that builds anew what a node refused is found out', async () => {
  for (let index = 0; index < 12; index++) {
    const { violations: found } = await simulate(`sab-${index}`, { storm_ms: 60_000, sabotage: rebuilding });
    if (found.length > 0) return;
  }
  assert.fail('nothing was noticed');
});

test('failed before, failed after, killed before, killed after: at any await nothing is paid twice or lost', async () => {
  const { variants, violations: found } = await tellAll(() => undefined, SHARE);
  assert.ok(variants > 10);
  assert.deepEqual(found, []);
});
