/** Bodies of events. */
import type { Deposit, WalletAsset, WebhookEndpoint, Withdrawal } from '../contract.ts';
import { parseExact } from '../exact-json.ts';

/** `data` of each event. `deposit.test` looks like a deposit and is none: never credit it. */
type DataOfEvent = {
  'deposit.created': Deposit;
  'deposit.unattributed': Deposit;
  'deposit.test': Deposit;
  'withdrawal.confirmed': Withdrawal;
  'withdrawal.failed': Withdrawal;
  'withdrawal.awaiting_approval': Withdrawal;
  'asset.changed': WalletAsset;
  'endpoint.disabled': WebhookEndpoint;
  ping: { webhook_id: string; created_at: string };
};

/** Its name is any text: a later version of the service may send others. */
export type EventBody = { event: string; data: Record<string, unknown> };

/**
 * Narrows the type of a body by its name: `if (isEvent(body, 'deposit.created')) body.data.amount_stroops …`.
 */
export function isEvent<Given extends EventBody, Name extends keyof DataOfEvent>(
  body: Given,
  name: Name,
): body is Given & { event: Name; data: DataOfEvent[Name] } {
  return body.event === name;
}

/** @throws SyntaxError for text that is not the body of an event. */
export function parseEvent(text: string): EventBody {
  const body = parseExact(text) as Partial<EventBody> | null;
  const { event, data } = body ?? {};
  if (typeof event !== 'string' || typeof data !== 'object' || data === null || Array.isArray(data))
    throw new SyntaxError('is not the body of an event');
  return body as EventBody;
}
