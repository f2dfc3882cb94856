/**
 * Pure: what contradicts "rows begin only while their payout runs, which members have approved where the policy asks for that; what
 * is cancelled never begins", in words. Everything is computed from what the database noted of each step, and the ledger.
 */
import { createHash } from 'node:crypto';
import {
  countOf,
  DAY_MS,
  decidedIn,
  isEligible,
  isTakenBack,
  mayBeDone,
  requiredBy,
  ruleAt,
} from './approval-checks.ts';
import type { Decided, PolicyThen } from './approval-evidence.ts';
import type { Evidence } from './evidence.ts';
import { firstKey } from './orders.ts';
import type { PayoutCall, PayoutClaim, PayoutRow, PayoutRowStep, PayoutStep } from './payout-evidence.ts';

/** From which status to which a payout may go. A decision that is not the last one changes none. */
const CHANGES: Record<string, string[]> = {
  draft: ['running', 'awaiting_approval', 'cancelled'],
  awaiting_approval: ['awaiting_approval', 'running', 'cancelled'],
  running: ['paused', 'completed', 'cancelled'],
  paused: ['running', 'completed', 'cancelled'],
};
const ROW_CHANGES: Record<string, string[]> = {
  waiting: ['pending', 'failed', 'cancelled'],
  pending: ['confirmed', 'failed'],
};

export function payoutHistoryViolations(evidence: Evidence): string[] {
  const { steps, row_steps, claims, calls } = evidence.payouts;
  return [
    ...steps.flatMap((step) => stepViolations(evidence, step)),
    ...row_steps.flatMap((step) => rowStepViolations(evidence, step)),
    ...claims.flatMap((claim) => claimViolations(evidence, claim)),
    ...hashViolations(evidence),
    ...calls.flatMap((call) => callViolations(evidence, call)),
  ];
}

const nameOf = ({ id, was, status }: PayoutStep) => `payout ${id} (${was} to ${status})`;

function stepViolations(evidence: Evidence, step: PayoutStep): string[] {
  const name = nameOf(step);
  if (step.was === null)
    return step.status === 'draft' ? madeViolations(evidence, step) : [`${name} was made so`];
  return [
    ...(CHANGES[step.was]?.includes(step.status) ? [] : [`${name} is no change that there is`]),
    ...(step.status === 'completed' && step.unsettled > 0
      ? [`${name} was completed with ${step.unsettled} rows that had not ended`]
      : []),
    ...decidedViolations(evidence, step),
    ...(step.status === 'awaiting_approval' && step.was === 'draft' ? heldViolations(step) : []),
    ...(step.status === 'running' && step.was !== 'paused' ? startViolations(step) : []),
  ];
}

/** A retry is made of a payout that has ended, all of whose rows have, and of rows that no other payout may pay by then. */
function madeViolations(
  { payouts: { steps, row_steps, rows }, restored }: Evidence,
  step: PayoutStep,
): string[] {
  if (step.retry_of === null || restored) return [];
  const name = `payout ${step.id}, the retry of ${step.retry_of},`;
  const before = steps.filter(({ id, at }) => id === step.retry_of && at < step.at).at(-1);
  const late = row_steps.filter(({ payout_id, at }) => payout_id === step.retry_of && at > step.at);
  const made = steps.filter(({ id, was, at }) => was === null && at < step.at && id !== step.retry_of);
  const own = new Set(
    rows.filter((row) => row.payout_id === step.id).map((row) => firstKey(row.idempotency_key)),
  );
  const others = rows.filter(
    (row) => own.has(firstKey(row.idempotency_key)) && made.some(({ id }) => id === row.payout_id),
  );
  const doubled = others.filter((row) => {
    const last = row_steps
      .filter(
        ({ payout_id, number, at }) => payout_id === row.payout_id && number === row.number && at < step.at,
      )
      .at(-1);
    return !last || !['failed', 'cancelled'].includes(last.status);
  });
  return [
    ...(before && ['completed', 'cancelled'].includes(before.status)
      ? []
      : [`${name} was made while that was ${before?.status}`]),
    ...late.map(({ number, status }) => `${name} was made before row ${number} of that was ${status}`),
    ...doubled.map(({ payout_id }) => `${name} pays what ${payout_id} pays too`),
  ];
}

function requiredByTotals(policy: Pick<PolicyThen, 'rule'>, { totals }: PayoutStep): number {
  return Math.max(0, ...totals.map((total) => requiredBy(policy.rule, total)));
}

/** A change may have come into force between the request and its record. */
function leastRequired({ rule, changes }: PolicyThen, step: PayoutStep): number {
  return Math.min(
    ...[rule, ...changes.map((change) => change.rule)].map((each) => requiredByTotals({ rule: each }, step)),
  );
}

function heldViolations(step: PayoutStep): string[] {
  const name = nameOf(step);
  const needed = leastRequired(step.policy, step);
  return [
    ...(step.expires_ms === step.created_ms + DAY_MS ? [] : [`${name} does not end after a day`]),
    ...(step.approvals_required >= needed
      ? []
      : [`${name} needs ${step.approvals_required} approvals, not ${needed}`]),
  ];
}

