import type { Deps } from '../deps.ts';
import { FEE_BUMP_OPERATIONS } from './sign.ts';

/**
 * What is offered per operation: as much as 9 of 10 recent transactions did, and so little that a fee-bump at this rate
 * stays within the ceiling of one transaction's fee too.
 */
export async function feeRate({ chain, config }: Pick<Deps, 'chain' | 'config'>): Promise<bigint> {
  const rate = await chain.feePerOperation();
  const most = config.fee_max_stroops / FEE_BUMP_OPERATIONS;
  return rate < most ? rate : most;
}
