import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { AppliedOperation } from './applied-operation.ts';
import { effectsOf } from './effects.ts';
import { entryChanges } from './entry-changes.ts';
import { operationFields } from './operation-fields.ts';
import { movementsInEffects, movementsInEntries } from './testing/balances.ts';
import { factsOf, follow } from './testing/facts.ts';
import { RECORDINGS, recording } from './testing/recordings.ts';
import type { Json } from './testing/samples.ts';
import { assertLike, assertWellFormed, objectsIn, withoutPlace } from './testing/samples.ts';

const published = recording('java-stellar-sdk');

/** Of liquidity pools and footprints, which this network does not have, only the type is shown. */
const NOT_HERE = [22, 23, 25, 26];
const LIQUIDITY_POOL = 5;

for (const { folder, skip, operations: recorded, atLeast } of RECORDINGS) {
  describe(`every operation recorded in ${folder}`, { skip }, () => {
    const operations = () => recorded().filter(({ operation }) => !NOT_HERE.includes(operation.body.type));
    const successful = () => operations().filter((at) => at.successful && !revokesPoolShares(at));

    test('has effects that move exactly what its entry changes moved', () => {
      for (const at of successful()) {
        assert.deepEqual(movementsInEffects(at, effectsOf(at)), movementsInEntries(at), nameOf(at));
      }
      assert.ok(successful().length >= atLeast, `${successful().length} compared`);
    });

    test('has effects that lead from the entries before it to those after', () => {
      for (const at of successful()) {
        const changes = entryChanges(at);
        const facts = factsOf(changes.flatMap(({ before }) => before ?? []));
        for (const effect of effectsOf(at)) follow(facts, effect);
        assert.deepEqual(
          facts,
          knowable(factsOf(changes.flatMap(({ after }) => after ?? [])), facts),
          nameOf(at),
        );
      }
    });

    test('has no effects when its transaction failed', () => {
      for (const at of operations()) if (!at.successful) assert.deepEqual(effectsOf(at), [], nameOf(at));
    });

    test('gives records that outlive JSON, with well-formed amounts and addresses', () => {
      for (const record of operations().flatMap(recordsOf)) {
        assert.deepEqual(JSON.parse(JSON.stringify(record)), record);
        assertWellFormed(record);
      }
    });

    test('gives records with the fields of the published samples', { skip: published.skip }, () => {
      const samples = publishedSamples();
      for (const record of operations().flatMap(recordsOf)) {
        const sample = samples.get(record.type);
        assert.ok(sample, `a sample of ${record.type}`);
        assertLike(record, sample);
      }
    });
  });
}

/** Removing the authorization of pool shares withdraws them into claimable balances. */
function revokesPoolShares({ operation, meta }: AppliedOperation): boolean {
  const touchesPool = meta?.changes.some(
    (change) => change.type === 3 && change.state.data.type === LIQUIDITY_POOL,
  );
  return (operation.body.type === 7 || operation.body.type === 21) && touchesPool === true;
}

/** Without the facts of new accounts that no effect reports: sequence number, flags and home domain. */
function knowable(after: Map<string, string>, told: Map<string, string>): Map<string, string> {
  const untold = (fact: string) => /^(sequence|auth_required|home_domain) /.test(fact) && !told.has(fact);
  return new Map([...after].filter(([fact]) => !untold(fact)));
}

function recordsOf(at: AppliedOperation): Json[] {
  return [operationFields(at), ...effectsOf(at)];
}

function publishedSamples(): Map<unknown, Json> {
  const samples = new Map<unknown, Json>();
  for (const kind of ['operations', 'effects']) {
    for (const sample of objectsIn(join(published.path, 'responses', kind))) {
      if (typeof sample.type_i !== 'number') continue;
      samples.set(sample.type, { ...samples.get(sample.type), ...withoutPlace(sample) });
    }
  }
  return samples;
}

function nameOf({ ledger, index, operation }: AppliedOperation): string {
  return `ledger ${ledger}, operation ${index} of type ${operation.body.type}`;
}
