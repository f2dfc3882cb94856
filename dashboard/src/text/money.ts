/** Pure: converts between stroops and the amounts that people read and type, never through a float. */

const STROOPS_PER_UNIT = 10_000_000n;
const INT64_MAX = 9_223_372_036_854_775_807n;

/** The digits 0 to 9 in every language, as in memo ids and files that amounts are compared with. */
export const DIGITS = { numberingSystem: 'latn' } as const;

const FORMAT = { ...DIGITS, maximumFractionDigits: 7 } as const;
const reader = new Intl.NumberFormat(undefined, FORMAT);

/** In the reader's language, or in `locale`. */
function numberFormat(locale?: string): Intl.NumberFormat {
  return locale === undefined ? reader : new Intl.NumberFormat(locale, FORMAT);
}

/** `12,345.6` for 123456000000 stroops, in the reader's language. */
export function formatUnits(stroops: bigint, locale?: string): string {
  const magnitude = plainUnits(stroops < 0n ? -stroops : stroops);
  // A text of digits is not rounded (ECMA-402, PartitionNumberPattern).
  return `${stroops < 0n ? '−' : ''}${numberFormat(locale).format(magnitude as `${number}`)}`;
}

/** `12,345`: a count, or stroops. */
export function formatInteger(value: bigint | number): string {
  return reader.format(value);
}

/** `12,345 stroops`, `1 stroop`. */
export function formatStroops(stroops: bigint): string {
  return `${formatInteger(stroops)} ${stroops === 1n || stroops === -1n ? 'stroop' : 'stroops'}`;
}

/** `1234.5` for files, the same in every language. */
export function plainUnits(stroops: bigint): string {
  const magnitude = stroops < 0n ? -stroops : stroops;
  const fraction = (magnitude % STROOPS_PER_UNIT).toString().padStart(7, '0').replace(/0+$/, '');
  return `${stroops < 0n ? '-' : ''}${magnitude / STROOPS_PER_UNIT}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `1234.5` for a field that is edited: what `parseUnits` reads as this amount in every language. */
export function editableUnits(stroops: bigint, locale?: string): string {
  const plain = plainUnits(stroops);
  return canBeReadInTwoWays(plain, locale) ? `${plain}0` : plain;
}

/** Whether `text` could mean a thousand times as much: German and Spanish write 1000 as `1.000`. */
function canBeReadInTwoWays(text: string, locale?: string): boolean {
  if (!/^[1-9]\d{0,2}\.\d{3}$/.test(text)) return false;
  const parts = numberFormat(locale).formatToParts(1_000_000n);
  return parts.some(({ type, value }) => type === 'group' && value === '.');
}

/** The stroops of a typed amount such as `12.5`; or its problem, to follow “The amount”. */
export function parseUnits(text: string, locale?: string): { stroops: bigint } | { problem: string } {
  const typed = text.trim();
  if (typed === '') return { problem: 'is required' };
  const match = /^([0-9]+)(?:\.([0-9]*))?$/.exec(typed);
  if (!match)
    return { problem: 'must be a number such as 12.5, with a decimal point and no thousands separators' };
  const [, whole = '0', fraction = ''] = match;
  if (fraction.length > 7) return { problem: 'has more than 7 decimal places' };
  const stroops = BigInt(whole) * STROOPS_PER_UNIT + BigInt(fraction.padEnd(7, '0'));
  if (stroops === 0n) return { problem: 'must be greater than 0' };
  if (canBeReadInTwoWays(typed, locale))
    return { problem: `is ambiguous: write ${BigInt(whole + fraction)} or ${typed}0` };
  if (stroops > INT64_MAX) return { problem: 'is more than the network allows' };
  return { stroops };
}
