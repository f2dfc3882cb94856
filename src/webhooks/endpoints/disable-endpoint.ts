import { audited, THE_SERVICE } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { createWalletAccess } from '../../wallets/access.ts';
import { enqueueEvents } from '../events/enqueue.ts';
import { disableFailing } from '../store/endpoint-health-store.ts';
import { showEndpoint } from './endpoint-schema.ts';

/**
 * Disables an endpoint that has only failed since before `if_since`, tells the wallet's other endpoints that chose
 * `endpoint.disabled`, and writes it in the audit log. Returns false when the endpoint has changed since.
 */
export async function disableEndpoint(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>,
  id: string,
  disabling: { if_since: Date; reason: string },
): Promise<boolean> {
  return audited(deps, THE_SERVICE, async (trx, note) => {
    const disabled = await disableFailing(trx, id, disabling);
    if (!disabled) return false;
    const { wallet_id, failing_since, disabled_reason } = disabled;
    const wallet = await createWalletAccess(trx)({ kind: 'api_key', wallet_id }, wallet_id);
    const about = `${id} ${failing_since?.toISOString()}`;
    const event = { wallet_id, type: 'endpoint.disabled' as const, about, deposit_id: null, except: id };
    await enqueueEvents(trx, [{ ...event, data: showEndpoint(disabled), now: deps.clock.now() }]);
    note({
      team_id: wallet.owner_id,
      wallet_id,
      action: 'endpoint.changed',
      target: { kind: 'webhook_endpoint', id },
      before: { enabled: true },
      after: { enabled: false, disabled_reason },
    });
    return true;
  });
}
