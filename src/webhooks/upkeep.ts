/** Regular upkeep beside a deliverer: deletes what has expired, and counts disabled endpoints for the metrics. */
import type { Deps } from '../deps.ts';
import { DAY_MS } from '../lib/clock.ts';
import { startLoop } from '../lib/loop.ts';
import { countUnreached } from './endpoints/count-endpoints.ts';
import { giveUpBatch } from './endpoints/endpoints.ts';
import { pruneAttempts } from './store/delivery-store.ts';
import { deleteExpiredSecrets } from './store/endpoint-store.ts';

const INTERVAL_MS = 60_000;
/** A receiver that restarts is no endpoint that fails. */
const FAILING_MS = 300_000;
const BATCH = 500;

export function startUpkeep(deps: Deps): { stop(): Promise<void> } {
  return startLoop({
    name: 'webhook upkeep',
    step: async () => {
      await countForMetrics(deps);
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

/** Sets the gauges of endpoints that are disabled, and of those that fail. */
export async function countForMetrics({ db, clock, metrics }: Deps): Promise<void> {
  const failing_since = new Date(clock.now().getTime() - FAILING_MS);
  const { by_failures, by_owner, failing } = await countUnreached(db, failing_since);
  metrics.webhook_endpoints_disabled.set({ by: 'failures' }, by_failures);
  metrics.webhook_endpoints_disabled.set({ by: 'owner' }, by_owner);
  metrics.webhook_endpoints_failing.set(failing);
}

/**
 * Deletes one batch of attempts whose delivery was acknowledged more than WEBHOOK_LOG_DAYS ago; true when there may be
 * more. Processes that do it at once take different batches.
 */
export async function pruneLog(deps: Deps): Promise<boolean> {
  const settled_before = new Date(deps.clock.now().getTime() - deps.config.webhook_log_days * DAY_MS);
  return (await pruneAttempts(deps.db, settled_before, BATCH)) === BATCH;
}
