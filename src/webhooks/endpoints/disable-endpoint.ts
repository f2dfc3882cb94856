import type { Deps } from '../../deps.ts';
import { enqueueEvents } from '../enqueue.ts';
import { showEndpoint } from './endpoint-schema.ts';
import { disableFailing } from './endpoint-store.ts';

/**
 * Disables an endpoint that has only failed since before `if_since`, and tells the wallet's other endpoints that chose
 * `endpoint.disabled`. False when it has changed meanwhile.
 */
export async function disableEndpoint(
  deps: Pick<Deps, 'db' | 'clock'>,
  id: string,
  disabling: { if_since: Date; reason: string },
): Promise<boolean> {
  return deps.db.transaction().execute(async (trx) => {
    const disabled = await disableFailing(trx, id, disabling);
    if (!disabled) return false;
    const { wallet_id, failing_since } = disabled;
    const about = `${id} ${failing_since?.toISOString()}`;
    const event = { wallet_id, type: 'endpoint.disabled' as const, about, deposit_id: null, except: id };
    await enqueueEvents(trx, [{ ...event, data: showEndpoint(disabled), now: deps.clock.now() }]);
    return true;
  });
}
