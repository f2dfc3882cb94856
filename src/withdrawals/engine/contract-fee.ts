/** The fee of a contract transfer: what its resources may cost, and the bid for its place in a ledger. */
import type { Deps } from '../../deps.ts';
import { bumpedContractTransferLately } from './queries.ts';

/** A fee-bump counts as one operation more than it contains (stellar-core FeeBumpTransactionFrame::getNumOperations). */
export const FEE_BUMP_OPERATIONS = 2n;

/** The network's minimum. */
export const LEAST_RATE_STROOPS = 100n;

/**
 * The same for contract transactions, for their place in a ledger: they have their own places and fee statistics. What their
 * resources cost comes on top. The price of our own fee-bumps is halved here too; their charged fees include resources, so
 * they are known by their ledgers. Too low a bid is raised by a fee-bump.
 */
export async function contractFeeRate({ stellar, db }: Pick<Deps, 'stellar' | 'db'>): Promise<bigint> {
  const p90 = await stellar.contractFeePerOperation();
  const rate = (await bumpedContractTransferLately(db)) ? p90 / FEE_BUMP_OPERATIONS : p90;
  return rate > LEAST_RATE_STROOPS ? rate : LEAST_RATE_STROOPS;
}

/**
 * The part of this rate that leaves the whole fee within FEE_MAX_STROOPS, and at least the network's minimum: when the limit
 * was lowered after the withdrawal was accepted, it is paid all the same.
 */
export function contractRateWithin(
  rate: bigint,
  resource_fee_stroops: bigint,
  fee_max_stroops: bigint,
): bigint {
  const most = (fee_max_stroops - resource_fee_stroops) / FEE_BUMP_OPERATIONS;
  const within = rate < most ? rate : most;
  return within > LEAST_RATE_STROOPS ? within : LEAST_RATE_STROOPS;
}
