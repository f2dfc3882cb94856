/** What a deliverer's process does from time to time: what is over goes, and who is disabled is shown. */
import type { Deps } from '../../deps.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { startLoop } from '../../lib/loop.ts';
import { countDisabled, eraseOldSecrets } from '../endpoints/endpoint-store.ts';
import { giveUpBatch } from '../endpoints/endpoints.ts';
import { pruneAttempts } from './delivery-batches.ts';

const EVERY_MS = 60_000;
const BATCH = 500;

export function startUpkeep(deps: Deps): { stop(): Promise<void> } {
  return startLoop({
    name: 'webhook upkeep',
    step: async () => {
      const disabled = await countDisabled(deps.db);
      deps.metrics.webhook_endpoints_disabled.set({ by: 'failures' }, Number(disabled.by_failures));
      deps.metrics.webhook_endpoints_disabled.set({ by: 'owner' }, Number(disabled.by_owner));
      await eraseOldSecrets(deps.db, deps.clock.now());
      const [given_up, pruned] = [await giveUpBatch(deps), await pruneLog(deps)];
      return given_up || pruned;
    },
    idle_ms: EVERY_MS,
    clock: deps.clock,
    log: deps.log,
  });
}

/**
 * Takes one batch of attempts whose delivery was acknowledged more than WEBHOOK_LOG_DAYS ago; true when there may be
 * more. Any number of processes may do it at once: each takes others.
 */
export async function pruneLog(deps: Deps): Promise<boolean> {
  const settled_before = new Date(deps.clock.now().getTime() - deps.config.webhook_log_days * DAY_MS);
  return (await pruneAttempts(deps.db, settled_before, BATCH)) === BATCH;
}
