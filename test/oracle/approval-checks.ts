/**
 * Pure: what contradicts "paid only after enough other members approved exactly this, and never after a rejection or the end of
 * its time", in words. Everything here is computed from what the database noted of each step, what members were told, and the
 * ledger.
 */
import { createHash } from 'node:crypto';
import type {
  ApprovalRule,
  ApprovalStep,
  Asked,
  ChangeStep,
  Decided,
  PolicyThen,
} from './approval-evidence.ts';
import type { Answer, DecisionCall, Evidence, WithdrawalRow } from './evidence.ts';
import { type AppliedTransaction, refundIn } from './ledger.ts';
import { isNeverSigned } from './withdrawal-checks.ts';

const MAY_APPROVE = ['owner', 'admin', 'approver'];
export const DAY_MS = 86_400_000;
/** Each process looks every few seconds for what is over; then ledgers must be processed up to the newest. */
const ENDED_WITHIN_MS = 1_800_000;

type Histories = Map<string, ApprovalStep[]>;

export function approvalViolations(evidence: Evidence): string[] {
  const { steps, changes } = evidence.approvals;
  const histories: Histories = Map.groupBy(steps, ({ id }) => id);
  // A row of a payout has the approvals of its file: payout-approval-checks.ts.
  const single = steps.filter(({ payout_id }) => payout_id === null);
  return [
    ...single.flatMap((step) => decidedViolations(evidence, step)),
    ...[...Map.groupBy(single, ({ id }) => id).values()].flatMap((history) =>
      historyViolations(evidence, history),
    ),
    ...changes.flatMap(changeViolations),
    ...ledgerViolations(evidence),
    ...evidence.rows.flatMap((row) => rowViolations(evidence, row, histories.get(row.id) ?? [])),
    ...evidence.decisions.flatMap((call) => answerViolations(evidence, call, histories)),
    ...heldViolations(evidence, histories),
  ];
}

const nameOf = ({ id, was, status }: ApprovalStep) => `withdrawal ${id} (${was} to ${status})`;
const isHeld = ({ was, status }: ApprovalStep) => was === 'queued' && status === 'awaiting_approval';
const isSent = ({ was, status }: ApprovalStep) => was === 'awaiting_approval' && status === 'queued';
const isRefused = (step: ApprovalStep) => step.was === 'awaiting_approval' && isNeverSigned(step);

/** What was decided in this step. */
export function decidedIn({ had, approvals }: Pick<ApprovalStep, 'had' | 'approvals'>): Decided[] {
  return approvals.slice(had.length);
}

/** Each decision was made by a member who may decide, about this order, once, in time, and as the member said it. */
function decidedViolations(evidence: Evidence, step: ApprovalStep): string[] {
  const { passphrase } = evidence.approvals;
  const name = nameOf(step);
  const order_hash = hashOf(passphrase, { ...step, account: accountOf(evidence, step.wallet_id) });
  const asker = askersOf(evidence).get(step.id);
  return [
    ...(JSON.stringify(step.approvals.slice(0, step.had.length)) === JSON.stringify(step.had)
      ? []
      : [`${name} has lost a decision`]),
    ...decidedIn(step).flatMap((made) => {
      const what = `${name}: ${made.user_id} ${made.decision} it`;
      const said = evidence.decisions.some(
        (call) =>
          call.withdrawal_id === step.id &&
          call.user_id === made.user_id &&
          call.decision === made.decision &&
          call.order_hash === made.order_hash &&
          mayBeDone(call.answer),
      );
      return [
        ...(step.was === 'awaiting_approval' ? [] : [`${what} when it did not await approvals`]),
        ...(made.user_id === asker && made.decision === 'approved' ? [`${what}, who has asked for it`] : []),
        ...(isEligible(step, made.user_id) || isTakenBack(step, made)
          ? []
          : [`${what}, who may not decide about it`]),
        ...(made.order_hash === order_hash ? [] : [`${what} by another hash than ${order_hash}`]),
        ...(step.expires_ms !== null && Date.parse(made.at) >= step.expires_ms
          ? [`${what} after its end`]
          : []),
        ...(step.had.some(({ user_id }) => user_id === made.user_id) ? [`${what} a second time`] : []),
        ...(said ? [] : [`${what}, and did not say so`]),
      ];
    }),
  ];
}

/** Returns true when, by this answer, the service may have done what was asked. */
export function mayBeDone(answer: Pick<Answer, 'status'> | null): boolean {
  return answer === null || answer.status === 200 || answer.status >= 500;
}

