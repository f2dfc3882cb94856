import type { Deps } from '../deps.ts';
import { DAY_MS } from '../lib/clock.ts';
import { startLoop } from '../lib/loop.ts';
import { createThrottle } from '../lib/throttle.ts';
import { AlertSender } from './alert-sender.ts';
import { deleteOldAlerts } from './alert-store.ts';
import { planAlerts } from './plan-alerts.ts';

const POLL_MS = 1_000;
const PRUNE_INTERVAL_MS = 3_600_000;
/** Longer than any schedule that is worth its alerts. Mails stay when no process has a mail server any more. */
const KEPT_MS = 7 * DAY_MS;

/** Makes and sends alerts until stopped. */
export function startAlerts(deps: Deps): { stop(): Promise<void> } {
  const sender = new AlertSender(deps, { on_room: () => loop.wake() });
  const pruneDue = createThrottle(deps.clock, PRUNE_INTERVAL_MS);
  const loop = startLoop({
    name: 'alerts',
    step: async () => {
      const planned = await planAlerts(deps);
      const claimed = await sender.step();
      if (pruneDue()) await giveUpOldAlerts(deps);
      return planned || claimed;
    },
    idle_ms: POLL_MS,
    clock: deps.clock,
    log: deps.log,
    metrics: deps.metrics,
  });
  return {
    async stop() {
      await loop.stop();
      await sender.stop();
    },
  };
}

/**
 * Deletes the alerts that were made more than seven days ago, and logs their number. So no alert waits for ever, whatever the
 * schedule and the mail server of a process.
 */
export async function giveUpOldAlerts({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Promise<void> {
  const given_up = await deleteOldAlerts(db, new Date(clock.now().getTime() - KEPT_MS));
  if (given_up > 0n) log.error({ alerts: Number(given_up) }, 'alerts were given up after seven days');
}
