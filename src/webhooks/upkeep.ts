/** Regular upkeep beside a deliverer: deletes what has expired, and counts disabled endpoints for the metrics. */
import type { Deps } from '../deps.ts';
import { DAY_MS } from '../lib/clock.ts';
import { startLoop } from '../lib/loop.ts';
import { pruneAttempts } from './delivery/delivery-store.ts';
import { countDisabled } from './endpoints/count-endpoints.ts';
import { deleteExpiredSecrets } from './endpoints/endpoint-store.ts';
import { giveUpBatch } from './endpoints/endpoints.ts';

const INTERVAL_MS = 60_000;
const BATCH = 500;

export function startUpkeep(deps: Deps): { stop(): Promise<void> } {
  return startLoop({
    name: 'webhook upkeep',
    step: async () => {
      const disabled = await countDisabled(deps.db);
      deps.metrics.webhook_endpoints_disabled.set({ by: 'failures' }, Number(disabled.by_failures));
      deps.metrics.webhook_endpoints_disabled.set({ by: 'owner' }, Number(disabled.by_owner));
      await deleteExpiredSecrets(deps.db, deps.clock.now());
      const [given_up, pruned] = [await giveUpBatch(deps), await pruneLog(deps)];
      return given_up || pruned;
    },
    idle_ms: INTERVAL_MS,
    clock: deps.clock,
    log: deps.log,
    metrics: deps.metrics,
  });
}

/**
 * Deletes one batch of attempts whose delivery was acknowledged more than WEBHOOK_LOG_DAYS ago; true when there may be
 * more. Processes that do it at once take different batches.
 */
export async function pruneLog(deps: Deps): Promise<boolean> {
  const settled_before = new Date(deps.clock.now().getTime() - deps.config.webhook_log_days * DAY_MS);
  return (await pruneAttempts(deps.db, settled_before, BATCH)) === BATCH;
}
