/** A few seeds of the simulation (`npm run sim` runs many), and that its checks can fail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedOfRun } from '../support/random.ts';
import { violations } from './checks.ts';
import { tellAll } from './exhaustive.ts';
import { simulate } from './simulation.ts';
import { tamperings } from './tamper.ts';

const SEED = seedOfRun();
const SEEDS = 3;
/** The whole of them take minutes; any may be in the share that is run here. */
const SHARE = 29;

test('whatever goes wrong, every key is paid at most once and every outcome is the ledger’s', async (t) => {
  for (let index = 0; index < SEEDS; index++) {
    const seed = `${SEED}+${index}`;
    t.diagnostic(`seed ${seed}; replay: npm run sim -- --seed ${seed} --trace`);
    assert.deepEqual((await simulate(seed)).violations, [], `seed ${seed}`);
  }
});

test('the same seed is the same history, and no falsification of its evidence is overlooked', async () => {
  const [one, other] = [await simulate('the same'), await simulate('the same')];
  assert.equal(one.digest, other.digest);
  assert.deepEqual(violations(one.evidence), []);
  for (const { name, evidence } of tamperings(one.evidence))
    assert.notDeepEqual(violations(evidence), [], name);
});

test('failed before, failed after, killed before, killed after: at any await nothing is paid twice or lost', async () => {
  const { variants, violations: found } = await tellAll(() => undefined, SHARE);
  assert.ok(variants > 10);
  assert.deepEqual(found, []);
});
