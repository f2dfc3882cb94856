/** Every type of event: the resource that it tells, in words, and the resource of its test event. */
import type { z } from 'zod';
import { DepositResource, sampleDeposit } from '../../deposits/recorded/deposit-schema.ts';
import type { SampleFor } from '../../http/test-samples.ts';
import { EndpointResource, sampleEndpoint } from '../../webhooks/endpoints/endpoint-schema.ts';
import { PING } from '../../webhooks/events/send-test-event.ts';
import type { EventType, TestEvent } from '../../webhooks/store/event-types.ts';
import { sampleWithdrawal, WithdrawalResource } from '../../withdrawals/answers/schema.ts';
import { PayoutResource, samplePayout } from '../../withdrawals/payouts/payout-schema.ts';
import { AssetResource, sampleAsset } from '../../withdrawals/trust-lines/asset-schema.ts';

type Event<T extends z.ZodType = z.ZodType> = {
  data: T;
  words: string;
  sample: (of: SampleFor) => z.input<T>;
};

export const EVENTS: Record<EventType, Event> = {
  'deposit.created': event(DepositResource, 'A payment to a deposit address of the wallet.', (of) =>
    sampleDeposit(true, of),
  ),
  'deposit.unattributed': event(DepositResource, 'A payment that names no deposit address.', (of) =>
    sampleDeposit(false, of),
  ),
  'withdrawal.confirmed': event(WithdrawalResource, 'The ledger has the payment.', (of) =>
    sampleWithdrawal('confirmed', of),
  ),
  'withdrawal.failed': event(WithdrawalResource, 'No ledger will ever have the payment.', (of) =>
    sampleWithdrawal('failed', of),
  ),
  'withdrawal.awaiting_approval': event(WithdrawalResource, 'Members must approve it first.', (of) =>
    sampleWithdrawal('awaiting_approval', of),
  ),
  'payout.completed': event(PayoutResource, 'Every row of a payout has its outcome.', samplePayout),
  'asset.changed': event(
    AssetResource,
    'A trust line of the wallet was added, removed or changed.',
    sampleAsset,
  ),
  'endpoint.disabled': event(EndpointResource, 'The service has disabled another endpoint.', sampleEndpoint),
};

function event<T extends z.ZodType>(data: T, words: string, sample: Event<T>['sample']): Event {
  return { data, words, sample };
}

/** Makes the data of a test event of this type. */
export function sampleData(type: TestEvent, of: SampleFor): object {
  if (type === 'ping') return PING.data(of);
  if (type === 'deposit.test') return sampleDeposit(true, of);
  return EVENTS[type.slice(0, -'.test'.length) as EventType].sample(of) as object;
}
