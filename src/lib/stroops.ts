/** Writes an amount for people: `1 stroop`, `12 stroops`. */
export function stroopsInWords(amount: bigint): string {
  return `${amount} ${amount === 1n || amount === -1n ? 'stroop' : 'stroops'}`;
}

/** Writes an amount of 0 or more in units, exactly: `12.5` for 125,000,000 stroops. */
export function stroopsInUnits(amount: bigint): string {
  const digits = `${amount}`.padStart(8, '0');
  const fraction = digits.slice(-7).replace(/0+$/, '');
  return `${digits.slice(0, -7)}${fraction && `.${fraction}`}`;
}

/** The largest amount of Stellar, in stroops. */
export const INT64_MAX = 2n ** 63n - 1n;

/** Parses an amount in units, like `25` or `0.5`. Returns stroops; null for another text, and for more than any amount can be. */
export function parseUnits(text: string): bigint | null {
  const [, units, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,7}))?$/.exec(text) ?? [];
  if (units === undefined) return null;
  const stroops = BigInt(units + fraction.padEnd(7, '0'));
  return stroops <= INT64_MAX ? stroops : null;
}
