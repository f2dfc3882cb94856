import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk/base';

/** A claim predicate as Horizon writes it. Times in seconds are decimal strings. */
export type Predicate =
  | { unconditional: true }
  | { and: Predicate[] }
  | { or: Predicate[] }
  | { not: Predicate }
  | { abs_before: string; abs_before_epoch: string }
  | { rel_before: string };

export function predicateOf(wire: xdr.ClaimPredicateWire): Predicate {
  if (wire.type === 0) return { unconditional: true };
  if (wire.type === 1) return { and: wire.andPredicates.map(predicateOf) };
  if (wire.type === 2) return { or: wire.orPredicates.map(predicateOf) };
  if (wire.type === 4) return { abs_before: dateOf(wire.absBefore), abs_before_epoch: `${wire.absBefore}` };
  if (wire.type === 5) return { rel_before: `${wire.relBefore}` };
  assert.ok(wire.notPredicate, 'stellar-core refuses a NOT without an operand');
  return { not: predicateOf(wire.notPredicate) };
}

const CYCLE_S = 12_622_780_800n; // 400 years: the calendar then repeats.

/** RFC 3339 for any int64, because predicates may exceed the range of Date. Years after 9999 have a plus sign. */
function dateOf(epoch_s: bigint): string {
  const date = new Date(Number(epoch_s % CYCLE_S) * 1000);
  const year = BigInt(date.getUTCFullYear()) + 400n * (epoch_s / CYCLE_S);
  return `${year > 9999n ? '+' : ''}${year}${date.toISOString().slice(4, 19)}Z`;
}
