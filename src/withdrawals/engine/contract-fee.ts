/** The bid of a contract transaction for its place in a ledger. What its resources may cost comes on top (fee-bid.ts). */
import type { Deps } from '../../deps.ts';
import { FEE_BUMP_OPERATIONS, LEAST_RATE_STROOPS } from './fee-bid.ts';
import { bumpedContractTransferLately } from './queries.ts';

/**
 * Returns the fee to bid, as `feeRate` does, for contract transactions: they have their own places and fee statistics. The price of our own fee-bumps is
 * halved here too; their charged fees include resources, so they are known by their ledgers. Too low a bid is raised by a
 * fee-bump.
 */
export async function contractFeeRate({ stellar, db }: Pick<Deps, 'stellar' | 'db'>): Promise<bigint> {
  const p90 = await stellar.contractFeePerOperation();
  const rate = (await bumpedContractTransferLately(db)) ? p90 / FEE_BUMP_OPERATIONS : p90;
  return rate > LEAST_RATE_STROOPS ? rate : LEAST_RATE_STROOPS;
}
