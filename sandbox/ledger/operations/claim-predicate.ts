import type { xdr } from '@stellar/stellar-sdk/base';
import { INT64_MAX } from '../bytes.ts';

type Predicate = xdr.ClaimPredicateWire;

const MAX_DEPTH = 4;

/** Two operands, no negative times, at most four levels (stellar-core, CreateClaimableBalanceOpFrame.cpp). */
export function isValidPredicate(predicate: Predicate, depth = 1): boolean {
  if (depth > MAX_DEPTH) return false;
  const allValid = (operands: Predicate[]) =>
    operands.length === 2 && operands.every((operand) => isValidPredicate(operand, depth + 1));
  if (predicate.type === 1) return allValid(predicate.andPredicates);
  if (predicate.type === 2) return allValid(predicate.orPredicates);
  if (predicate.type === 3) {
    return predicate.notPredicate !== null && isValidPredicate(predicate.notPredicate, depth + 1);
  }
  if (predicate.type === 4) return predicate.absBefore >= 0n;
  return predicate.type === 0 || predicate.relBefore >= 0n;
}

/** The predicate as the ledger stores it: relative times become absolute from `closeTime` (unix seconds). */
export function absolutePredicate(predicate: Predicate, closeTime: bigint): Predicate {
  const absolute = (operand: Predicate) => absolutePredicate(operand, closeTime);
  if (predicate.type === 1) return { type: 1, andPredicates: predicate.andPredicates.map(absolute) };
  if (predicate.type === 2) return { type: 2, orPredicates: predicate.orPredicates.map(absolute) };
  if (predicate.type === 3) {
    return { type: 3, notPredicate: predicate.notPredicate && absolute(predicate.notPredicate) };
  }
  if (predicate.type !== 5) return predicate;
  const end = closeTime + predicate.relBefore;
  return { type: 4, absBefore: end > INT64_MAX ? INT64_MAX : end };
}

/**
 * Whether a predicate as the ledger stores it allows a claim in a ledger that closes at `closeTime` (unix seconds).
 */
export function allowsClaim(predicate: Predicate, closeTime: bigint): boolean {
  const allows = (operand: Predicate) => allowsClaim(operand, closeTime);
  if (predicate.type === 1) return predicate.andPredicates.every(allows);
  if (predicate.type === 2) return predicate.orPredicates.some(allows);
  if (predicate.type === 3) return predicate.notPredicate !== null && !allows(predicate.notPredicate);
  if (predicate.type === 4) return predicate.absBefore > closeTime;
  if (predicate.type === 0) return true;
  throw new Error('the ledger keeps no relative times');
}