export function isEligible(
  { members, wallet_id, requested_by, created_ms }: Asked,
  user_id: string,
): boolean {
  const member = members.find((one) => one.user_id === user_id);
  if (!member || user_id === requested_by || member.knows.includes(requested_by ?? '')) return false;
  return (
    MAY_APPROVE.includes(member.role) &&
    !member.disabled &&
    (member.wallet_ids?.includes(wallet_id) ?? true) &&
    member.since_ms <= created_ms
  );
}

/** By a rejection of one's own request. */
export function isTakenBack({ requested_by }: Asked, { user_id, decision }: Decided): boolean {
  return user_id === requested_by && decision === 'rejected';
}

/** How many different members have approved exactly this, and may do so at the time of this step. */
export function countOf(asked: Asked, approvals: Decided[], order_hash: string | null): number {
  const counting = approvals.filter(
    (made) =>
      made.decision === 'approved' && made.order_hash === order_hash && isEligible(asked, made.user_id),
  );
  return new Set(counting.map(({ user_id }) => user_id)).size;
}

type Payment = Pick<ApprovalStep, 'asset_code' | 'asset_issuer' | 'amount_stroops'>;

export function requiredBy(
  rule: ApprovalRule | null,
  { asset_code, asset_issuer, amount_stroops }: Payment,
): number {
  if (!rule?.for.includes('withdrawals')) return 0;
  const free = rule.above.find((one) => one.asset_code === asset_code && one.asset_issuer === asset_issuer);
  return free && amount_stroops <= BigInt(free.amount_stroops) ? 0 : rule.required;
}

/** An approved change is in force from its time on. */
export function ruleAt({ rule, changes }: PolicyThen, at_ms: number): ApprovalRule | null {
  const due = changes.filter(({ takes_effect_ms }) => takes_effect_ms <= at_ms).at(-1);
  return due ? due.rule : rule;
}

/** When it was claimed. A change may have come into force between the request and its claim. */
function leastAtClaim({ policy, ...payment }: ApprovalStep): number {
  const rules = [policy.rule, ...policy.changes.map(({ rule }) => rule)];
  return Math.min(...rules.map((rule) => requiredBy(rule, payment)));
}

function historyViolations(evidence: Evidence, history: ApprovalStep[]): string[] {
  const made = history.find(({ was }) => was === null);
  const needed = made ? leastAtClaim(made) : 0;
  return history.flatMap((step, index) => {
    const before = history.slice(0, index);
    const name = nameOf(step);
    if (isHeld(step)) return heldAsAsked(evidence, step, needed);
    if (isSent(step)) return sentViolations(step, needed);
    if (isRefused(step)) return refusedViolations(step);
    if (step.status !== 'signed') return [];
    const mustBeSent = needed > 0 || before.some(isHeld);
    return [
      ...(mustBeSent && !before.some(isSent) ? [`${name} was SIGNED without ${needed} approvals`] : []),
      // A copy of the database from before the rejection knows nothing of it.
      ...(!evidence.restored && before.some(isRefused) ? [`${name} was SIGNED after it was ended`] : []),
    ];
  });
}

function heldAsAsked(evidence: Evidence, step: ApprovalStep, needed: number): string[] {
  const { order_hash, expires_ms, created_ms, approvals_required, wallet_id, requested_by } = step;
  const name = nameOf(step);
  const hash = hashOf(evidence.approvals.passphrase, { ...step, account: accountOf(evidence, wallet_id) });
  const asker = askersOf(evidence).get(step.id);
  return [
    ...(order_hash === hash ? [] : [`${name} has the hash ${order_hash}, its order ${hash}`]),
    ...(expires_ms === created_ms + DAY_MS ? [] : [`${name} does not end after a day`]),
    ...(approvals_required >= needed ? [] : [`${name} needs ${approvals_required} approvals, not ${needed}`]),
    ...(asker === undefined || asker === requested_by
      ? []
      : [`${name} was asked for by ${asker}, and says ${requested_by}`]),
  ];
}

function sentViolations(step: ApprovalStep, at_claim: number): string[] {
  const name = nameOf(step);
  const last = step.approvals.at(-1);
  if (!last) return [`${name} was sent without an approval`];
  const at_ms = Date.parse(last.at);
  const needed = Math.max(at_claim, requiredBy(ruleAt(step.policy, at_ms), step));
  const count = countOf(step, step.approvals, step.order_hash);
  return [
    ...(count >= needed ? [] : [`${name} was sent with ${count} approvals, and needs ${needed}`]),
    ...(step.approvals.some(({ decision }) => decision === 'rejected')
      ? [`${name} was sent, and rejected`]
      : []),
    ...(step.policy.frozen ? [`${name} was sent while its wallet was frozen`] : []),
  ];
}

