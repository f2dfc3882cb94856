/** What `teller treasury` shows. */
import type { Deps } from '../../deps.ts';
import { feesPaidByTreasury } from '../engine/queries.ts';
import { countChannels } from './channel-store.ts';
import { readTreasury } from './treasury-pays.ts';

const ENTRIES_PER_ACCOUNT = 2n;

/**
 * A text: the treasury, what it has, and what it has paid for wallets. Reads all withdrawals. @throws NetworkUnavailable
 */
export async function describeTreasury(deps: Deps): Promise<string> {
  const { fees, reserves } = deps.config.treasury_pays;
  const pays = [...(fees ? ['fees'] : []), ...(reserves ? ['reserves'] : [])].join(', ');
  const [funds, paid, { active, retired }] = await Promise.all([
    readTreasury(deps),
    feesPaidByTreasury(deps.db),
    countChannels(deps.db),
  ]);
  const setting = `TREASURY_PAYS: ${pays || 'nothing'}`;
  const total = `Paid for wallets, by all treasuries: fees of ${paid.count} transactions: ${paid.stroops} stroops`;
  if (!funds) return `There is no treasury on the network.\n${total}\n${setting}\n`;
  const { account, state, base_reserve_stroops } = funds;
  const own = ENTRIES_PER_ACCOUNT * base_reserve_stroops;
  const of_channels = BigInt(active + retired) * ENTRIES_PER_ACCOUNT * base_reserve_stroops;
  return [
    `Treasury ${account}`,
    `Balance ${state.balance_stroops} stroops; it can spend ${state.spendable_stroops}`,
    `Reserve ${state.reserve_stroops} stroops: ${own} its own, about ${of_channels} for channel accounts, the rest for trust lines`,
    total,
    setting,
    '',
  ].join('\n');
}