/** Finds a start without enough approvals, of a frozen wallet, or after a rejection. */
function startViolations(step: PayoutStep): string[] {
  const name = nameOf(step);
  const last = step.approvals.at(-1);
  const rule = last ? ruleAt(step.policy, Date.parse(last.at)) : null;
  const needed = last ? requiredByTotals({ rule }, step) : leastRequired(step.policy, step);
  const count = countOf(step, step.approvals, step.order_hash);
  return [
    ...(count >= needed ? [] : [`${name} was started with ${count} approvals, and needs ${needed}`]),
    ...(step.policy.frozen ? [`${name} was started while its wallet was frozen`] : []),
    ...(step.approvals.some(({ decision }) => decision === 'rejected')
      ? [`${name} was started, and rejected`]
      : []),
  ];
}

/** Each decision was made by a member who may decide, about this file, once, in time, and as the member said it. */
function decidedViolations(evidence: Evidence, step: PayoutStep): string[] {
  const name = nameOf(step);
  const order_hash = payoutHash(evidence, step, step.rows_hash);
  return decidedIn(step).flatMap((made) => {
    const what = `${name}: ${made.user_id} ${made.decision} it`;
    return [
      ...(step.was === 'awaiting_approval' ? [] : [`${what} when it did not await approvals`]),
      ...(made.user_id === step.requested_by && made.decision === 'approved'
        ? [`${what}, who has started it`]
        : []),
      ...(isEligible(step, made.user_id) || isTakenBack(step, made)
        ? []
        : [`${what}, who may not decide about it`]),
      ...(made.order_hash === order_hash ? [] : [`${what} by another hash than ${order_hash}`]),
      ...(step.expires_ms !== null && Date.parse(made.at) >= step.expires_ms
        ? [`${what} after its end`]
        : []),
      ...(step.had.some(({ user_id }) => user_id === made.user_id) ? [`${what} a second time`] : []),
      ...(isSaid(evidence, step, made) ? [] : [`${what}, and did not say so`]),
    ];
  });
}

const VERBS = { approved: 'approve', rejected: 'reject' };

function isSaid({ payouts: { calls } }: Evidence, step: PayoutStep, made: Decided): boolean {
  return calls.some(
    (call) =>
      call.payout_id === step.id &&
      call.asked_by === made.user_id &&
      call.verb === VERBS[made.decision] &&
      call.order_hash === made.order_hash &&
      mayBeDone(call.answer),
  );
}

function rowStepViolations({ restored }: Evidence, step: PayoutRowStep): string[] {
  const { was, status, payout_status } = step;
  const name = `row ${step.number} of payout ${step.payout_id} (${was} to ${status})`;
  if (was === null)
    return status === 'waiting' && payout_status === 'draft'
      ? []
      : [`${name} was made while that was ${payout_status}`];
  const isForgotten = restored && was === status;
  return [
    ...(ROW_CHANGES[was]?.includes(status) || isForgotten ? [] : [`${name} is no change that there is`]),
    ...(was === 'waiting' && status !== 'cancelled' && payout_status !== 'running'
      ? [`${name} began while its payout was ${payout_status}`]
      : []),
  ];
}

function claimViolations(
  { payouts: { steps, row_steps }, restored }: Evidence,
  claim: PayoutClaim,
): string[] {
  const { id, payout_id, payout_row, payout_status, at } = claim;
  const name = `withdrawal ${id} of row ${payout_row} of payout ${payout_id}`;
  const own = row_steps.filter((step) => step.payout_id === payout_id && step.number === payout_row);
  const started = steps
    .filter((step) => step.id === payout_id && step.status === 'running' && step.at < at)
    .at(-1);
  const needed = started ? leastRequired(claim.policy, started) : 0;
  const deciders = (decided: Decided[]) =>
    JSON.stringify(decided.map(({ user_id, decision, at: when }) => [user_id, decision, when]));
  return [
    ...(payout_status === 'running' ? [] : [`${name} BEGAN while the payout was ${payout_status}`]),
    ...(started ? [] : [`${name} BEGAN, and the payout was never started`]),
    ...(!restored && own.some((step) => step.status === 'cancelled')
      ? [`${name} BEGAN, and the row was cancelled`]
      : []),
    ...(own.some((step) => step.status === 'pending' && step.withdrawal_id === id)
      ? []
      : [`${name} was made, and the row does not say so`]),
    ...(claim.approvals_required >= needed
      ? []
      : [`${name} BEGAN with a payout of ${claim.approvals_required} approvals, and needs ${needed}`]),
    ...(claim.approvals_required === 0 || deciders(claim.approvals) === deciders(claim.payout_approvals)
      ? []
      : [`${name} does not have the approvals of the payout`]),
  ];
}