/** Returns true while the requester is in the team. A member who was removed and added again is not the requester. */
function isRequesterThere({ members, requested_by, created_ms }: ApprovalStep): boolean {
  const requester = members.find(({ user_id }) => user_id === requested_by);
  return requester !== undefined && !requester.disabled && requester.joined_ms <= created_ms;
}

function refusedViolations(step: ApprovalStep): string[] {
  const name = nameOf(step);
  const rejections = step.approvals.filter(({ decision }) => decision === 'rejected').length;
  const over = step.expires_ms !== null && step.settled_ms !== null && step.settled_ms >= step.expires_ms;
  if (step.failure_code === 'rejected')
    return rejections === 1 ? [] : [`${name} was ended as rejected by ${rejections} members`];
  if (step.failure_code === 'requester_removed')
    return isRequesterThere(step) ? [`${name} was ended, and its requester is there`] : [];
  return [
    ...(over ? [] : [`${name} was ended before its time`]),
    ...(rejections === 0 ? [] : [`${name} was ended by its time, and rejected`]),
  ];
}

function changeViolations(change: ChangeStep): string[] {
  const { id, approvals, approvals_required } = change;
  const count = countOf(change, approvals, approvals[0]?.order_hash ?? null);
  return count >= approvals_required
    ? []
    : [`the change ${id} of a policy was approved by ${count} members, and needs ${approvals_required}`];
}

/** What a wallet with approvals paid was signed by a row, and is what its members approved. */
function ledgerViolations({ approvals, transactions, wallets, foreign, deposits }: Evidence): string[] {
  const signed = new Map(
    approvals.steps.filter(({ status }) => status === 'signed').map((step) => [step.inner_tx_hash, step]),
  );
  const asking = new Set(
    approvals.steps.filter(({ order_hash }) => order_hash !== null).map(({ wallet_id }) => wallet_id),
  );
  const accounts = new Map(
    wallets.filter(({ id }) => asking.has(id)).map(({ id, account }) => [account, id]),
  );
  return transactions.flatMap((transaction) => {
    const [payment] = transaction.payments;
    if (!payment || !accounts.has(payment.source) || foreign.includes(transaction.hash)) return [];
    if (transaction.ledger <= deposits.start_ledger) return [];
    const step = signed.get(transaction.inner_hash);
    if (!step) return [`${transaction.hash} was PAID, and no withdrawal signed it`];
    if (step.order_hash === null) return [];
    const paid = hashOfPaid(approvals.passphrase, step, transaction);
    const others = step.approvals.filter(({ order_hash }) => order_hash !== paid);
    return others.length === 0 && step.order_hash === paid
      ? []
      : [`${transaction.hash} PAYS the order ${paid}, and ${step.order_hash} was approved`];
  });
}

/** The order of a row, with what the ledger shows in the place of what the row says. */
function hashOfPaid(passphrase: string, step: ApprovalStep, transaction: AppliedTransaction): string {
  const [payment] = transaction.payments;
  const [asset_code = '', asset_issuer = null] = payment?.asset.split(':') ?? [];
  return hashOf(passphrase, {
    ...step,
    asset_code,
    asset_issuer,
    account: payment?.source ?? '',
    destination: payment?.destination_address ?? '',
    amount_stroops: payment?.amount_stroops ?? 0n,
    memo_id: transaction.memo_id,
    memo_return: refundIn(transaction),
  });
}

type Order = Payment &
  Pick<
    ApprovalStep,
    | 'wallet_id'
    | 'destination'
    | 'memo_id'
    | 'memo_return'
    | 'idempotency_key'
    | 'requested_by'
    | 'expires_ms'
  > & { account: string };

