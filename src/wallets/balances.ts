import type { Deps } from '../deps.ts';
import { type AssetFields, assetText, NATIVE } from '../stellar/asset.ts';
import { lineKey, type TrustLine } from '../stellar/stellar.ts';
import { assetsInFlight, heldAssets, type Wallet } from './store.ts';

/**
 * `reserved_stroops` and `in_flight_stroops`: what keeps the rest from being available. `status`: whether the issuer lets the wallet
 * use it, in the words of the wallet's assets.
 */
export type Balance = AssetFields & {
  amount_stroops: bigint;
  available_stroops: bigint;
  reserved_stroops: bigint;
  in_flight_stroops: bigint;
  status: 'active' | 'unauthorized' | 'maintain_liabilities';
};

const STATUS_OF_AUTHORIZATION = {
  full: 'active',
  maintain_liabilities: 'maintain_liabilities',
  none: 'unauthorized',
} as const satisfies Record<TrustLine['authorization'], Balance['status']>;

/**
 * Reads the account's balances on the ledger: the native one, then those of its trust lines by code. `available_stroops`: the
 * balance minus what the network reserves (reserve and liabilities; all of an asset that is not `active`), and minus the
 * withdrawals in flight; 0 at least.
 * @throws NetworkUnavailable
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
  const sumsOf = (asset: AssetFields, amount_stroops: bigint, spendable_stroops: bigint) => {
    const in_flight_stroops = in_flight.get(assetText(asset)) ?? 0n;
    const left = spendable_stroops - in_flight_stroops;
    const available_stroops = left > 0n ? left : 0n;
    const reserved_stroops = amount_stroops - spendable_stroops;
    return { amount_stroops, available_stroops, reserved_stroops, in_flight_stroops };
  };
  const issued = held.flatMap((asset, index) => {
    const line = lines.get(lineKey(names[index] as (typeof names)[number]));
    if (!line) return [];
    const { balance_stroops, selling_liabilities_stroops, authorization } = line;
    const spendable = authorization === 'full' ? balance_stroops - selling_liabilities_stroops : 0n;
    const status = STATUS_OF_AUTHORIZATION[authorization];
    return [{ ...asset, ...sumsOf(asset, balance_stroops, spendable), status }];
  });
  const native = {
    ...NATIVE,
    ...sumsOf(NATIVE, state?.balance_stroops ?? 0n, state?.spendable_stroops ?? 0n),
    status: 'active' as const,
  };
  return [native, ...issued];
}
