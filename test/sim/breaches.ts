/** Services that break a rule on purpose: the oracle must notice each. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { EngineDeps } from '../../src/withdrawals/engine/hooks.ts';
import { type Rewrite, saying } from './broken-services.ts';
import { type Options, simulate } from './simulation.ts';

type Breach = {
  what: string;
  /** Seeds are named after it, from `first` on: the one that shows the breach today. When the service changes, another may. */
  seed: string;
  first: number;
  alterDeps?: (deps: EngineDeps) => EngineDeps;
  /** In place of `alterDeps`. A service that says every statement as it is breaks no rule. */
  rewrite?: Rewrite;
  violation: RegExp;
  options?: Options;
};

/** A change of the service, or of what is ordered, moves the seed that finds a breach. */
const MOST_SEEDS = 30;

export function testBreaches(breaches: Breach[]): void {
  for (const breach of breaches)
    test(`${breach.what} is noticed`, (context) => assertNoticed(breach, context));
}

async function assertNoticed(breach: Breach, context: TestContext): Promise<void> {
  const { seed, first, violation, options } = breach;
  let rewritten = 0;
  const rewrite: Rewrite = (text) => {
    const said = breach.rewrite?.(text) ?? text;
    if (said !== text) rewritten += 1;
    return said;
  };
  const alterDeps = breach.alterDeps ?? ((deps: EngineDeps) => saying(deps, rewrite));
  for (let index = first; index < first + MOST_SEEDS; index++) {
    // Without refunds transaction sources are free: a second envelope is sent before anybody has seen the first one applied.
    const setting = { storm_ms: 60_000, alterDeps, inbox_users: 0, payouts: false, ...options };
    const { violations } = await simulate(`${seed}-${index}`, setting);
    if (violations.some((text) => violation.test(text)))
      return context.diagnostic(`noticed with seed ${seed}-${index}`);
  }
  assert(breach.alterDeps || rewritten > 0, 'it rewrites no statement: the service says others now');
  assert.fail('nothing was noticed');
}
