import type { Deps } from '../../deps.ts';
import { holdEndpoint } from '../endpoints/endpoint-store.ts';
import { type Delivery, findDelivery } from './delivery-log.ts';
import { announceDue, lockDelivery, restart } from './delivery-store.ts';

/**
 * Sends a delivery again, whatever became of it: the same bytes under the same event id, its schedule from the start,
 * its attempts counted on. Asked many times at once it is sent once. To a disabled endpoint it goes when that is
 * enabled. Undefined when there is no such delivery, or its endpoint was deleted.
 */
export async function redeliver(
  deps: Deps,
  endpoint: { wallet_id: string; id: string },
  delivery_id: string,
): Promise<Delivery | undefined> {
  return deps.db.transaction().execute(async (trx) => {
    if (!(await holdEndpoint(trx, endpoint.wallet_id, endpoint.id))) return undefined;
    if (!(await lockDelivery(trx, endpoint.id, delivery_id))) return undefined;
    await restart(trx, [delivery_id], deps.clock.now());
    await announceDue(trx);
    return findDelivery(trx, endpoint, delivery_id);
  });
}
