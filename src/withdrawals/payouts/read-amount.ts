/**
 * Reads an amount of a CSV, in units, as people write it. Pure. It never guesses (docs/payouts.md):
 *
 * | what the text can be                                | what becomes of it                                          |
 * |-----------------------------------------------------|-------------------------------------------------------------|
 * | one amount, whichever mark the decimals have        | it is read so, and said where it is not as the API writes it |
 * | two amounts, like `1,234`                           | the mark that the caller has named decides; without one it  |
 * |                                                     | is refused                                                  |
 * | `1.000` in a file that is separated by commas       | as the API writes it: 1, and said                           |
 * | a decimal comma in a file separated by commas       | refused without a named mark: `1.000` there would be unsure |
 */
import { stroopsInUnits } from '../../lib/stroops.ts';

export type DecimalMark = 'point' | 'comma';

/** `decimal`: the mark that the caller has named. `separator`: between the fields of the file. */
export type AmountStyle = { decimal: DecimalMark | undefined; separator: string };

/** `as`: the amount as the API writes it, where the text is written otherwise. */
type ReadAmount = { stroops: bigint; as: string | null } | { code: string; message: string };

/** The code of an amount that needs the mark of decimals to be named. */
export const MARK_UNKNOWN = 'decimal_mark_unknown';

const DECIMALS = 7;
const GROUPS = /^[1-9][0-9]{0,2}(?:([.,'’ \u00a0\u2009\u202f])[0-9]{3})(?:\1[0-9]{3})*$/;

/** Reads an amount. `text`: without spaces around it. */
export function readAmount(text: string, { decimal, separator }: AmountStyle): ReadAmount {
  const point = stroopsOf(text, '.');
  const comma = stroopsOf(text, ',');
  if (decimal !== undefined)
    return decimal === 'point' ? known(text, point, decimal) : known(text, comma, decimal);
  const plain = asWritten(text) === null ? null : point;
  // Said all the same where a reader may take the point for one between thousands.
  if (separator === ',' && plain !== null)
    return { stroops: plain, as: comma === null || comma === plain ? null : stroopsInUnits(plain) };
  if (point !== null && comma !== null && point !== comma) return unknown(TWO_WAYS);
  if (separator === ',' && point === null && comma !== null) return unknown(HAS_COMMA);
  return known(text, point ?? comma, decimal);
}

const TWO_WAYS =
  'has one mark before three digits, which separates thousands or decimals: say which mark the decimals of this file have (`decimal`), or write the amount like 1234 or 1.2340';
const HAS_COMMA =
  'has a decimal comma, or points between thousands, in a file that is separated by commas: say which mark the decimals of this file have (`decimal`), or write the amount like 1234.5';

const FORMS = {
  point: 'a number of units like 12 or 12.5, with a point and at most 7 decimals',
  comma: 'a number of units like 12 or 12,5, with a decimal comma and at most 7 decimals',
  any: 'a number of units like 12 or 12.5, with at most 7 decimals',
};

function known(text: string, stroops: bigint | null, decimal: DecimalMark | undefined): ReadAmount {
  if (stroops === null) return { code: 'invalid_request', message: faultOf(text, FORMS[decimal ?? 'any']) };
  return { stroops, as: asWritten(text) === stroops ? null : stroopsInUnits(stroops) };
}

function unknown(message: string): ReadAmount {
  return { code: MARK_UNKNOWN, message };
}

function faultOf(text: string, form: string): string {
  if (/^[-−(]/.test(text)) return 'must be greater than 0';
  const [other] = /[^0-9.,'’\s+]/.exec(text) ?? [];
  return `must be ${form}${other === undefined ? '' : ', and nothing else in its field: no currency and no exponent'}`;
}

/** Reads the text with this mark before its decimals; null when it cannot be read so. */
function stroopsOf(text: string, mark: '.' | ','): bigint | null {
  const at = text.lastIndexOf(mark);
  // Several are marks of thousands, which the decimals cannot have too.
  const has_decimals = at >= 0 && text.indexOf(mark) === at;
  const whole = has_decimals ? text.slice(0, at) : text;
  const part = has_decimals ? text.slice(at + 1) : '';
  if (has_decimals && (part === '' || part.length > DECIMALS || /[^0-9]/.test(part))) return null;
  const [, group] = GROUPS.exec(whole) ?? [];
  if (group === mark || (group === undefined && !/^(?:0|[1-9][0-9]*)$/.test(whole))) return null;
  return BigInt(whole.replace(/[^0-9]/g, '') + part.padEnd(DECIMALS, '0'));
}

/** Reads the text as the API writes amounts; null for any other form. */
function asWritten(text: string): bigint | null {
  return /^[0-9]+(?:\.[0-9]+)?$/.test(text) ? stroopsOf(text, '.') : null;
}
