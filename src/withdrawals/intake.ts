/**
 * The database's side of accepting withdrawals, for many callers at once: what concurrent requests ask becomes one
 * statement or one transaction, and each gets its own answer.
 */
import type { Deps } from '../deps.ts';
import { batched } from '../lib/batch.ts';
import { insertOwnLanes } from './lane-store.ts';
import { type Claim, findByKeys, findWithdrawals, insertClaims, type Withdrawal } from './store.ts';

export type Order = Claim & { wallet_account: string };

export type Intake = {
  /** The withdrawal that has the owner's key. */
  findByKey(key: Key): Promise<Withdrawal | undefined>;
  find(id: string): Promise<Withdrawal | undefined>;
  /**
   * Takes the Idempotency-Key for this withdrawal, for ever; another id in the answer is that of the withdrawal which
   * has it. Safe to repeat with the same id after an error that left open whether it took effect.
   */
  claim(order: Order): Promise<Withdrawal>;
};

type Key = { owner_id: string; idempotency_key: string };

const MOST_AT_ONCE = 200;
/** Two transactions at a time: while one waits for the disk, the next is being filled and sent. */
const PARALLEL = 2;

export function createIntake(deps: Pick<Deps, 'db' | 'clock'>): Intake {
  const options = { max: MOST_AT_ONCE, parallel: PARALLEL };
  return {
    findByKey: batched({
      ...options,
      run: async (keys) => byKey(keys, await findByKeys(deps.db, keys)),
    }),
    find: batched({
      ...options,
      run: async (ids) => {
        const found = await findWithdrawals(deps.db, ids);
        return ids.map((id) => found.get(id));
      },
    }),
    claim: batched({ ...options, run: (orders: Order[]) => claimAll(deps, orders) }),
  };
}

/** One transaction: lanes of wallets that withdraw for the first time, then the keys. */
async function claimAll(deps: Pick<Deps, 'db' | 'clock'>, orders: Order[]): Promise<Withdrawal[]> {
  return deps.db.transaction().execute(async (trx) => {
    // In one order everywhere: two transactions that insert the same rows crosswise would wait for each other for ever.
    const sorted = orders.toSorted((a, b) => compare(keyOf(a), keyOf(b)));
    await insertOwnLanes(trx, [...new Set(orders.map(({ wallet_account }) => wallet_account))].sort());
    await insertClaims(
      trx,
      sorted.map(({ wallet_account: _, ...claim }) => claim),
      deps.clock.now(),
    );
    const holders = byKey(orders, await findByKeys(trx, orders));
    return holders.map((holder, index) => {
      if (!holder) throw new Error(`the key of ${orders[index]?.id} is neither free nor taken`);
      return holder;
    });
  });
}

function byKey(keys: Key[], found: Withdrawal[]): (Withdrawal | undefined)[] {
  const holders = new Map(found.map((withdrawal) => [keyOf(withdrawal), withdrawal]));
  return keys.map((key) => holders.get(keyOf(key)));
}

/** Ids hold no space, so no two keys look alike. */
function keyOf({ owner_id, idempotency_key }: Key): string {
  return `${owner_id} ${idempotency_key}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