/** What was approved is the hash of the rows, with what the ledger shows of those that were paid in the place of what they say. */
function hashViolations(evidence: Evidence): string[] {
  const { payouts, rows } = evidence.payouts;
  return payouts.flatMap((payout) => {
    const name = `payout ${payout.id} (${payout.status})`;
    const own = rows.filter(({ payout_id }) => payout_id === payout.id);
    const { account } = evidence.wallets.find(({ id }) => id === payout.wallet_id) ?? { account: '' };
    const hashes = own.map((row) =>
      rowHash(evidence, { ...row, ...asPaid(evidence, row), wallet_id: payout.wallet_id, account }),
    );
    const found = sha256(hashes.join(''));
    const order_hash = payoutHash(evidence, payout, found);
    return [
      ...own
        .filter(({ row_hash }, index) => row_hash !== hashes[index])
        .map(({ number }) => `${name}: row ${number} is another one than its hash says`),
      ...(found === payout.rows_hash
        ? []
        : [`${name} pays the rows ${found}, its file was ${payout.rows_hash}`]),
      ...(payout.order_hash === null || payout.order_hash === order_hash
        ? []
        : [`${name} pays ${order_hash}, and ${payout.order_hash} was asked for`]),
      ...payout.approvals
        .filter((made) => made.order_hash !== order_hash)
        .map((made) => `${name} pays ${order_hash}, and ${made.user_id} ${made.decision} ${made.order_hash}`),
    ];
  });
}

type HashedRow = Pick<
  PayoutRow,
  'idempotency_key' | 'destination' | 'asset_code' | 'asset_issuer' | 'amount_stroops' | 'memo_id'
> & {
  wallet_id: string;
  account: string;
};

function asPaid({ rows, transactions }: Evidence, row: PayoutRow): Partial<HashedRow> {
  const withdrawal = rows.find(({ id }) => id === row.withdrawal_id);
  const paid = transactions.find(({ inner_hash }) => inner_hash === withdrawal?.inner_tx_hash);
  const [payment] = paid?.payments ?? [];
  if (!paid || !payment) return {};
  const [asset_code = '', asset_issuer = null] = payment.asset.split(':');
  const { destination_address: destination, amount_stroops, source } = payment;
  return { asset_code, asset_issuer, destination, amount_stroops, memo_id: paid.memo_id, account: source };
}

/** Computes the hash as docs/approvals.md and the code say, without the code. */
function rowHash({ approvals: { passphrase } }: Evidence, row: HashedRow): string {
  const memo = row.memo_id === null ? null : `${row.memo_id}`;
  const payee = [
    row.asset_code,
    row.asset_issuer,
    `${row.amount_stroops}`,
    row.destination,
    memo,
    row.idempotency_key,
  ];
  return sha256(JSON.stringify(['payout row 1', passphrase, row.wallet_id, row.account, ...payee]));
}

type HashedPayout = Pick<PayoutStep, 'id' | 'wallet_id' | 'row_count' | 'requested_by' | 'expires_ms'>;

function payoutHash(
  { approvals: { passphrase }, wallets }: Evidence,
  payout: HashedPayout,
  rows_hash: string,
): string {
  const { id, wallet_id, row_count, requested_by, expires_ms } = payout;
  const account = wallets.find((wallet) => wallet.id === wallet_id)?.account ?? '';
  const ends = expires_ms === null ? null : new Date(expires_ms).toISOString();
  return sha256(
    JSON.stringify([
      'payout 1',
      passphrase,
      wallet_id,
      account,
      id,
      row_count,
      rows_hash,
      requested_by,
      ends,
    ]),
  );
}

function sha256(words: string): string {
  return createHash('sha256').update(words).digest('hex');
}

/** The change that an answer of 200 tells. */
const DONE: Record<PayoutCall['verb'], (step: PayoutStep) => boolean> = {
  start: ({ was }) => was === 'draft',
  pause: ({ was, status }) => was === 'running' && status === 'paused',
  resume: ({ was, status }) => was === 'paused' && status === 'running',
  cancel: ({ status, reason_code }) => status === 'cancelled' && reason_code === 'cancelled',
  retry: ({ was, status }) => was === null && status === 'draft',
  approve: ({ was, status }) => was === 'awaiting_approval' && status !== 'cancelled',
  reject: ({ status, reason_code }) => status === 'cancelled' && reason_code === 'rejected',
};

/** What a member was told was so. */
function callViolations({ payouts: { steps, payouts }, restored }: Evidence, call: PayoutCall): string[] {
  const { payout_id, verb, answer, asked_by } = call;
  if (answer === null) return [];
  const name = `${verb} of payout ${payout_id}: ${answer.status} ${answer.code}`;
  if (answer.status === 500) return [`${name}: no answer for a member`];
  if (answer.status >= 300) return [];
  const id = verb === 'retry' ? answer.data?.id : payout_id;
  const made = steps.filter((step) => step.id === id && DONE[verb](step));
  const isDecided = made.some((step) => decidedIn(step).some(({ user_id }) => user_id === asked_by));
  const now = payouts.find((payout) => payout.id === id);
  const ends = verb === 'cancel' || verb === 'reject';
  return [
    ...(made.length > 0 ? [] : [`${name}, and it was not recorded`]),
    ...((verb === 'approve' || verb === 'reject') && !isDecided
      ? [`${name}, and the decision was not recorded`]
      : []),
    ...(!restored && ends && now?.status !== 'cancelled' ? [`${name}, and it is ${now?.status}`] : []),
  ];
}
