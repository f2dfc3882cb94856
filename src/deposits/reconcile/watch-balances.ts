/**
 * Looks at the balances of all wallets in turns. A change on the ledger that the service has missed makes no row, so that the wallet
 * would not be compared before its turn, up to ten minutes later. A look writes nothing, so it may be made more often.
 */
import type { Deps } from '../../deps.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import type { Balances } from '../../stellar/stellar.ts';
import { assetOf, issuedAssetsIn } from './books-store.ts';
import { type LastBalance, nextBalances, type WalletAccount } from './reconcile-store.ts';

/** As many accounts as one request to Stellar RPC can hold. */
const WALLETS_AT_ONCE = 200;
/** A turn takes so long at least, and a step of the loop for each WALLETS_AT_ONCE. */
const TURN_MS = 30_000;

/**
 * Returns a function that looks at the next wallets. It returns those, last compared before `soon`, that have another balance than at
 * that comparison. It returns no wallet while no Stellar RPC answers: Horizon would be asked for each wallet by itself.
 */
export function createBalanceWatch({
  db,
  stellar,
  clock,
}: Pick<Deps, 'db' | 'stellar' | 'clock'>): (soon: Date) => Promise<WalletAccount[]> {
  let after_id = '';
  let began_ms = Number.NEGATIVE_INFINITY;
  return async (soon) => {
    const now_ms = clock.now().getTime();
    if (!stellar.readsContracts) return [];
    if (after_id === '') {
      if (Math.abs(now_ms - began_ms) < TURN_MS) return [];
      began_ms = now_ms;
    }
    const { last_id, compared } = await nextBalances(db, { after_id, soon, limit: WALLETS_AT_ONCE });
    after_id = last_id ?? '';
    return movedOf(
      stellar,
      Map.groupBy(compared, ({ account }) => account),
    );
  };
}

async function movedOf(
  stellar: Deps['stellar'],
  byAccount: Map<string, LastBalance[]>,
): Promise<WalletAccount[]> {
  if (byAccount.size === 0) return [];
  const holders = [...byAccount].map(([account, rows]) => ({ account, assets: issuedAssetsIn(rows) }));
  try {
    const balances = await stellar.readBalancesByRpc(holders);
    const moved = [...byAccount].filter(([account, rows]) => hasMoved(rows, balances.get(account)));
    return moved.flatMap(([account, [row]]) => (row ? [{ id: row.id, account }] : []));
  } catch (error) {
    if (error instanceof NetworkUnavailable) return []; // they are looked at again, and compared in their turn
    throw error;
  }
}

function hasMoved(rows: LastBalance[], balances: Balances | undefined): boolean {
  return rows.some((row) => {
    const asset = assetOf(row);
    const now_stroops = asset === 'native:' ? balances?.native : balances?.issued.get(asset);
    return (now_stroops ?? 0n) !== row.balance_stroops;
  });
}
