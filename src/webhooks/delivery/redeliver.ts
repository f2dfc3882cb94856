import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { announceDue } from '../store/announce.ts';
import { lockDelivery, restart } from '../store/delivery-store.ts';
import { lockEndpoint } from '../store/endpoint-store.ts';
import { type Delivery, findDelivery } from '../store/read-deliveries.ts';

/**
 * Sends a delivery again in any state: the same bytes under the same event id, with its whole schedule; attempts are
 * counted on. Many calls at once send it once. A disabled endpoint gets it when it is enabled. Undefined when there is no
 * such delivery, or its endpoint was deleted.
 */
export async function redeliver(
  deps: Deps,
  by: OnWallet,
  endpoint: { wallet_id: string; id: string },
  delivery_id: string,
): Promise<Delivery | undefined> {
  return auditedOnWallet(deps, by, async (trx, note) => {
    if (!(await lockEndpoint(trx, endpoint.wallet_id, endpoint.id))) return undefined;
    if (!(await lockDelivery(trx, endpoint.id, delivery_id))) return undefined;
    await restart(trx, [delivery_id], deps.clock.now());
    await announceDue(trx);
    const target = { kind: 'webhook_delivery', id: delivery_id };
    note({ action: 'delivery.repeated', target, after: { endpoint_id: endpoint.id } });
    return findDelivery(trx, endpoint, delivery_id);
  });
}
