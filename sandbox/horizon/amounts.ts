import type { xdr } from '@stellar/stellar-sdk/base';

const DECIMALS = 7;
const UNIT = 10n ** 7n;

/** Stroops, or an i128 of a contract, as Horizon writes amounts: always with seven decimals. */
export function amountText(stroops: bigint): string {
  const digits = `${stroops < 0n ? -stroops : stroops}`.padStart(DECIMALS + 1, '0');
  return `${stroops < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}

/** The fraction with seven decimals, rounded half up (big.Rat.FloatString of Go). */
export function priceText({ n, d }: xdr.PriceWire): string {
  const divisor = BigInt(d);
  return amountText((BigInt(n) * UNIT * 2n + divisor) / (divisor * 2n));
}
