/** Compares every wallet's books with the ledger, for ever: soon when money has moved, the others slowly. */
import { createLeadership } from '../../db/leadership.ts';
import type { Deps } from '../../deps.ts';
import { startLoop } from '../../lib/loop.ts';
import { reconcile } from './reconcile.ts';
import { ageSeconds, summarize, walletsDue } from './reconcile-store.ts';

/** Any fixed number that nothing else in the database uses. */
const RECONCILER_LOCK = 7_354_004;

/** As many accounts as one request to Stellar RPC takes. */
const WALLETS_AT_ONCE = 200;
/** A wallet that is paid in every ledger, or differs, is compared no more often. */
const SOON_MS = 30_000;
/** The search for what explains a difference begins where the books agreed last. */
const SLOW_MS = 600_000;
const IDLE_MS = 5_000;
/** After each step it rests for so many times as long as that took: it never has more than a third of what it needs. */
const REST = 2;

/** Does it while this process leads; the others wait to take over. */
export function startReconciler(deps: Deps): { stop(): Promise<void> } {
  const leadership = createLeadership(deps.pool, RECONCILER_LOCK, deps.log);
  let rest_ms = 0;
  const loop = startLoop({
    name: 'reconciler',
    step: async () => {
      const began_ms = deps.clock.now().getTime();
      let due = 0;
      try {
        if (await leadership.hold()) due = await reconcileDue(deps);
      } finally {
        await tell(deps); // that nothing can be compared is what the metric of the age is for
      }
      const took_ms = Math.max(deps.clock.now().getTime() - began_ms, 0);
      rest_ms = Math.max(REST * took_ms, due === WALLETS_AT_ONCE ? 0 : IDLE_MS);
      return false;
    },
    idle_ms: () => rest_ms,
    clock: deps.clock,
    log: deps.log,
  });
  return {
    async stop() {
      await loop.stop();
      await leadership.release();
    },
  };
}

async function tell({ db, metrics, clock }: Deps): Promise<void> {
  const summary = await summarize(db);
  metrics.wallets_different.set(Number(summary.different));
  metrics.reconciliation_age_seconds.set(ageSeconds(summary, clock.now()));
}

/** One step: the wallets whose turn it is. Gives how many that were. */
export async function reconcileDue(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const due = await walletsDue(deps.db, {
    now,
    soon: ago(SOON_MS),
    slow: ago(SLOW_MS),
    limit: WALLETS_AT_ONCE,
  });
  await reconcile(deps, due);
  return due.length;
}
