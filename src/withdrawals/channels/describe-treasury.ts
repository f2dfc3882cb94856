/** What `teller treasury` shows and says. */
import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../lib/errors.ts';
import { feesPaidBy } from '../engine/queries.ts';
import { channelsIn, countChannels } from './channel-store.ts';
import { listTreasurySpending, setTreasuryBudget } from './treasury-budgets.ts';
import { readTreasury } from './treasury-pays.ts';

const ENTRIES_PER_ACCOUNT = 2n;
/** The teams that are listed: those with the highest figures. */
const TEAMS_SHOWN = 20;

/**
 * Describes the treasury as a text: what it has, what it has paid for wallets, and for which teams in the last 24 hours. Reads
 * all withdrawals.
 * @throws NetworkUnavailable
 */
export async function describeTreasury(deps: Deps): Promise<string> {
  const { fees, reserves } = deps.config.treasury_pays;
  const pays = [...(fees ? ['fees'] : []), ...(reserves ? ['reserves'] : [])].join(', ');
  const [funds, paid, by_channels, held, { active, retired }, teams] = await Promise.all([
    readTreasury(deps),
    feesPaidBy(deps.db, 'treasury'),
    feesPaidBy(deps.db, 'channel'),
    heldByChannels(deps),
    countChannels(deps.db),
    listTreasurySpending(deps.db, deps.config, { now: deps.clock.now(), limit: TEAMS_SHOWN }),
  ]);
  const setting = `TREASURY_PAYS: ${pays || 'nothing'}; CHANNEL_FEES: ${deps.config.channel_fees}`;
  const total =
    `Paid for wallets, by all treasuries: fees of ${paid.count} transactions: ${paid.stroops} stroops\n` +
    `Paid for wallets, by all channels: fees of ${by_channels.count} transactions: ${by_channels.stroops} stroops; ` +
    `they hold ${held} stroops`;
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
    ...teams.map(
      ({ team_id, used_stroops, budget_stroops }) =>
        `${team_id}: ${used_stroops} of ${budget_stroops} stroops in the last 24 hours`,
    ),
    '',
  ].join('\n');
}

/** Adds up what the channels hold that are not merged, in stroops. @throws NetworkUnavailable */
async function heldByChannels({ db, stellar }: Deps): Promise<bigint> {
  const accounts = await channelsIn(db, ['active', 'retired']);
  if (accounts.length === 0) return 0n;
  const { spendable } = await stellar.readSequences(accounts);
  return [...spendable.values()].reduce((sum, stroops) => sum + stroops, 0n);
}

/**
 * Sets the budget of a team for what the treasury pays; null: TREASURY_TEAM_DAILY_STROOPS again. Returns a sentence.
 * @throws OperatorError when there is no such team
 */
export async function changeTreasuryBudget(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  team_id: string,
  daily_stroops: bigint | null,
): Promise<string> {
  const team = await db.selectFrom('team_names').select('id').where('id', '=', team_id).executeTakeFirst();
  if (!team) throw new OperatorError(`There is no team ${team_id}.`);
  await setTreasuryBudget(db, team_id, daily_stroops);
  const budget = daily_stroops ?? config.treasury_team_daily_stroops;
  return `The treasury pays up to ${budget} stroops for ${team_id} in 24 hours.\n`;
}
