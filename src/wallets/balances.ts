import type { Deps } from '../deps.ts';
import { inFlightStroops, type Wallet } from './store.ts';

export type Balance = {
  asset_code: string;
  asset_issuer: string | null;
  amount_stroops: bigint;
  available_stroops: bigint;
};

/**
 * The account's balances on the ledger. `available_stroops`: the balance minus reserve, liabilities and withdrawals
 * in flight. @throws NetworkUnavailable.
 */
export async function readBalances(deps: Deps, wallet: Wallet): Promise<Balance[]> {
  // Withdrawals are read first. One that is applied in between is then subtracted twice for a moment, never ignored.
  const in_flight = await inFlightStroops(deps.reads, wallet.id);
  const { accounts } = await deps.stellar.readAccounts([wallet.account]);
  const state = accounts.get(wallet.account);
  const available = (state?.spendable_stroops ?? 0n) - in_flight;
  return [
    {
      asset_code: 'native',
      asset_issuer: null,
      amount_stroops: state?.balance_stroops ?? 0n,
      available_stroops: available > 0n ? available : 0n,
    },
  ];
}
