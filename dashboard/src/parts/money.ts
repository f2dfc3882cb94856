/** Pure: amounts between stroops and what people read and type. Never through a float. */

const STROOPS_PER_UNIT = 10_000_000n;
const INT64_MAX = 9_223_372_036_854_775_807n;

/** 0 to 9 in every language: those of memo ids, files and other pages, that an amount is compared with. */
export const DIGITS = { numberingSystem: 'latn' } as const;

/** With the reader's separators. */
function numberFormat(locale?: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { ...DIGITS, maximumFractionDigits: 7 });
}

const reader = numberFormat();

/** `12,345.6` for 123456000000 stroops, in the reader's language; whole when there is no fraction. */
export function formatUnits(stroops: bigint, locale?: string): string {
  const magnitude = plainUnits(stroops < 0n ? -stroops : stroops);
  const format = locale === undefined ? reader : numberFormat(locale);
  // A text of digits is not rounded (ECMA-402, PartitionNumberPattern).
  return `${stroops < 0n ? '−' : ''}${format.format(magnitude as `${number}`)}`;
}

/** `12,345`: a count, or stroops. */
export function formatInteger(value: bigint | number): string {
  return reader.format(value);
}

/** `1234.5` for a field that is edited and for files, the same in every language. */
export function plainUnits(stroops: bigint): string {
  const magnitude = stroops < 0n ? -stroops : stroops;
  const fraction = (magnitude % STROOPS_PER_UNIT).toString().padStart(7, '0').replace(/0+$/, '');
  return `${stroops < 0n ? '-' : ''}${magnitude / STROOPS_PER_UNIT}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Stroops of what a person typed, like `12.5`; or what is wrong with it. */
export function parseUnits(text: string): { stroops: bigint } | { problem: string } {
  const typed = text.trim();
  if (typed === '') return { problem: 'is required' };
  const match = /^([0-9]+)(?:\.([0-9]*))?$/.exec(typed);
  if (!match) return { problem: 'must be a number like 12.5, with a point and without separators' };
  const [, whole = '0', fraction = ''] = match;
  if (fraction.length > 7) return { problem: 'has more than 7 decimal places' };
  const stroops = BigInt(whole) * STROOPS_PER_UNIT + BigInt(fraction.padEnd(7, '0'));
  if (stroops === 0n) return { problem: 'must be greater than 0' };
  if (stroops > INT64_MAX) return { problem: 'is more than the network can hold' };
  return { stroops };
}
