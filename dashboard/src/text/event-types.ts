/** Pure: the types of events in words, in the order in which an endpoint chooses among them. */
import type { BodyOf } from '../api/operations.ts';

export type EventType = NonNullable<BodyOf<'registerWebhook'>['events']>[number];

export const EVENT_WORDS: Record<EventType, string> = {
  'deposit.created': 'A deposit has arrived at one of your addresses.',
  'deposit.unattributed': 'A deposit has arrived that belongs to none of your addresses.',
  'withdrawal.confirmed': 'A withdrawal or a refund is paid.',
  'withdrawal.failed': 'A withdrawal or a refund has failed: nothing was paid.',
  'withdrawal.awaiting_approval': 'A withdrawal or a refund waits for members to approve it.',
  'payout.completed': 'Every row of a payout has its outcome.',
  'asset.changed': 'An asset was added or removed, or its issuer has changed what the wallet may do with it.',
  'endpoint.disabled':
    'The service has disabled another endpoint of this wallet, after five days of failures.',
};

export const EVENT_TYPES = Object.keys(EVENT_WORDS) as EventType[];
