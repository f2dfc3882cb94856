import { useEffect, useState } from 'react';
import { formatDateTime, relativeTime } from '../text/date-time.ts';

/** A time in the reader's time zone. The tooltip has RFC 3339. */
export function DateTime({ at, seconds = false }: { at: string; seconds?: boolean }) {
  return (
    <time dateTime={at} title={at} className="moment">
      {formatDateTime(at, seconds)}
    </time>
  );
}

const TICK_MS = 1_000;

/** The time in ms since 1970. Updates every second while `runs`. */
export function useNow(runs = true): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [runs]);
  return now;
}

/** For example `in 4 min.`; updates as time passes. */
export function RelativeTime({ at }: { at: string }) {
  return relativeTime(at, useNow());
}
