/**
 * Claims Idempotency-Keys for withdrawals. Concurrent requests share a statement or a transaction, and each gets its own
 * answer.
 */
import { expiryOf } from '../../approvals/approval.ts';
import type { Trx } from '../../db/database.ts';
import { isReferenceGone } from '../../db/failures.ts';
import { batched } from '../../lib/batch.ts';
import { currentTraceparent, type LogContext, logContext } from '../../lib/log-context.ts';
import { countAwaiting, type HeldClaim, holdClaims } from './awaiting-store.ts';
import { checkDuplicates } from './forgotten-payments.ts';
import type { ClaimOrder, EngineDeps, PolicyVerdict, Violation } from './hooks.ts';
import { orderHash } from './order-hash.ts';
import { findByKeys, findWithdrawals } from './queries.ts';
import { insertClaims, undoClaims, type Withdrawal } from './store.ts';
import { insertWalletSources } from './tx-source-store.ts';

/** The policy asks for more approvals than the payout of an order has. Nothing is claimed. */
export class NotCovered extends Error {}

export type Claims = {
  /** Finds the withdrawal that has this key of the owner. */
  findByKey(key: OwnerKey): Promise<Withdrawal | undefined>;
  find(id: string): Promise<Withdrawal | undefined>;
  /**
   * Takes the Idempotency-Key for this withdrawal, for ever. `holder` is the withdrawal that has the key; its id may be
   * another one. After a `violation` (of the wallet's policy, of the rules of refunds, of the team's budget, or because a
   * payment may be forgotten) the key stays free. Safe to repeat with the same id after a lost commit: a withdrawal that was
   * accepted is not checked again.
   */
  claim(order: ClaimOrder): Promise<Claimed>;
};

export type Claimed = { holder: Withdrawal; violation: null } | { holder: null; violation: Violation };

/** More than members decide about. The policy of the wallet is locked, so that of two at once one is counted by the other. */
const MOST_AWAITING = 1_000;
const TOO_MANY: Violation = {
  code: 'too_many_waiting',
  message: `${MOST_AWAITING} withdrawals of this wallet await approvals. Decide about those first.`,
};

/** A restored copy of the database lacks the wallet, which the request has read before it took the database's place. */
const NO_WALLET: Violation = { code: 'not_found', message: 'There is no such wallet.' };

type OwnerKey = { owner_id: string; idempotency_key: string };

/**
 * Claims share transactions because 200 claims at once then take 0.08 s of time and 0.014 s of CPU, and 1.2 s and 0.46
 * s with a transaction each (`npm run bench -- claims`, docs/benchmarks.md).
 */
const MOST_AT_ONCE = 200;
/** Two transactions at a time: while one waits for the disk, the next is being filled and sent. */
const PARALLEL = 2;

type ClaimDeps = Pick<EngineDeps, 'db' | 'clock' | 'config' | 'log' | 'metrics' | 'hooks'>;
/** `context`: of the request, whose log lines have it. */
type Asked = { order: ClaimOrder; context: LogContext | undefined };

export function createClaims(deps: ClaimDeps): Claims {
  const options = { max: MOST_AT_ONCE, parallel: PARALLEL };
  const claim = batched({ ...options, run: (asked: Asked[]) => claimAll(deps, asked) });
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
    claim: (order) =>
      claim({ order: { traceparent: currentTraceparent(), ...order }, context: logContext() }),
  };
}

async function claimAll(deps: ClaimDeps, asked: Asked[]): Promise<Claimed[]> {
  try {
    return await claimTogether(deps, asked);
  } catch (error) {
    if (!isWithoutWallet(error)) throw error;
    if (asked.length === 1) return [{ holder: null, violation: NO_WALLET }];
    const answers: Claimed[] = [];
    // Each alone: the requests of other wallets must not fail with it.
    for (const one of asked) answers.push(...(await claimAll(deps, [one])));
    return answers;
  }
}

function isWithoutWallet(error: unknown): boolean {
  const { constraint } = error as { constraint?: string };
  return isReferenceGone(error) && constraint === 'withdrawals_wallet_id_fkey';
}

async function claimTogether(deps: ClaimDeps, asked: Asked[]): Promise<Claimed[]> {
  const orders = asked.map(({ order }) => order);
  const contexts = new Map(asked.map(({ order, context }) => [order.id, context]));
  const { claimed, writeLog } = await deps.db.transaction().execute(async (trx) => {
    const { claimed, made, held } = await claimWithin(trx, deps, orders);
    return { claimed, writeLog: await deps.hooks.appendClaims(trx, deps, { made, held, contexts }) };
  });
  writeLog();
  return claimed;
}

/**
 * Claims in a transaction of the caller, which must append the entries of the audit log for `made` as its last statement.
 * `made`: the new rows; `held`: those of them that await approvals. Its locks, in this order everywhere:
 * payouts, refunded deposits, transaction sources of wallets that withdraw for the first time, keys, policies, budgets of
 * teams, those of events, heads of the audit log. Keys come before policies, so a key that is taken already is never checked by a policy. @throws NotCovered
 */
