import { Text } from '@mantine/core';

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A moment in the reader's time zone and language; RFC 3339 on hovering. */
export function When({ at, seconds = false }: { at: string; seconds?: boolean }) {
  return (
    <Text component="time" inherit dateTime={at} title={at} style={{ whiteSpace: 'nowrap' }}>
      {(seconds ? exact : short).format(new Date(at))}
    </Text>
  );
}

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
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
