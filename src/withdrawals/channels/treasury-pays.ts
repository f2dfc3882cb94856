/**
 * What the treasury pays for wallets (TREASURY_PAYS), and whether it can. A wallet is never charged instead: what the treasury
 * cannot pay is refused before anything is kept, or waits unsigned (engine/treasury-funds.ts). What it pays for one team has a
 * limit (treasury-budgets.ts).
 *
 * "The treasury" is the newest row of the table, for every process alike. An envelope names who pays it for ever.
 */
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import type { AccountState } from '../../stellar/stellar.ts';
import { firstBid } from '../engine/fee-bid.ts';
import type { NewWithdrawal } from '../engine/store.ts';
import { newestTreasury } from './channel-store.ts';
import { chooseTreasury } from './treasury.ts';

const RETRY_AFTER_SECONDS = 60;

/** Says whether the treasury pays anything for wallets. */
export function paysForWallets({ treasury_pays }: Deps['config']): boolean {
  return treasury_pays.fees || treasury_pays.reserves;
}

/** Says whether the treasury pays anything for wallets, or fills channels. */
export function usesTreasury(config: Deps['config']): boolean {
  return paysForWallets(config) || config.channel_fees === 'channel';
}

/**
 * Requires a treasury: call it before anything is signed. Does nothing when the treasury pays nothing for wallets.
 * @throws OperatorError as `chooseTreasury`
 */
export async function requireTreasury(deps: Deps): Promise<void> {
  if (!paysForWallets(deps.config)) return;
  await chooseTreasury(deps);
}

export type TreasuryFunds = { account: string; state: AccountState; base_reserve_stroops: bigint };

/**
 * Reads the treasury as one source sees it; null when there is none, or it is not on the network. On test networks friendbot
 * funds it.
 * @throws NetworkUnavailable
 */
export async function readTreasury(
  deps: Pick<Deps, 'db' | 'stellar' | 'config'>,
): Promise<TreasuryFunds | null> {
  const treasury = await newestTreasury(deps.db);
  if (!treasury) return null;
  const { account } = treasury;
  const read = async () => {
    const { latest, accounts } = await deps.stellar.readAccounts([account]);
    const state = accounts.get(account);
    return state ? { account, state, base_reserve_stroops: latest.base_reserve_stroops } : null;
  };
  const found = await read();
  if (found || deps.config.network === 'public') return found;
  try {
    await deps.stellar.fund(account);
  } catch (error) {
    const funded = await read(); // friendbot refuses an account that somebody else has just asked for
    if (funded) return funded;
    throw error;
  }
  return read();
}

/** Returns the least that the wallet itself pays for the transaction of this classic operation, in stroops. */
export function feeOfWallet(
  config: Deps['config'],
  fee_rate_stroops: bigint,
  operation: NewWithdrawal['operation'],
): bigint {
  return config.treasury_pays.fees
    ? 0n
    : firstBid(config, fee_rate_stroops, { operation, resource_fee_stroops: null, is_fee_bump: false });
}

/**
 * Computes what the treasury would pay of one more withdrawal or change of a trust line: fee and reserve, in stroops. Null when
 * it has no part. `rate_stroops`: as for `firstBid`. `base_reserve_stroops`: of a trust line only.
 */
export function partOfTreasury(
  config: Deps['config'],
  { operation, resource_fee_stroops = null }: Pick<NewWithdrawal, 'operation' | 'resource_fee_stroops'>,
  { rate_stroops, base_reserve_stroops = 0n }: { rate_stroops: bigint; base_reserve_stroops?: bigint },
): bigint | null {
  const { fees, reserves } = config.treasury_pays;
  const sponsors = reserves && operation === 'add_trust_line';
  if (!fees && !sponsors) return null;
  const bidding = { operation, resource_fee_stroops, is_fee_bump: true };
  const fee_stroops = fees ? firstBid(config, rate_stroops, bidding) : 0n;
  return fee_stroops + (sponsors ? base_reserve_stroops : 0n);
}

/**
 * Returns the error 503 `treasury_unfunded`, which no caller can mend, when the treasury cannot pay its part of one more
 * withdrawal or trust line. Null when it can, or has no part. `rate_stroops`: as for `firstBid`.
 * @throws NetworkUnavailable
 */
export async function refusalOfTreasury(
  deps: Pick<Deps, 'db' | 'stellar' | 'config'>,
  order: Pick<NewWithdrawal, 'operation' | 'resource_fee_stroops'>,
  rate_stroops: bigint,
): Promise<AppError | null> {
  const partWith = (base_reserve_stroops: bigint) =>
    partOfTreasury(deps.config, order, { rate_stroops, base_reserve_stroops });
  if (partWith(0n) === null) return null;
  const funds = await readTreasury(deps);
  const needed_stroops = funds && partWith(funds.base_reserve_stroops);
  if (needed_stroops !== null && funds && funds.state.spendable_stroops >= needed_stroops) return null;
  return new AppError(
    'treasury_unfunded',
    'The treasury, which pays the fees or reserves of all wallets, has too little. Nothing was started. The operator of the service must pay into it.',
    { retry_after_seconds: RETRY_AFTER_SECONDS },
  );
}
