/** Pure functions: when a failed delivery is attempted again, by the schedule and by the Retry-After of the answer. */

/** Each step is longer or shorter by up to a fifth, so that deliveries that failed together are not sent together. */
const JITTER = 0.2;

/** Statuses with which a receiver may ask for more time. */
const MAY_ASK_FOR_TIME = new Set([429, 503]);

/**
 * Milliseconds until the next attempt; null at the end of the schedule: the delivery is given up. `step` counts the steps
 * taken so far, `random` is uniform in [0, 1). A receiver gets the time that it asks for (`retry_after_ms`), up to the
 * length of the following step.
 */
export function nextDelay(
  schedule_seconds: readonly number[],
  step: number,
  random: number,
  retry_after_ms: number | null,
): number | null {
  const seconds = schedule_seconds[step];
  if (seconds === undefined) return null;
  const delay_ms = Math.round(seconds * 1000 * (1 - JITTER + 2 * JITTER * random));
  const longest_ms = (schedule_seconds[step + 1] ?? seconds) * 1000;
  return Math.max(delay_ms, Math.min(retry_after_ms ?? 0, longest_ms));
}

/** Reads the milliseconds in an answer's Retry-After (seconds or an HTTP date, RFC 9110 section 10.2.3); null when it has none. */
export function retryAfter(status_code: number, header: string | null, now: Date): number | null {
  if (!MAY_ASK_FOR_TIME.has(status_code) || header === null) return null;
  const text = header.trim();
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Za-z]+, .* GMT$/.test(text)) return null;
  const wait_ms = Date.parse(text) - now.getTime();
  return wait_ms > 0 ? wait_ms : null; // NaN too
}
