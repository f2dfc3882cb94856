/** Pure: the order in which balances are shown where not all of them have room. */
import { type AssetFields, isSameAsset } from './asset.ts';

type Balance = AssetFields & { amount_stroops: bigint };

/** The native one, then what the wallet holds some of, each time the known assets first; otherwise in the given order. */
export function inOrder<Held extends Balance>(balances: Held[], known: AssetFields[]): Held[] {
  const rank = (balance: Held) => {
    if (balance.asset_issuer === null) return 0;
    const isKnown = known.some((each) => isSameAsset(each, balance));
    return (balance.amount_stroops > 0n ? 1 : 3) + (isKnown ? 0 : 1);
  };
  return balances.toSorted((one, other) => rank(one) - rank(other));
}
