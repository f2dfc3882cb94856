import type { Deps } from '../../deps.ts';
import { paidByFeeBumpLately } from './queries.ts';
import { FEE_BUMP_OPERATIONS } from './sign-payment.ts';

/**
 * What is offered per operation: as much as 9 of 10 recent transactions did, and so little that a fee-bump at this rate
 * stays within the ceiling of one transaction's fee too.
 *
 * Fee statistics count a fee-bump's whole fee for the operations inside it only (stellar-rpc, ingest of getFeeStats), so
 * that a crowd of our own reads as twice what it bid per operation. Taken at its word it would double its own price
 * with every full ledger, up to the ceiling. A figure that our own fee-bumps were charged is therefore read for what it
 * is; whatever others paid is bid in full.
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
