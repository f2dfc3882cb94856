/**
 * Claims Idempotency-Keys for withdrawals. Concurrent requests share a statement or a transaction, and each gets its own
 * answer.
 */
import { type Actor, appendDeeds, type Deed, logEntries } from '../../audit/audit.ts';
import { expiryOf } from '../../auth/approvals/approval.ts';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { batched } from '../../lib/batch.ts';
import { orderHash } from '../approvals/order-hash.ts';
import { checkPolicies } from '../policies/policy-check.ts';
import type { PolicyViolation } from '../policies/policy-rules.ts';
import { checkRefunds, type RefundViolation } from '../refunds/refund-check.ts';
import { tellAwaiting } from '../withdrawal-events.ts';
import { countAwaiting, type HeldClaim, holdClaims } from './awaiting-store.ts';
import { checkDuplicates, type DuplicateViolation } from './forgotten-payments.ts';
import { findByKeys, findWithdrawals } from './queries.ts';
import { insertClaims, type NewWithdrawal, undoClaims, type Withdrawal } from './store.ts';
import { insertWalletSources } from './tx-source-store.ts';

/** `actor`: who asks for it. */
export type ClaimOrder = NewWithdrawal & { wallet_account: string; actor: Actor };

export type Claims = {
  /** The withdrawal that has this key of the owner. */
  findByKey(key: OwnerKey): Promise<Withdrawal | undefined>;
  find(id: string): Promise<Withdrawal | undefined>;
  /**
   * Takes the Idempotency-Key for this withdrawal, for ever. `holder` is the withdrawal that has the key; its id may be
   * another one. After a `violation` (of the wallet's policy, of the rules of refunds, or because a
   * payment may be forgotten) the key stays free. Safe to
   * repeat with the same id after a lost commit: a withdrawal that was accepted is not checked again.
   */
  claim(order: ClaimOrder): Promise<Claimed>;
};

export type Claimed =
  | { holder: Withdrawal; violation: null }
  | { holder: null; violation: PolicyViolation | RefundViolation | DuplicateViolation | TooManyAwait };

/** More than members decide about. The policy of the wallet is locked, so that of two at once one is counted by the other. */
const MOST_AWAITING = 1_000;
type TooManyAwait = { code: 'too_many_waiting'; message: string; details?: never };
const TOO_MANY: TooManyAwait = {
  code: 'too_many_waiting',
  message: `${MOST_AWAITING} withdrawals of this wallet await approvals. Decide about those first.`,
};

type OwnerKey = { owner_id: string; idempotency_key: string };

/**
 * Claims share transactions because 200 claims at once then take 0.08 s of time and 0.014 s of CPU, and 1.2 s and 0.46
 * s with a transaction each (`npm run bench -- claims`, docs/benchmarks.md).
 */
const MOST_AT_ONCE = 200;
/** Two transactions at a time: while one waits for the disk, the next is being filled and sent. */
const PARALLEL = 2;

type ClaimDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log'>;

export function createClaims(deps: ClaimDeps): Claims {
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
    claim: batched({ ...options, run: (orders: ClaimOrder[]) => claimAll(deps, orders) }),
  };
}

/**
 * One transaction. Its locks, in this order everywhere: refunded deposits, transaction sources of wallets that withdraw for
 * the first time, keys, policies, those of events (webhooks/enqueue.ts), heads of the audit log. Keys come before policies, so
 * a key that is taken already is never checked by a policy.
 */
async function claimAll(deps: ClaimDeps, orders: ClaimOrder[]): Promise<Claimed[]> {
  const { claimed, entries } = await deps.db.transaction().execute(async (trx) => {
    const refused = await checkRefunds(trx, orders);
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
    await tellAwaiting(trx, held, deps.clock.now());
    const deeds = made.map((order) => ({ actor: order.actor, deed: deedOf(order) }));
    return {
      claimed: orders.map((order) => answers.get(order) as Claimed),
      entries: await appendDeeds(trx, deeds, deps.clock.now()),
    };
  });
  logEntries(deps, entries);
  return claimed;
}

const ACTION_OF = { add_trust_line: 'asset.added', remove_trust_line: 'asset.removed' } as const;

function deedOf({
  owner_id,
  wallet_id,
  id,
  operation,
  asset_code,
  asset_issuer,
  ...order
}: ClaimOrder): Deed {
  const deed = { team_id: owner_id, wallet_id, target: { kind: 'withdrawal', id } };
  const asset = { asset_code, asset_issuer };
  if (operation === 'add_trust_line' || operation === 'remove_trust_line')
    return { ...deed, action: ACTION_OF[operation], after: asset };
  const { amount_stroops, destination, memo_id, refund_of, idempotency_key } = order;
  const after = { ...asset, amount_stroops, destination, memo_id, refund_of, idempotency_key };
  return { ...deed, action: 'withdrawal.requested', after };
}

/**
 * Answers the orders, except those whose key another order of the same round took and then lost. `made`: the new rows. `held`:
 * those of them that await approvals.
 */
async function claimRound(
  trx: Trx,
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  orders: ClaimOrder[],
): Promise<{ answers: Map<ClaimOrder, Claimed>; made: ClaimOrder[]; held: ClaimOrder[] }> {
  const now = clock.now();
  // Sorted: two transactions that insert the same keys in different orders would be a deadlock.
  const sorted = orders.toSorted((a, b) => compare(keyOf(a), keyOf(b)));
  const claims = sorted.map(({ wallet_account: _, actor, ...claim }) => ({
    ...claim,
    requested_by: actor.id,
  }));
  const inserted = await insertClaims(trx, claims, now);
  const claimed = orders.filter(({ id }) => inserted.has(id));
  const duplicates = await checkDuplicates(trx, config.passphrase, claimed);
  // Of all orders in the first round: a second round that locks more, in no order with others, would be a deadlock.
  const wallet_ids = orders.map(({ wallet_id }) => wallet_id);
  const verdicts = await checkPolicies(trx, claimed, now, wallet_ids);
  const answers = new Map<ClaimOrder, Claimed>();
  const held: HeldClaim[] = [];
  const asking = claimed.filter((_, index) => (verdicts[index]?.approvals_required ?? 0) > 0);
  const awaiting = await countAwaiting(
    trx,
    asking.map(({ wallet_id }) => wallet_id),
  );
  for (const [index, order] of claimed.entries()) {
    const { violation: broken = null, approvals_required = 0 } = verdicts[index] ?? {};
    const violation = duplicates[index] ?? broken;
    if (violation) answers.set(order, { holder: null, violation });
    else if (approvals_required > 0) {
      const before = awaiting.get(order.wallet_id) ?? 0;
      awaiting.set(order.wallet_id, before + 1);
      if (before < MOST_AWAITING) held.push(heldClaim(config.passphrase, order, approvals_required));
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

function heldClaim(passphrase: string, order: ClaimOrder, approvals_required: number): HeldClaim {
  const expires_at = expiryOf(order.created_at);
  const approved = { ...order, requested_by: order.actor.id, approval_expires_at: expires_at };
  return { id: order.id, approvals_required, order_hash: orderHash(passphrase, approved), expires_at };
}

function byKey(keys: OwnerKey[], found: Withdrawal[]): (Withdrawal | undefined)[] {
  const holders = new Map(found.map((withdrawal) => [keyOf(withdrawal), withdrawal]));
  return keys.map((key) => holders.get(keyOf(key)));
}

/** Ids contain no space, so two keys never have the same text. */
function keyOf({ owner_id, idempotency_key }: OwnerKey): string {
  return `${owner_id} ${idempotency_key}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
