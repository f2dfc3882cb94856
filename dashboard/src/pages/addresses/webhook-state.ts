/** Pure: the webhook deliveries of a deposit as one state. */
import type { Deposit, DepositDelivery } from '../../api/contract.ts';

/** `status`: that of the delivery that needs attention most; null without deliveries. */
type WebhookState = { status: DepositDelivery['status'] | null; label: string };

export function webhookState(
  deliveries: Pick<DepositDelivery, 'status'>[],
  { below_minimum }: Pick<Deposit, 'below_minimum'>,
): WebhookState {
  const { length } = deliveries;
  if (length === 0) return { status: null, label: below_minimum ? 'Below the minimum' : 'No endpoint' };
  const count = (status: DepositDelivery['status']) =>
    deliveries.filter((each) => each.status === status).length;
  const status = (['failed', 'pending'] as const).find((each) => count(each) > 0) ?? 'delivered';
  return { status, label: length === 1 ? status : `${status}: ${count(status)} of ${length}` };
}
