/** Tells the operator how much the treasury has left for wallets, before it has too little. */
import type { Deps } from '../../deps.ts';
import { type Loop, startLoop } from '../../lib/loop.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import { countChannels } from './channel-store.ts';
import { paysForWallets, readTreasury, usesTreasury } from './treasury-pays.ts';

const LOOK_MS = 30_000;
const REFUSED = 'Withdrawals and trust lines will be refused';
const NOT_FILLED = 'Channels that pay their fees will not be filled';

export type TreasuryReport = { ok: boolean; message: string };

/**
 * Checks what the treasury has, and sets the metric. `ok` is false when the treasury cannot pay the largest fee
 * (FEE_MAX_STROOPS, CONTRACT_FEE_MAX_STROOPS) and a base reserve together.
 * @throws NetworkUnavailable
 */
export async function checkTreasury(
  deps: Pick<Deps, 'db' | 'stellar' | 'config' | 'metrics'>,
): Promise<TreasuryReport> {
  if (!(await isNeeded(deps)))
    return { ok: true, message: 'the treasury pays nothing for wallets or channels' };
  const funds = await readTreasury(deps);
  deps.metrics.treasury_spendable_stroops.set(Number(funds?.state.spendable_stroops ?? 0n));
  if (!funds) return { ok: false, message: 'the treasury is not on the network: pay into it' };
  const { spendable_stroops } = funds.state;
  const { fee_max_stroops, contract_fee_max_stroops } = deps.config;
  const largest = fee_max_stroops > contract_fee_max_stroops ? fee_max_stroops : contract_fee_max_stroops;
  const ok = spendable_stroops >= largest + funds.base_reserve_stroops;
  const message = `the treasury ${funds.account} can spend ${spendable_stroops} stroops`;
  return { ok, message: ok ? message : `${message}: pay into it` };
}

/** Says whether the treasury pays for wallets, or has channels to fill. */
async function isNeeded({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<boolean> {
  if (paysForWallets(config)) return true;
  return usesTreasury(config) && (await countChannels(db)).active > 0;
}

/** Logs an error when the treasury begins to have too little. */
export function startTreasuryWatch(deps: Deps): Loop {
  let wasOk = true;
  const step = async () => {
    try {
      const { ok, message } = await checkTreasury(deps);
      const effect = paysForWallets(deps.config) ? REFUSED : NOT_FILLED;
      if (!ok && wasOk) deps.log.error(`${effect}: ${message}.`);
      wasOk = ok;
    } catch (error) {
      if (!(error instanceof NetworkUnavailable)) throw error; // the loop logs it and looks again
    }
    return false;
  };
  return startLoop({ ...deps, name: 'treasury', step, idle_ms: LOOK_MS });
}
