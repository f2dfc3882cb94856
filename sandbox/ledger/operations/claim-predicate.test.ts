import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk/base';
import { INT64_MAX } from '../bytes.ts';
import { absolutePredicate, allowsClaim, isValidPredicate } from './claim-predicate.ts';

type Predicate = xdr.ClaimPredicateWire;

const always: Predicate = { type: 0 };
const before = (absBefore: bigint): Predicate => ({ type: 4, absBefore });
const within = (relBefore: bigint): Predicate => ({ type: 5, relBefore });
const not = (notPredicate: Predicate | null): Predicate => ({ type: 3, notPredicate });
const and = (...andPredicates: Predicate[]): Predicate => ({ type: 1, andPredicates });
const or = (...orPredicates: Predicate[]): Predicate => ({ type: 2, orPredicates });

describe('claim predicates', () => {
  test('are valid up to four levels, with two operands and no negative times', () => {
    const valid = [always, before(0n), within(0n), and(always, or(always, not(before(5n))))];
    for (const predicate of valid)
      assert.equal(isValidPredicate(predicate), true, JSON.stringify(predicate.type));
    const invalid = [
      before(-1n),
      within(-1n),
      not(null),
      and(always),
      or(),
      and(always, before(-1n)),
      not(not(not(not(always)))),
    ];
    for (const predicate of invalid) assert.equal(isValidPredicate(predicate), false);
    assert.equal(isValidPredicate(not(not(not(always)))), true);
  });

  test('are kept with absolute times, none beyond the range of int64', () => {
    const predicate = and(within(60n), or(not(within(INT64_MAX)), before(7n)));
    const kept = and(before(160n), or(not(before(INT64_MAX)), before(7n)));
    assert.deepEqual(absolutePredicate(predicate, 100n), kept);
  });

  test('end with the second that they name', () => {
    assert.equal(allowsClaim(before(100n), 99n), true);
    assert.equal(allowsClaim(before(100n), 100n), false);
    assert.equal(allowsClaim(not(before(100n)), 100n), true);
    assert.equal(allowsClaim(and(before(200n), not(before(100n))), 150n), true);
    assert.equal(allowsClaim(and(before(200n), not(before(100n))), 200n), false);
    assert.equal(allowsClaim(or(before(100n), not(before(200n))), 150n), false);
    assert.equal(allowsClaim(always, INT64_MAX), true);
  });
});
