/**
 * Compares the books of all wallets with the ledger, for ever: the wallets that were compared longest ago first. Wallets
 * with new transactions, with another balance than at their comparison, or with a difference are compared more often.
 */
import { type Act, actAlone, createLeadership } from '../../db/leadership.ts';
import type { Deps } from '../../deps.ts';
import { startLoop } from '../../lib/loop.ts';
import { compareBooks } from './compare-books.ts';
import { COMPARED_SECONDS, latenessOf } from './lateness.ts';
import { ageSeconds, type Summary, summarize, walletsDue } from './reconcile-store.ts';
import { createBalanceWatch } from './watch-balances.ts';

/** The number of accounts in one request to Stellar RPC. */
const WALLETS_AT_ONCE = 200;
/** Shortest interval: for a wallet with new transactions or a difference. */
const SOON_MS = 30_000;
/** Longest interval. It limits the ledgers that the search for a difference must read. */
const SLOW_MS = COMPARED_SECONDS * 1000;
const IDLE_MS = 5_000;
/** After a step the loop rests REST times as long as the step took. So the loop never takes more than a third of the time. */
const REST = 2;

/** Reconciles for ever while this process is the leader. Other processes wait to take over. */
export function startReconcileLoop(deps: Deps): { stop(): Promise<void> } {
  const leadership = createLeadership(deps, 'reconciliation');
  const movedWallets = createBalanceWatch(deps);
  let rest_ms = 0;
  let late: string | null = null;
  const loop = startLoop({
    name: 'reconciler',
    step: async () => {
      const began_ms = deps.clock.now().getTime();
      let due = 0;
      try {
        const leads = await leadership.hold();
        deps.metrics.leads.set({ work: 'reconciliation' }, leads ? 1 : 0);
        if (leads) {
          due = await compareDueWallets(deps, leadership.act);
          await compareMovedWallets(deps, leadership.act, movedWallets);
        }
      } finally {
        // Also after an error: the metrics of the age show that nothing is compared.
        const summary = await updateMetrics(deps);
        const now_late = latenessOf(summary, deps.clock.now());
        if (now_late && !late) deps.log.error(`${now_late}: a new difference would not be seen`);
        late = now_late;
      }
      const took_ms = Math.max(deps.clock.now().getTime() - began_ms, 0);
      rest_ms = Math.max(REST * took_ms, due === WALLETS_AT_ONCE ? 0 : IDLE_MS);
      return false;
    },
    idle_ms: () => rest_ms,
    clock: deps.clock,
    log: deps.log,
    metrics: deps.metrics,
  });
  return {
    async stop() {
      await loop.stop();
      await leadership.release();
    },
  };
}

async function updateMetrics({ db, metrics, clock }: Deps): Promise<Summary> {
  const summary = await summarize(db);
  metrics.wallets_different.set(Number(summary.different));
  metrics.reconciliation_age_seconds.set(ageSeconds(summary.oldest, clock.now()));
  metrics.reconciliation_sum_age_seconds.set(ageSeconds(summary.oldest_sum, clock.now()));
  return summary;
}

/** Runs one step: compares the wallets that are due. Returns their number. */
export async function compareDueWallets(deps: Deps, act: Act = actAlone): Promise<number> {
  const now = deps.clock.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const due = await walletsDue(deps.db, {
    now,
    soon: ago(SOON_MS),
    slow: ago(SLOW_MS),
    limit: WALLETS_AT_ONCE,
  });
  await compareBooks(deps, due, { continued: true, act });
  return due.length;
}

/** Compares the wallets of which the ledger has another balance than at their last comparison, though nothing was recorded since. */
async function compareMovedWallets(
  deps: Deps,
  act: Act,
  movedWallets: ReturnType<typeof createBalanceWatch>,
): Promise<void> {
  const moved = await movedWallets(new Date(deps.clock.now().getTime() - SOON_MS));
  await compareBooks(deps, moved, { continued: true, act });
}
