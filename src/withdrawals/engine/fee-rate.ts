/** The bids of transactions for their place in a ledger. What the resources of a contract call may cost comes on top (fee-bid.ts). */
import type { Deps } from '../../deps.ts';
import { FEE_BUMP_OPERATIONS, LEAST_RATE_STROOPS } from './fee-bid.ts';
import { bumpedContractTransferLately, paidByFeeBumpLately } from './queries.ts';

/**
 * Returns the fee to bid per operation, in stroops: the fee that 9 of 10 recent transactions did not exceed, and at most half
 * of FEE_MAX_STROOPS, so that a fee-bump at this rate stays within the limit.
 *
 * Fee statistics divide a fee-bump's fee by the operations inside it only (stellar-rpc, ingest of getFeeStats). So our
 * own fee-bumps look twice as expensive per operation. If we bid that, our price would double with every full ledger. A
 * figure that equals a fee of our own fee-bumps is halved; the fee of others is bid in full.
 */
export async function feeRate({
  stellar,
  config,
  db,
}: Pick<Deps, 'stellar' | 'config' | 'db'>): Promise<bigint> {
  const p90 = await stellar.feePerOperation();
  const rate = (await paidByFeeBumpLately(db, p90)) ? p90 / FEE_BUMP_OPERATIONS : p90;
  const most = config.fee_max_stroops / FEE_BUMP_OPERATIONS;
  return rate < most ? rate : most;
}

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
