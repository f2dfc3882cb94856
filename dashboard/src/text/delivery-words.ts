/** Pure: the progress of a webhook delivery in words. */
import type { LoggedWebhookDelivery, WebhookAttempt } from '../api/contract.ts';
import { relativeTime } from './date-time.ts';

/** The response: `503`, `timed out`. */
export function responseWords({ status_code, error }: Pick<WebhookAttempt, 'status_code' | 'error'>): string {
  return status_code === null ? (error ?? 'no response') : String(status_code);
}

/**
 * The response of the latest attempt that has an outcome: `503`. Empty while there is none: an attempt counts from the moment that
 * its request is sent. The attempts of acknowledged deliveries are deleted after a while.
 */
export function lastResponseWords({
  status,
  attempts,
  attempt_log,
}: Pick<LoggedWebhookDelivery, 'status' | 'attempts' | 'attempt_log'>): string {
  const last = attempt_log.at(-1);
  if (last) return responseWords(last);
  return attempts === 0 || status === 'pending' ? '' : 'no longer kept';
}

type At = {
  now?: number;
  /** Whether the endpoint is enabled: a disabled one is sent nothing. */
  enabled?: boolean;
};

/** `503, retry in 4 min.`, `200 after 3 attempts`, `first attempt due`. */
export function deliveryWords(
  delivery: LoggedWebhookDelivery,
  { now = Date.now(), enabled = true }: At = {},
): string {
  const { status, attempts, next_attempt_at, attempt_log } = delivery;
  const last = attempt_log.at(-1);
  const response = last ? `${responseWords(last)}, ` : '';
  const after = attempts > 1 ? ` after ${attempts} attempts` : '';
  // Old attempts of acknowledged deliveries are no longer kept.
  if (status === 'delivered') return `${last ? responseWords(last) : 'acknowledged'}${after}`;
  if (status === 'failed') return attempts === 0 ? 'not sent' : `${response}gave up${after}`;
  if (!enabled) return `${response}waiting for the endpoint to be enabled`;
  if (!last) return attempts > 1 ? 'attempt due' : 'first attempt due';
  const due = next_attempt_at === null || Date.parse(next_attempt_at) <= now;
  return `${response}retry ${due ? 'due' : relativeTime(next_attempt_at, now)}`;
}

/** When it is sent next: `in 4 min.`, `due`; null if it is not sent again. */
export function nextAttemptWords(
  { next_attempt_at }: Pick<LoggedWebhookDelivery, 'next_attempt_at'>,
  { now = Date.now(), enabled = true }: At = {},
): string | null {
  if (next_attempt_at === null) return null;
  if (!enabled) return 'when enabled';
  return Date.parse(next_attempt_at) <= now ? 'due' : relativeTime(next_attempt_at, now);
}

/** `97 %` of attempts that were acknowledged; never 100 % or 0 % where it is not exactly so. */
export function shareWords(acknowledged: number | bigint, attempts: number | bigint): string {
  const [part, all] = [Number(acknowledged), Number(attempts)];
  const percent = Math.round((100 * part) / all);
  if (percent === 100 && part < all) return '> 99 %';
  if (percent === 0 && part > 0) return '< 1 %';
  return `${percent} %`;
}
