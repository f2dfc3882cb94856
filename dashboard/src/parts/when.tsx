import { formatMoment } from './moment.ts';

/** A moment in the reader's time zone and language; RFC 3339 on hovering. */
export function When({ at, seconds = false }: { at: string; seconds?: boolean }) {
  return (
    <time dateTime={at} title={at} className="moment">
      {formatMoment(at, seconds)}
    </time>
  );
}

// Words, within sentences that are English.
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** `in 4 min.`, `2 days ago`. */
export function fromNow(at: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  const [unit, length] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / length), unit);
}
