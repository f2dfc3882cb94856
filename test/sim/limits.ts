/** Limits that the owner of a wallet sets before anybody asks for a withdrawal. */

import { strict as assert } from 'node:assert';
import { parseAsset } from '../../src/stellar/asset.ts';
import type { Policy } from '../../src/withdrawals/policies/policies.ts';
import { changePolicy } from '../../src/withdrawals/policies/policy-changes.ts';
import type { WalletLimits } from '../oracle/evidence.ts';
import { onId } from '../support/acting.ts';
import type { Random } from '../support/random.ts';
import type { SimulatedService } from './simulated-service.ts';

/** Some orders are above the first; the second is used up after a while. */
const MAX_WITHDRAWAL_STROOPS = 300_000_000n;
const MAX_ROLLING_STROOPS = [1_000_000_000n, 20_000_000_000n] as const;

/** Of one wallet, for the native asset and the one that is exchanged for it: the wallet may pay no other. */
export async function setLimits(
  { office, database, accounts }: SimulatedService,
  random: Random,
): Promise<WalletLimits[]> {
  const { id: wallet_id } = random.pick(accounts.wallets);
  const assets = accounts.assets.map((asset) => ({
    asset: `${asset}`,
    max_withdrawal_stroops: MAX_WITHDRAWAL_STROOPS,
    max_rolling_24h_stroops: random.pick(MAX_ROLLING_STROOPS),
  }));
  const limits: Policy['limits'] = assets.map(({ asset, ...limit }) => {
    const fields = parseAsset(asset);
    assert(fields);
    return { ...fields, ...limit };
  });
  await changePolicy({ ...office.deps, db: database.direct() }, onId(wallet_id), (target) => ({
    ...target,
    limits,
  }));
  return [{ wallet_id, assets }];
}
