/** Pure: the fee that an envelope of ours bids. A rate is the fee per operation, in stroops. */
import { strict as assert } from 'node:assert';
import type { Config } from '../../config.ts';
import type { Withdrawal } from './store.ts';

/** A fee-bump counts as one operation more than it contains (stellar-core FeeBumpTransactionFrame::getNumOperations). */
const BUMP_OPERATIONS = 1n;
/** Operations of a fee-bumped payment, and of most changes of trust lines. */
export const FEE_BUMP_OPERATIONS = 1n + BUMP_OPERATIONS;
/** Operations of the addition of a trust line whose reserve the treasury pays (build-trust-line.ts). */
const SPONSORED_OPERATIONS = 3n;

/** The network's minimum. */
export const LEAST_RATE_STROOPS = 100n;

/** Returns the number of operations by which the network reckons the fee of an envelope of ours. @param inside: operations in the transaction */
export function feeOperations(inside: bigint, is_fee_bump: boolean): bigint {
  return is_fee_bump ? inside + BUMP_OPERATIONS : inside;
}

type Bidding = Pick<Withdrawal, 'operation' | 'resource_fee_stroops'> & { is_fee_bump: boolean };

/**
 * Returns the whole fee that a new envelope bids. `rate_stroops`: of contract transactions for a contract transfer, which have a rate
 * of their own; what its resources cost comes on top.
 */
export function firstBid(
  config: Pick<Config, 'treasury_pays'> & Ceilings,
  rate_stroops: bigint,
  { operation, resource_fee_stroops, is_fee_bump }: Bidding,
): bigint {
  const { treasury_pays, fee_max_stroops } = config;
  const sponsors = treasury_pays.reserves && operation === 'add_trust_line';
  const operations = feeOperations(sponsors ? SPONSORED_OPERATIONS : 1n, is_fee_bump);
  if (operation === 'contract_transfer') {
    assert(resource_fee_stroops !== null, 'a contract transfer was simulated before it was claimed');
    const rate = contractRateWithin(rate_stroops, resource_fee_stroops, config);
    return rate * operations + resource_fee_stroops;
  }
  const bid = rate_stroops * operations;
  return bid < fee_max_stroops ? bid : fee_max_stroops;
}

type Ceilings = Pick<Config, 'fee_max_stroops' | 'contract_fee_max_stroops'>;

/**
 * Returns the most that the whole fee of an envelope may be. The place of a contract call in a ledger costs no more than that of
 * another transaction; with its resources it costs CONTRACT_FEE_MAX_STROOPS at most. `resource_fee_stroops`: null for others.
 */
export function feeCeiling(
  { fee_max_stroops, contract_fee_max_stroops }: Ceilings,
  resource_fee_stroops: bigint | null,
): bigint {
  if (resource_fee_stroops === null) return fee_max_stroops;
  const most = resource_fee_stroops + fee_max_stroops;
  return most < contract_fee_max_stroops ? most : contract_fee_max_stroops;
}

/**
 * Returns the part of this rate that leaves the whole fee within its ceiling, and at least the network's minimum: when the limit
 * was lowered after the withdrawal was accepted, it is paid all the same.
 */
export function contractRateWithin(rate: bigint, resource_fee_stroops: bigint, ceilings: Ceilings): bigint {
  const most = (feeCeiling(ceilings, resource_fee_stroops) - resource_fee_stroops) / FEE_BUMP_OPERATIONS;
  const within = rate < most ? rate : most;
  return within > LEAST_RATE_STROOPS ? within : LEAST_RATE_STROOPS;
}
