import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk/base';
import { predicateOf } from './predicates.ts';

test('predicates of all kinds are written as Horizon writes them', () => {
  const wire: xdr.ClaimPredicateWire = {
    type: 1,
    andPredicates: [
      {
        type: 2,
        orPredicates: [
          { type: 4, absBefore: 600n },
          { type: 5, relBefore: 300n },
        ],
      },
      { type: 3, notPredicate: { type: 0 } },
    ],
  };
  assert.deepEqual(predicateOf(wire), {
    and: [
      { or: [{ abs_before: '1970-01-01T00:10:00Z', abs_before_epoch: '600' }, { rel_before: '300' }] },
      { not: { unconditional: true } },
    ],
  });
});

for (const [epoch, date] of [
  [1_619_409_600n, '2021-04-26T04:00:00Z'],
  [253_402_300_799n, '9999-12-31T23:59:59Z'],
  [253_402_300_800n, '+10000-01-01T00:00:00Z'],
  [2n ** 63n - 1n, '+292277026596-12-04T15:30:07Z'],
] as const) {
  test(`a predicate may hold until ${date}`, () => {
    assert.deepEqual(predicateOf({ type: 4, absBefore: epoch }), {
      abs_before: date,
      abs_before_epoch: `${epoch}`,
    });
  });
}
