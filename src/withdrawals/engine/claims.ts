/**
 * The database's side of accepting withdrawals, for many callers at once: what concurrent requests ask becomes one
 * statement or one transaction, and each gets its own answer.
 */
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { batched } from '../../lib/batch.ts';
import type { PolicyViolation } from '../policies/policies.ts';
import { checkPolicies } from '../policies/policy-check.ts';
import { checkRefunds, type RefundViolation } from '../refunds/refund-check.ts';
import { findByKeys, findWithdrawals } from './queries.ts';
import { type Claim, insertClaims, undoClaims, type Withdrawal } from './store.ts';
import { insertWalletSources } from './tx-source-store.ts';

export type Order = Claim & { wallet_account: string };

export type Claims = {
  /** The withdrawal that has the owner's key. */
  findByKey(key: Key): Promise<Withdrawal | undefined>;
  find(id: string): Promise<Withdrawal | undefined>;
  /**
   * Takes the Idempotency-Key for this withdrawal, for ever; another id in the answer is that of the withdrawal which
   * has it. With a violation of the wallet's policy, or of what a refund may do, the key stays free. Safe to repeat with the same id after an error
   * that left open whether it took effect: what was accepted is not judged again.
   */
  claim(order: Order): Promise<Claimed>;
};

export type Claimed =
  | { holder: Withdrawal; violation: null }
  | { holder: null; violation: PolicyViolation | RefundViolation };

type Key = { owner_id: string; idempotency_key: string };

const MOST_AT_ONCE = 200;
/** Two transactions at a time: while one waits for the disk, the next is being filled and sent. */
const PARALLEL = 2;

export function createClaims(deps: Pick<Deps, 'db' | 'clock'>): Claims {
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

/**
 * One transaction: the deposits that are refunded, transaction sources of wallets that withdraw for the first time, then the keys, then
 * the policies: locks are taken in that order. The key comes first, so that a key already used never hears of a policy.
 */
async function claimAll(deps: Pick<Deps, 'db' | 'clock'>, orders: Order[]): Promise<Claimed[]> {
  return deps.db.transaction().execute(async (trx) => {
    const refused = await checkRefunds(trx, orders);
    await insertWalletSources(trx, [...new Set(orders.map(({ wallet_account }) => wallet_account))].sort());
    const answers = new Map<Order, Claimed>();
    for (const order of orders) {
      const violation = refused.get(order.id);
      if (violation) answers.set(order, { holder: null, violation });
    }
    // One round, unless orders with the same key came together and the first of them was refused: then the next has it.
    const unanswered = () => orders.filter((order) => !answers.has(order));
    for (let open = unanswered(); open.length > 0; open = unanswered()) {
      for (const [order, answer] of await claimRound(trx, open, deps.clock.now())) answers.set(order, answer);
    }
    return orders.map((order) => answers.get(order) as Claimed);
  });
}

/** Answers all but those whose key another of them had and has lost again. */
async function claimRound(trx: Trx, orders: Order[], now: Date): Promise<Map<Order, Claimed>> {
  // In one order everywhere: two transactions that insert the same rows crosswise would wait for each other for ever.
  const sorted = orders.toSorted((a, b) => compare(keyOf(a), keyOf(b)));
  const claims = sorted.map(({ wallet_account: _, ...claim }) => claim);
  const inserted = await insertClaims(trx, claims, now);
  const claimed = orders.filter(({ id }) => inserted.has(id));
  const verdicts = await checkPolicies(trx, claimed, now);
  const answers = new Map<Order, Claimed>();
  for (const [index, order] of claimed.entries()) {
    const violation = verdicts[index];
    if (violation) answers.set(order, { holder: null, violation });
  }
  if (answers.size > 0)
    await undoClaims(
      trx,
      [...answers.keys()].map(({ id }) => id),
    );
  const holders = byKey(orders, await findByKeys(trx, orders));
  for (const [index, order] of orders.entries()) {
    const holder = holders[index];
    if (holder && !answers.has(order)) answers.set(order, { holder, violation: null });
  }
  return answers;
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