/** SHA-256 of the order as members approve it. */
export function hashOf(passphrase: string, order: Order): string {
  const { memo_id, memo_return, expires_ms } = order;
  const memo =
    memo_return === null ? ['id', memo_id === null ? null : `${memo_id}`] : ['return', memo_return];
  const fields = [
    'withdrawal 1',
    passphrase,
    order.wallet_id,
    order.account,
    order.asset_code,
    order.asset_issuer,
    `${order.amount_stroops}`,
    order.destination,
    ...memo,
    order.idempotency_key,
    order.requested_by,
    expires_ms === null ? null : new Date(expires_ms).toISOString(),
  ];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

function accountOf({ wallets }: Evidence, wallet_id: string): string {
  return wallets.find(({ id }) => id === wallet_id)?.account ?? '';
}

const askers = new WeakMap<Evidence, Map<string, string>>();

/** Who was told that their request awaits approvals, by withdrawal. */
function askersOf(evidence: Evidence): Map<string, string> {
  const known = askers.get(evidence);
  if (known) return known;
  const told = [...evidence.calls, ...evidence.inbox].flatMap(({ asked_by, answer }) =>
    answer?.status === 202 && answer.data && asked_by !== undefined
      ? [[answer.data.id, asked_by] as const]
      : [],
  );
  const found = new Map(told);
  askers.set(evidence, found);
  return found;
}

/** What was said to await approvals did so. */
function heldViolations({ calls, inbox }: Evidence, histories: Histories): string[] {
  return [...calls, ...inbox].flatMap(({ answer }) => {
    if (answer?.status !== 202 || !answer.data) return [];
    const { id } = answer.data;
    return histories.get(id)?.some(isHeld)
      ? []
      : [`withdrawal ${id} was said to await approvals, and did not`];
  });
}

function rowViolations(
  { approvals, latest_close_time, restored }: Evidence,
  row: WithdrawalRow,
  history: ApprovalStep[],
): string[] {
  const { state, approval_ends_ms, inner_tx_hash, stellar_tx_hash, ledger } = row;
  const name = `withdrawal ${row.id} (${state})`;
  const last = history.at(-1);
  const over_ms = Number(latest_close_time) * 1000 - approvals.skew_ms - ENDED_WITHIN_MS;
  const noted = last && JSON.stringify([last.status, last.approvals]);
  const has = JSON.stringify([state, row.decided]);
  return [
    ...(state === 'awaiting_approval' && (approval_ends_ms ?? 0) < over_ms
      ? [`${name} awaits approvals after its end`]
      : []),
    ...(isNeverSigned(row) && (inner_tx_hash ?? stellar_tx_hash ?? ledger) !== null
      ? [`${name} was ended as ${row.failure_code}, and has a transaction`]
      : []),
    ...(row.order_hash !== null && !restored && has !== noted
      ? [`${name} has ${has}, noted was ${noted}`]
      : []),
  ];
}

/** What a member was told is true, also when an older copy of the database has forgotten it. */
function answerViolations(evidence: Evidence, call: DecisionCall, histories: Histories): string[] {
  const { withdrawal_id, user_id, decision, answer, asked_ms } = call;
  if (answer === null) return [];
  const name = `withdrawal ${withdrawal_id}: ${user_id} ${decision} it: ${answer.status} ${answer.code}`;
  if (answer.status === 500) return [`${name}: no answer for a member`];
  if (answer.status !== 200) return [];
  const history = histories.get(withdrawal_id) ?? [];
  // More than one where an older copy of the database has forgotten the first.
  const steps = history.filter((one) =>
    decidedIn(one).some((made) => made.user_id === user_id && made.decision === decision),
  );
  const [step] = steps;
  if (!step) return [`${name}, and it was not recorded`];
  const told = answer.data?.status;
  const shown = steps.map(({ status }) => (status === 'queued' ? 'pending' : status));
  const expires_ms = step.expires_ms ?? 0;
  return [
    ...(told && shown.includes(told) ? [] : [`${name}, told as ${told}, and it was ${shown}`]),
    ...(decision === 'rejected' && !steps.some(isRefused) ? [`${name}, and that did not end it`] : []),
    ...(asked_ms > expires_ms + evidence.approvals.skew_ms ? [`${name}, after its end`] : []),
    ...(evidence.restored ? [] : outcomeViolations(evidence, name, { call, step })),
  ];
}

/** What was sent is paid, or failed with a proof; what was rejected is not. */
function outcomeViolations(
  { rows }: Evidence,
  name: string,
  { call, step }: { call: DecisionCall; step: ApprovalStep },
): string[] {
  const row = rows.find(({ id }) => id === call.withdrawal_id);
  if (!row) return [`${name}, and there is no row`];
  if (call.decision === 'rejected')
    return row.failure_code === 'rejected' ? [] : [`${name}, and it is ${row.state}`];
  if (!isSent(step)) return [];
  const proven = row.state === 'confirmed' || (row.state === 'failed' && !isNeverSigned(row));
  return proven ? [] : [`${name}, and it is ${row.state} ${row.failure_code}`];
}
