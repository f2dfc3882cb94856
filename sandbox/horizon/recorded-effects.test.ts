import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AppliedOperation } from './applied-operation.ts';
import { effectsOf } from './effects.ts';
import { entryChanges } from './entry-changes.ts';
import { movementsInEffects, movementsInEntries } from './testing/balances.ts';
import { factsOf, follow } from './testing/facts.ts';
import { RECORDINGS } from './testing/recordings.ts';

describe('of every recorded operation, the effects move exactly what the entry changes moved', () => {
  for (const { folder, skip, read, successes } of RECORDINGS) {
    test(`in ${folder}`, { skip }, () => {
      let compared = 0;
      for (const at of read()) {
        if (!at.successful) continue;
        assert.deepEqual(movementsInEffects(at, effectsOf(at)), movementsInEntries(at), nameOf(at));
        compared++;
      }
      assert.equal(compared, successes);
    });
  }
});

describe('of every recorded operation, the effects lead from the entries before to the entries after', () => {
  for (const { folder, skip, read, successes } of RECORDINGS) {
    test(`in ${folder}`, { skip }, () => {
      let compared = 0;
      for (const at of read()) {
        if (!at.successful) continue;
        assertLeadsToAfter(at);
        compared++;
      }
      assert.equal(compared, successes);
    });
  }
});

function assertLeadsToAfter(at: AppliedOperation): void {
  const changes = entryChanges(at);
  const facts = factsOf(changes.flatMap(({ before }) => before ?? []));
  const after = factsOf(changes.flatMap(({ after }) => after ?? []));
  for (const effect of effectsOf(at)) follow(facts, effect);
  // A new account's sequence number, flags and home domain are no effects.
  for (const [fact, value] of after)
    if (!facts.has(fact) && /^(home_domain|auth_required|sequence) /.test(fact)) facts.set(fact, value);
  assert.deepEqual(facts, after, nameOf(at));
}

function nameOf({ ledger, index, operation }: AppliedOperation): string {
  return `ledger ${ledger}, operation ${index} of type ${operation.body.type}`;
}
