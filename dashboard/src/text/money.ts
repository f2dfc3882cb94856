/** Pure: converts between stroops and the amounts that people read and type, never through a float. */

const STROOPS_PER_UNIT = 10_000_000n;
const INT64_MAX = 9_223_372_036_854_775_807n;

/** The pages are in English, and so are their numbers: the same in every browser, as in the fields that are typed in. */
const english = new Intl.NumberFormat('en', { maximumFractionDigits: 7 });

/** `12,345.6` for 123456000000 stroops. `decimals`: at least so many, for figures below one another. */
export function formatUnits(stroops: bigint, decimals = 0): string {
  const magnitude = plainUnits(stroops < 0n ? -stroops : stroops);
  // A text of digits is not rounded (ECMA-402, PartitionNumberPattern).
  const figures = english.format(magnitude as `${number}`);
  const missing = decimals - decimalsOf(stroops);
  const end = missing > 0 ? `${figures.includes('.') ? '' : '.'}${'0'.repeat(missing)}` : '';
  return `${stroops < 0n ? '−' : ''}${figures}${end}`;
}

/** How many decimals an amount has: 0 to 7. */
export function decimalsOf(stroops: bigint): number {
  return plainUnits(stroops).split('.')[1]?.length ?? 0;
}

/** `12,345`: a count, or stroops. */
export function formatInteger(value: bigint | number): string {
  return english.format(value);
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

/** Whether `text` could mean a thousand times as much to the reader: German and Spanish write 1000 as `1.000`. */
function canBeReadInTwoWays(text: string, locale?: string): boolean {
  if (!/^[1-9]\d{0,2}\.\d{3}$/.test(text)) return false;
  const parts = new Intl.NumberFormat(locale).formatToParts(1_000_000n);
  return parts.some(({ type, value }) => type === 'group' && value === '.');
}

/** `1,234,567` and `1,234.5`, as amounts are shown. */
const GROUPED = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;
/** `1,234` alone: many languages write 1.234 so. */
const ONE_COMMA = /^([1-9]\d{0,2}),(\d{3})$/;

/** The stroops of a typed or pasted amount such as `12.5`; or its problem, to follow “The amount”. */
export function parseUnits(
  text: string,
  locale?: string,
  unit = 'XLM',
): { stroops: bigint } | { problem: string } {
  const trimmed = text.trim();
  const typed = trimmed.endsWith(unit) ? trimmed.slice(0, -unit.length).trimEnd() : trimmed;
  if (typed === '') return { problem: 'is required' };
  const [one_comma, thousands, rest] = ONE_COMMA.exec(typed) ?? [];
  if (one_comma)
    return { problem: `is ambiguous: write ${BigInt(`${thousands}${rest}`)} or ${thousands}.${rest}0` };
  const plain = GROUPED.test(typed) ? typed.replaceAll(',', '') : typed;
  const match = /^([0-9]+)(?:\.([0-9]*))?$/.exec(plain);
  if (!match)
    return { problem: 'must be a number such as 12.5 or 1,234.5, with a point before its decimals' };
  const [, whole = '0', fraction = ''] = match;
  if (fraction.length > 7) return { problem: 'has more than 7 decimal places' };
  const stroops = BigInt(whole) * STROOPS_PER_UNIT + BigInt(fraction.padEnd(7, '0'));
  if (stroops === 0n) return { problem: 'must be greater than 0' };
  if (canBeReadInTwoWays(plain, locale))
    return { problem: `is ambiguous: write ${BigInt(whole + fraction)} or ${plain}0` };
  if (stroops > INT64_MAX) return { problem: 'is more than the network allows' };
  return { stroops };
}
