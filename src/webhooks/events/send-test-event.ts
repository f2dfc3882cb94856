import { strict as assert } from 'node:assert';
import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import type { SampleFor } from '../../http/test-samples.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { currentTraceparent } from '../../lib/log-context.ts';
import { lockEndpoint } from '../store/endpoint-store.ts';
import { nextSequences } from '../store/event-store.ts';
import type { TestEvent } from '../store/event-types.ts';
import { type Delivery, findDelivery } from '../store/read-deliveries.ts';
import { bodyOf, insertWithDeliveries } from './enqueue.ts';

/** What a test event of the type tells. */
export type SampleData = (type: TestEvent, of: SampleFor) => object;

type Sent = { type: TestEvent; data: (of: SampleFor) => object };

export const PING: Sent = {
  type: 'ping',
  data: ({ endpoint_id, at }) => ({ webhook_id: endpoint_id, created_at: at }),
};

/**
 * Queues a harmless event for one endpoint only, signed like a real one; undefined when there is no such endpoint. The
 * type is never that of a real event: a holder of the API key could make a receiver credit a deposit that does not exist. The
 * endpoint gets it whatever types it has chosen.
 * @throws AppError `endpoint_disabled`.
 */
export async function sendTestEvent(
  deps: Deps,
  by: OnWallet,
  endpoint_id: string,
  { type, data }: Sent,
): Promise<Delivery | undefined> {
  const wallet_id = by.wallet.id;
  const endpoint = { wallet_id, id: endpoint_id };
  const now = deps.clock.now();
  return auditedOnWallet(deps, by, async (trx, note) => {
    const locked = await lockEndpoint(trx, wallet_id, endpoint.id);
    if (!locked) return undefined;
    if (!locked.enabled)
      throw new AppError('endpoint_disabled', 'The webhook endpoint is disabled; enable it first.');
    const next = await nextSequences(trx, [wallet_id, endpoint.id]);
    const event_id = newId('evt', now);
    const id = newId('dlv', now);
    const body = bodyOf(type, data({ wallet_id, endpoint_id, at: now.toISOString() }));
    const sequence = next(wallet_id);
    const traceparent = currentTraceparent();
    const event = { id: event_id, wallet_id, sequence, type, deposit_id: null, body, traceparent };
    const delivery = { id, event_id, endpoint_id: endpoint.id, sequence: next(endpoint.id) };
    await insertWithDeliveries(trx, [{ ...event, created_at: now }], [{ ...delivery, created_at: now }]);
    const queued = await findDelivery(trx, endpoint, id);
    assert(queued);
    note({
      action: 'endpoint.tested',
      target: { kind: 'webhook_endpoint', id: endpoint_id },
      after: { type },
      made: { kind: 'webhook_delivery', id },
    });
    return queued;
  });
}
