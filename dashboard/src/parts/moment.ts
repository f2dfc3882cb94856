/** Pure: moments as the reader writes them. */
import { DIGITS } from './money.ts';

const exact = new Intl.DateTimeFormat(undefined, { ...DIGITS, dateStyle: 'medium', timeStyle: 'medium' });
const short = new Intl.DateTimeFormat(undefined, { ...DIGITS, dateStyle: 'medium', timeStyle: 'short' });

/** In the reader's time zone and language. */
export function formatMoment(at: string, seconds = false): string {
  return (seconds ? exact : short).format(new Date(at));
}
