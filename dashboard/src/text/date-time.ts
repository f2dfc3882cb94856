/** Pure: times in words. */

/** The pages are in English: `23 Nov 2026, 14:05` in every browser. A month in words and 24 hours have one meaning. */
const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const short = new Intl.DateTimeFormat('en-GB', { ...DAY, ...TIME });
const day = new Intl.DateTimeFormat('en-GB', DAY);
const exact = new Intl.DateTimeFormat('en-GB', { ...DAY, ...TIME, second: '2-digit' });

/** In the reader's time zone. */
export function formatDateTime(at: string, seconds = false): string {
  return (seconds ? exact : short).format(new Date(at));
}

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

/** `21 Nov 2026`, in the reader's time zone. */
export function formatDay(date: Date): string {
  return day.format(date);
}
