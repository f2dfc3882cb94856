/** Pure: times in the reader's format. */
import { DIGITS } from './money.ts';

const exact = new Intl.DateTimeFormat(undefined, { ...DIGITS, dateStyle: 'medium', timeStyle: 'medium' });
const short = new Intl.DateTimeFormat(undefined, { ...DIGITS, dateStyle: 'medium', timeStyle: 'short' });

/** In the reader's time zone and language. */
export function formatDateTime(at: string, seconds = false): string {
  return (seconds ? exact : short).format(new Date(at));
}

// In English, because the sentences around it are.
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
// Not `auto`: it says “tomorrow” for 40 hours.
const in_days = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });
const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** `in 4 min.`, `2 days ago`. */
export function relativeTime(at: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  const [unit, length] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return (unit === 'day' ? in_days : relative).format(Math.trunc(seconds / length), unit);
}
