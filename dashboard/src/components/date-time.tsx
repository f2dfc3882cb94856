import { useEffect, useState } from 'react';
import { formatDateTime, relativeTime } from '../text/date-time.ts';

/** A moment in the reader's time zone and language; RFC 3339 on hovering. */
export function DateTime({ at, seconds = false }: { at: string; seconds?: boolean }) {
  return (
    <time dateTime={at} title={at} className="moment">
      {formatDateTime(at, seconds)}
    </time>
  );
}

const TICK_MS = 1_000;

/** In ms since 1970, every second while it `runs`. */
export function useNow(runs = true): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [runs]);
  return now;
}

/** `in 4 min.`, which is `in 3 min.` a minute later, though nothing else has changed. */
export function RelativeTime({ at }: { at: string }) {
  return relativeTime(at, useNow());
}