export async function claimWithin(
  trx: Trx,
  deps: Pick<ClaimDeps, 'clock' | 'config' | 'hooks'>,
  orders: ClaimOrder[],
): Promise<{ claimed: Claimed[]; made: ClaimOrder[]; held: ClaimOrder[] }> {
  const refused = await deps.hooks.checks.refunds(trx, orders);
  await insertWalletSources(trx, [...new Set(orders.map(({ wallet_account }) => wallet_account))].sort());
  const answers = new Map<ClaimOrder, Claimed>();
  const made: ClaimOrder[] = [];
  const held: ClaimOrder[] = [];
  for (const order of orders) {
    const violation = refused.get(order.id);
    if (violation) answers.set(order, { holder: null, violation });
  }
  // Usually one round. A second round is needed when several orders have one key and the first is refused: then the
  // next order takes the key.
  const unanswered = () => orders.filter((order) => !answers.has(order));
  for (let open = unanswered(); open.length > 0; open = unanswered()) {
    const round = await claimRound(trx, deps, open);
    for (const [order, answer] of round.answers) answers.set(order, answer);
    made.push(...round.made);
    held.push(...round.held);
  }
  return { claimed: orders.map((order) => answers.get(order) as Claimed), made, held };
}

/**
 * Answers the orders, except those whose key another order of the same round took and then lost. `made`: the new rows. `held`:
 * those of them that await approvals.
 */
async function claimRound(
  trx: Trx,
  { clock, config, hooks }: Pick<ClaimDeps, 'clock' | 'config' | 'hooks'>,
  orders: ClaimOrder[],
): Promise<{ answers: Map<ClaimOrder, Claimed>; made: ClaimOrder[]; held: ClaimOrder[] }> {
  const now = clock.now();
  // Sorted: two transactions that insert the same keys in different orders would be a deadlock.
  const sorted = orders.toSorted((a, b) => compare(keyOf(a), keyOf(b)));
  const claims = sorted.map(({ wallet_account: _, actor, ...claim }) => ({
    ...claim,
    requested_by: claim.requested_by ?? actor.id,
  }));
  const inserted = await insertClaims(trx, claims, now);
  const claimed = orders.filter(({ id }) => inserted.has(id));
  const duplicates = await checkDuplicates(trx, config.passphrase, claimed);
  // Of all orders in the first round: a second round that locks more, in no order with others, would be a deadlock.
  const wallet_ids = orders.map(({ wallet_id }) => wallet_id);
  const verdicts = await hooks.checks.policies(trx, claimed, now, wallet_ids);
  const allowed = claimed.filter((_, index) => !duplicates[index] && !verdicts[index]?.violation);
  const paid_for = orders.filter(({ treasury_stroops }) => treasury_stroops);
  const team_ids = paid_for.map(({ owner_id }) => owner_id); // of all orders, for the same reason
  const over_budget = await hooks.checks.treasuryBudgets(trx, config, allowed, now, team_ids);
  const of_budget = new Map(allowed.map((order, index) => [order, over_budget[index]]));
  const answers = new Map<ClaimOrder, Claimed>();
  const held: HeldClaim[] = [];
  const required = claimed.map((order, index) => approvalsToWaitFor(order, verdicts[index]));
  const asking = claimed.filter((_, index) => (required[index] ?? 0) > 0);
  const awaiting = await countAwaiting(
    trx,
    asking.map(({ wallet_id }) => wallet_id),
  );
  for (const [index, order] of claimed.entries()) {
    const violation = duplicates[index] ?? verdicts[index]?.violation ?? of_budget.get(order) ?? null;
    const approvals_required = required[index] ?? 0;
    if (violation) answers.set(order, { holder: null, violation });
    else if (approvals_required > 0) {
      const before = awaiting.get(order.wallet_id) ?? 0;
      awaiting.set(order.wallet_id, before + 1);
      const { approvals_cause = null } = verdicts[index] ?? {};
      if (before < MOST_AWAITING)
        held.push(heldClaim(config.passphrase, order, { approvals_required, approvals_cause }));
      else answers.set(order, { holder: null, violation: TOO_MANY });
    }
  }
  if (held.length > 0) await holdClaims(trx, held);
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
  const made = claimed.filter((order) => answers.get(order)?.violation === null);
  const held_ids = new Set(held.map(({ id }) => id));
  return { answers, made, held: made.filter(({ id }) => held_ids.has(id)) };
}

/** Returns how many approvals an order awaits. A payout was approved as a whole, before. @throws NotCovered */
function approvalsToWaitFor({ payout_id, approvals_required }: ClaimOrder, verdict?: PolicyVerdict): number {
  const asked = verdict?.approvals_required ?? 0;
  if (!payout_id) return asked;
  if (verdict?.violation === null && asked > (approvals_required ?? 0)) throw new NotCovered(payout_id);
  return 0;
}

function heldClaim(
  passphrase: string,
  order: ClaimOrder,
  needed: Pick<HeldClaim, 'approvals_required' | 'approvals_cause'>,
): HeldClaim {
  const expires_at = expiryOf(order.created_at);
  const approved = { ...order, requested_by: order.actor.id, approval_expires_at: expires_at };
  return { id: order.id, ...needed, order_hash: orderHash(passphrase, approved), expires_at };
}

function byKey(keys: OwnerKey[], found: Withdrawal[]): (Withdrawal | undefined)[] {
  const holders = new Map(found.map((withdrawal) => [keyOf(withdrawal), withdrawal]));
  return keys.map((key) => holders.get(keyOf(key)));
}

/** Joins both parts of a key. Ids contain no space, so two keys never have the same text. */
function keyOf({ owner_id, idempotency_key }: OwnerKey): string {
  return `${owner_id} ${idempotency_key}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
