/** Limits that the owner of a wallet sets before anybody asks for a withdrawal. */
import { changePolicy } from '../../src/withdrawals/policies/policy-changes.ts';
import type { WalletLimits } from '../oracle/evidence.ts';
import type { Random } from '../support/random.ts';
import type { SimulatedService } from './simulated-service.ts';

/** Some orders are above the first; the second is used up after a while. */
const MAX_WITHDRAWAL_STROOPS = 300_000_000n;
const MAX_ROLLING_STROOPS = [1_000_000_000n, 20_000_000_000n] as const;

/** Of one wallet, for the native asset only: it may pay no other. */
export async function setLimits(
  { office, database, accounts }: SimulatedService,
  random: Random,
): Promise<WalletLimits[]> {
  const { id: wallet_id } = random.pick(accounts.wallets);
  const limits = {
    max_withdrawal_stroops: MAX_WITHDRAWAL_STROOPS,
    max_rolling_24h_stroops: random.pick(MAX_ROLLING_STROOPS),
  };
  await changePolicy({ ...office.deps, db: database.direct() }, wallet_id, (target) => ({
    ...target,
    ...limits,
  }));
  return [{ wallet_id, assets: [{ asset: 'native', ...limits }] }];
}
