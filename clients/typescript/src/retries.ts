/**
 * Pure: when a request is sent again. A request that the service may have carried out is sent again only if the same
 * again acts once; 429 of the service is the one answer that says of every request that nothing was done.
 */
export const MAX_RETRIES = 3;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** The caller decides about a longer Retry-After. A call that waits for an outcome asks once in so long. */
const MAX_RETRY_AFTER_SECONDS = 60;
/** Timers take 31 bits: a longer one ends at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/** The end of a request. `status` is null without an answer; `code` is null when the answer is not from the service. */
export type Outcome = { status: number | null; code: string | null };

const NOTHING_WAS_DONE: readonly (string | null)[] = ['rate_limited', 'too_many_waiting'];
const MAY_END_BY_ITSELF: readonly number[] = [502, 503, 504];

/** `repeatable`: the same request again acts once. */
export function mayRepeat(repeatable: boolean, { status, code }: Outcome): boolean {
  if (status === 429 && NOTHING_WAS_DONE.includes(code)) return true;
  if (!repeatable || code === 'too_many_logins') return false;
  if (status === null || status === 429 || MAY_END_BY_ITSELF.includes(status)) return true;
  return code === 'idempotency_key_in_flight';
}

/**
 * Milliseconds of the pause after so many tries. `random`: 0 to 1; a thousand clients of a service that was away must not
 * return at the same moment.
 */
export function backoffMs(tries: number, random: number): number {
  return Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (tries - 1)) * (0.5 + random / 2);
}

/** Milliseconds before the next try; null when the service asks for a longer pause than a client makes. */
export function pauseMs(tries: number, retry_after_seconds: number | null, random: number): number | null {
  const delay_ms = backoffMs(tries, random);
  if (retry_after_seconds === null) return delay_ms;
  if (retry_after_seconds > MAX_RETRY_AFTER_SECONDS) return null;
  return retry_after_seconds * 1_000 + delay_ms / 4;
}

/**
 * Milliseconds before a caller who waits for an outcome asks again, after so many failures in a row. Such a wait never ends
 * because of what the service asks for.
 */
export function waitMs(failures: number, retry_after_seconds: number | null, random: number): number {
  const asked_seconds = Math.min(retry_after_seconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  return Math.max(backoffMs(Math.max(failures, 1), random), asked_seconds * 1_000);
}

/** A signal that ends after so long, or after 24 days. */
export function after(duration_ms: number): AbortSignal {
  return AbortSignal.timeout(Math.min(duration_ms, MAX_TIMER_MS));
}

/** The seconds of a Retry-After header; null where it is absent, a date, or nonsense. */
export function retryAfterSeconds(header: string | null): number | null {
  return header !== null && /^[0-9]{1,9}$/.test(header) ? Number(header) : null;
}

/** @throws the reason of `signal` when it ends the pause. */
export function pause(duration_ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, duration_ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** One signal for those that are given. */
export function joined(...signals: (AbortSignal | null | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal instanceof AbortSignal);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

/**
 * Does work, but rejects with the reason of `signal` when that comes first: then nothing is begun, or what has begun goes on
 * and nobody learns how it ends.
 */
export async function endedBy<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work();
  signal.throwIfAborted(); // before the work: an error of work that nobody awaits would end the process
  let end = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(signal.reason);
    signal.addEventListener('abort', end, { once: true });
  });
  try {
    return await Promise.race([work(), ended]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
