/** Pure: how a webhook delivery stands, in words. */
import type { LoggedWebhookDelivery, WebhookAttempt } from '../api/contract.ts';
import { fromNow } from './when.tsx';

/** What came back: `503`, `timed out`. */
export function answerWords({ status_code, error }: Pick<WebhookAttempt, 'status_code' | 'error'>): string {
  return status_code === null ? (error ?? 'no answer') : String(status_code);
}

/** `503, retry in 4 min.`, `200 after 3 attempts`, `first attempt now`. */
export function deliveryWords(delivery: LoggedWebhookDelivery, now = Date.now()): string {
  const { status, attempts, next_attempt_at, attempt_log } = delivery;
  const last = attempt_log.at(-1);
  if (!last) return status === 'pending' ? 'first attempt is due' : 'not sent';
  const answer = answerWords(last);
  const after = attempts === 1 ? '' : ` after ${attempts} attempts`;
  if (status === 'delivered') return `${answer}${after}`;
  if (status === 'failed') return `${answer}, given up${after}`;
  const due = next_attempt_at === null || Date.parse(next_attempt_at) <= now;
  return due ? `${answer}, retry is due` : `${answer}, retry ${fromNow(next_attempt_at, now)}`;
}
