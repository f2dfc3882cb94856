import type { Deps } from '../deps.ts';
import { type AssetFields, assetText, NATIVE } from '../stellar/asset.ts';
import { lineKey } from '../stellar/stellar.ts';
import { assetsInFlight, heldAssets, type Wallet } from './store.ts';

export type Balance = AssetFields & { amount_stroops: bigint; available_stroops: bigint };

/**
 * The account's balances on the ledger: the native one, then those of its trust lines by code. `available_stroops`: the
 * balance minus reserve, liabilities and withdrawals in flight. @throws NetworkUnavailable.
 */
export async function readBalances(deps: Deps, wallet: Wallet): Promise<Balance[]> {
  // Withdrawals are read first. One that is applied in between is then subtracted twice for a moment, never ignored.
  const [in_flight, held] = await Promise.all([
    assetsInFlight(deps.reads, wallet.id, { pays_fees: !deps.config.treasury_pays.fees }),
    heldAssets(deps.reads, wallet.id),
  ]);
  const names = held.map(({ asset_code: code, asset_issuer: issuer }) => {
    return { account: wallet.account, asset: { code, issuer } };
  });
  const { accounts, lines } = await deps.stellar.readAccounts([wallet.account], names);
  const state = accounts.get(wallet.account);
  const balance = (asset: AssetFields, amount_stroops: bigint, spendable_stroops: bigint): Balance => {
    const available = spendable_stroops - (in_flight.get(assetText(asset)) ?? 0n);
    return { ...asset, amount_stroops, available_stroops: available > 0n ? available : 0n };
  };
  const issued = held.flatMap((asset, index) => {
    const line = lines.get(lineKey(names[index] as (typeof names)[number]));
    if (!line) return [];
    const { balance_stroops, selling_liabilities_stroops, authorization } = line;
    const spendable = authorization === 'full' ? balance_stroops - selling_liabilities_stroops : 0n;
    return [balance(asset, balance_stroops, spendable)];
  });
  return [balance(NATIVE, state?.balance_stroops ?? 0n, state?.spendable_stroops ?? 0n), ...issued];
}
