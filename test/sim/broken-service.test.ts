/** Services that break a rule: the oracle must notice each. One of them in `npm test`, all in `npm run test:long`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deps } from '../../src/deps.ts';
import { inThisForm } from '../support/form.ts';
import { jumping, leaseless, rebuilding, recordingFirst, signingAsBefore } from './broken-services.ts';
import { type Options, simulate } from './simulation.ts';

type Breach = {
  what: string;
  /** Seeds are named after it, from `first` on. */
  seed: string;
  first: number;
  alterDeps: (deps: Deps) => Deps;
  violation: RegExp;
  options?: Options;
  long_only?: boolean;
};

const BREACHES: Breach[] = [
  {
    what: 'a service that builds anew what a node refused',
    ...{ seed: 'rebuilding', first: 0, alterDeps: rebuilding, violation: /PAID/, long_only: true },
  },
  {
    what: 'an ingester that jumps over a gap',
    ...{ seed: 'jump', first: 5, alterDeps: jumping, violation: /LOST/ },
  },
  {
    what: 'a deliverer that takes what it has claimed for delivered',
    ...{ seed: 'recordingFirst', first: 0, alterDeps: recordingFirst, long_only: true },
    violation: /LOST: it was never acknowledged/,
  },
  {
    what: 'a deliverer that claims what another has claimed, though nothing else goes wrong',
    ...{ seed: 'leaseless', first: 0, alterDeps: leaseless, long_only: true },
    violation: /though nothing failed/,
    options: { fair: true },
  },
  {
    what: 'a deliverer that does not notice a rotation',
    ...{ seed: 'signingAsBefore', first: 0, alterDeps: signingAsBefore, long_only: true },
    violation: /replaced long ago|wrong webhook-signature/,
  },
];
const MOST_SEEDS = 12;

for (const breach of inThisForm(BREACHES)) {
  test(`${breach.what} is noticed`, () => assertNoticed(breach));
}

async function assertNoticed({ seed, first, alterDeps, violation, options }: Breach): Promise<void> {
  for (let index = first; index < first + MOST_SEEDS; index++) {
    // Without refunds transaction sources are free: what is built anew is sent before anybody has seen the first one applied.
    const setting = { storm_ms: 60_000, alterDeps, inbox_users: 0, ...options };
    const { violations } = await simulate(`${seed}-${index}`, setting);
    if (violations.some((text) => violation.test(text))) return;
  }
  assert.fail('nothing was noticed');
}
