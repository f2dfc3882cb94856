/** Gives a wallet's last comparison to integrations, or makes a new one when the last one is old. */
import type { Deps } from '../../deps.ts';
import { batched } from '../../lib/batch.ts';
import { AppError } from '../../lib/errors.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import { compareBooks } from './compare-books.ts';
import { lastComparisons, type Reconciliation, type WalletAccount } from './reconcile-store.ts';

/** An older comparison is made again when it is asked for. */
const FRESH_MS = 60_000;
const JOINED_MAX = 100;

/**
 * Returns a function that reads the wallet's comparison, and makes a new one if it is older than FRESH_MS. Concurrent calls share one
 * comparison. The function throws an AppError (503) when no comparison exists and none can be made.
 */
export function createFreshReconciliation(deps: Deps): (wallet: WalletAccount) => Promise<Reconciliation[]> {
  const compare = batched<WalletAccount, Reconciliation[] | undefined>({
    max: JOINED_MAX,
    async run(asked) {
      const wallets = new Map(asked.map((wallet) => [wallet.id, wallet]));
      const compared = await compareBooks(deps, [...wallets.values()], { continued: true });
      return asked.map(({ id }) => compared.get(id));
    },
  });
  return async (wallet) => {
    const last = await lastComparisons(deps.db, [wallet.id]);
    const age_ms = deps.clock.now().getTime() - (last[0]?.checked_at.getTime() ?? 0);
    if (last.length > 0 && Math.abs(age_ms) < FRESH_MS) return last;
    try {
      const compared = await compare(wallet);
      if (compared) return compared;
    } catch (error) {
      if (!(error instanceof NetworkUnavailable) || last.length === 0) throw error;
    }
    const newest = await lastComparisons(deps.db, [wallet.id]); // perhaps one of another process, at a later ledger
    if (newest.length > 0) return newest;
    throw new AppError(
      'ledger_not_caught_up',
      'The ledgers are not read far enough to compare the books yet.',
      {
        retry_after_seconds: 5,
      },
    );
  };
}
