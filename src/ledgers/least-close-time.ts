import type { Deps } from '../deps.ts';
import { maxLagSeconds } from './signing-allowed.ts';

/**
 * Returns the close time, in Unix seconds, of the ledger that must be processed before something is said to be unpaid.
 * @throws NetworkUnavailable
 */
export async function leastCloseTime({ stellar, config }: Pick<Deps, 'stellar' | 'config'>): Promise<bigint> {
  const { close_time } = await stellar.latestLedger();
  return close_time - BigInt(maxLagSeconds(config));
}
