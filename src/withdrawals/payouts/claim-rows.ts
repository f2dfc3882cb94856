/**
 * Claims the next rows of a running payout: each becomes a withdrawal with the key of the row.
 *
 * | step                                   | a crash or refusal here                                                 |
 * |----------------------------------------|-------------------------------------------------------------------------|
 * | look at the next rows on the network   | nothing is changed. A payee that cannot be paid: its row is failed, and |
 * |                                        | no key is taken, once no ledger can have it. A wallet without funds:    |
 * |                                        | the payout is paused                                                    |
 * | lock the payout, claim the keys, note  | one transaction: a key is claimed and its row pending, or neither. Two  |
 * | the rows as pending                    | processes do not work on one payout, by its lock                        |
 * | the policy or the budget refuses a row | the row goes on to wait, its key is free, and the payout is paused      |
 * | the policy asks for more approvals     | nothing of it is kept, and the payout is paused                         |
 * | a key is taken already                 | by the same payment: the row is paid by that withdrawal. By another     |
 * |                                        | payment: the row is failed, and pays nothing                            |
 *
 * From then on the withdrawal is one like any other (engine/). What is signed is compared with the file again (approved-rows.ts).
 */
import { strict as assert } from 'node:assert';
import { type Actor, appendDeeds, type Deed, logEntries, THE_SERVICE } from '../../audit/audit.ts';
import type { Trx } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { stroopsInWords } from '../../lib/stroops.ts';
import type { Span } from '../../lib/traces.ts';
import { claimWithin, NotCovered } from '../engine/claims.ts';
import type { ClaimOrder, EngineDeps } from '../engine/hooks.ts';
import { NotApproved, orderHash } from '../engine/order-hash.ts';
import type { ApprovedBefore, Withdrawal } from '../engine/store.ts';
import { checkPayoutPolicy, whyNotCovered } from '../policies/policy-check.ts';
import { ofAsset } from '../policies/policy-rules.ts';
import { deedOfClaim } from '../reports/audit-claims.ts';
import { requirePayoutApproved } from './approved-rows.ts';
import { totalsOfPayout } from './change-payout.ts';
import {
  nextWaiting,
  noteBegun,
  noteRefused,
  type PayoutRow,
  pastOf,
  type Refused,
  waitingAmong,
} from './payout-row-store.ts';
import { lockRunning, type Payout, type RunningPayout, recordChange } from './payout-store.ts';
import { type Prepared, type PreparedRow, prepareRows, type StopReason } from './prepare-rows.ts';

/**
 * Claims at most `limit` rows; gives how many have begun.
 * @throws NetworkUnavailable, and errors of the database: then nothing is claimed, or all of it is noted
 */
export async function claimRows(deps: EngineDeps, payout: RunningPayout, limit: number): Promise<number> {
  const rows = await nextWaiting(deps.db, payout.id, limit);
  if (rows.length === 0) return 0;
  const prepared = await prepareRows(deps, payout, rows);
  const { ready, refused, stop } = prepared;
  if (ready.length + refused.length === 0 && stop === null) return 0;
  try {
    return await claimPrepared(deps, payout, prepared);
  } catch (error) {
    const reason = await reasonOf(deps, payout, error);
    if (reason === null) throw error;
    await claimPrepared(deps, payout, { ...prepared, ready: [], refused: [], stop: reason });
    return 0;
  }
}

async function reasonOf(deps: EngineDeps, payout: Payout, error: unknown): Promise<StopReason | null> {
  if (error instanceof NotCovered)
    return { code: 'approvals_required', message: await notCoveredMessage(deps, payout) };
  if (error instanceof NotApproved)
    return { code: 'order_changed', message: `The payout is not what was approved: ${error.message}.` };
  return null;
}

async function notCoveredMessage({ db, clock }: EngineDeps, payout: Payout): Promise<string> {
  const why = await whyNotCovered(db, payout, await totalsOfPayout(db, payout.id), clock.now());
  if (why?.cause !== 'sum')
    return 'The policy asks for more approvals by now than this payout has. Cancel it, and make another one of what is left.';
  const { total, unapproved_stroops } = why;
  return (
    `The wallet has paid ${stroopsInWords(unapproved_stroops)}${ofAsset(total)} without approvals in the last 24 hours, in ` +
    'other payments. With them this payout needs more approvals than it has. Resume it once these payments are 24 hours old, or cancel ' +
    'it and make another one of what is left.'
  );
}

async function claimPrepared(deps: EngineDeps, payout: RunningPayout, prepared: Prepared): Promise<number> {
  const { begun, entries, spans } = await deps.db.transaction().execute(async (trx) => {
    const locked = await lockRunning(trx, payout.id);
    if (!locked) return { begun: 0, entries: [], spans: [] };
    const { begun, deeds, spans } = await claimLocked(trx, deps, { ...payout, ...locked }, prepared);
    return { begun, entries: await appendDeeds(trx, deeds, deps.clock.now()), spans };
  });
  for (const span of spans) span.end();
  logEntries(deps, entries);
  return begun;
}

type Acts = { actor: Actor; deed: Deed }[];

async function claimLocked(
  trx: Trx,
  deps: EngineDeps,
  payout: RunningPayout,
  { ready, refused, stop, least_close_time }: Prepared,
): Promise<{ begun: number; deeds: Acts; spans: Span[] }> {
  const now = deps.clock.now();
  const rows = await stillWaiting(trx, payout, ready, refused);
  const traced = ordersOf(deps, payout, rows.ready, now).map((order) => traceClaim(deps, order));
  const orders = traced.map(({ order }) => order);
  const { claimed, made } = await claimWithin(trx, deps, orders);
  const deeds: Acts = made.map((order) => ({ actor: order.actor, deed: deedOfClaim(order) }));
  const begun: { number: number; withdrawal_id: string }[] = [];
  const lost: Refused[] = [...rows.refused];
  let reason = stop;
  for (const [index, { holder, violation }] of claimed.entries()) {
    const { number } = rows.ready[index] as PayoutRow;
    const order = orders[index] as ClaimOrder;
    if (violation) reason ??= { code: violation.code, message: `Row ${number}: ${violation.message}` };
    else if (pays(holder, order)) begun.push({ number, withdrawal_id: holder.id });
    else lost.push({ number, ...KEY_OF_ANOTHER });
  }
  if (orders.length > 0) await requireCovered(trx, payout, now);
  assert.equal(await noteBegun(trx, payout.id, begun), begun.length, 'the payout is locked');
  const forgotten = await noteLost(trx, payout, lost, least_close_time);
  reason ??= forgotten;
  if (reason) deeds.push(await pause(trx, payout, reason));
  const paying = new Set(begun.map(({ withdrawal_id }) => withdrawal_id));
  const spans = traced.filter(({ order }) => paying.has(order.id)).map(({ span }) => span);
  return { begun: begun.length, deeds, spans };
}

/**
 * Starts the trace of a claim: no request has asked for this row alone, so its trace begins here. End the span after the
 * commit.
 */
function traceClaim({ traces }: EngineDeps, order: ClaimOrder): { order: ClaimOrder; span: Span } {
  const { id: withdrawal_id, wallet_id, payout_id } = order;
  const span = traces.start('claim withdrawal', { attributes: { withdrawal_id, wallet_id, payout_id } });
  return { order: { ...order, traceparent: span.traceparent }, span };
}

/**
 * Returns those of the rows that still wait, now that the payout is locked: another process may have claimed rows since they
 * were prepared.
 */
async function stillWaiting(trx: Trx, { id }: Payout, ready: PreparedRow[], refused: Refused[]) {
  const numbers = await waitingAmong(
    trx,
    id,
    [...ready, ...refused].map(({ number }) => number),
  );
  return {
    ready: ready.filter(({ number }) => numbers.has(number)),
    refused: refused.filter(({ number }) => numbers.has(number)),
  };
}

/**
 * Says whether the holder of the key pays the order. It is the order's own withdrawal, or one that was made for the same
 * payment under the same key: whoever asked for it, it is paid once. It may be of a payout that another process accepted at the
 * same time: were the row called failed, its retry would pay it again. A reference is no part of what is paid.
 */
function pays(holder: Withdrawal, order: ClaimOrder): boolean {
  if (holder.id === order.id) return true;
  return (
    holder.refund_of === null &&
    holder.wallet_id === order.wallet_id &&
    holder.asset_code === order.asset_code &&
    holder.asset_issuer === order.asset_issuer &&
    holder.destination === order.destination &&
    holder.amount_stroops === order.amount_stroops &&
    holder.memo_id === order.memo_id
  );
}

/**
 * Records rows as failed when they are proven unpaid; other rows go on to wait. Nobody may retry with another key what an older
 * copy of the database has forgotten to be paid. Returns why the payout must stop, or null.
 */
async function noteLost(
  trx: Trx,
  { id, wallet_id }: Payout,
  lost: Refused[],
  least_close_time: bigint,
): Promise<StopReason | null> {
  if (lost.length === 0) return null;
  const numbers = lost.map(({ number }) => number);
  const past = await pastOf(trx, { id, wallet_id, numbers }, least_close_time);
  if (past === 'unpaid') await noteRefused(trx, id, lost);
  return past === 'unmatched' ? FORGOTTEN : null;
}

const FORGOTTEN: StopReason = {
  code: 'possible_duplicate',
  message:
    'The ledger has a payment that this database has forgotten, and it may be that of a row. Ask the operator of the service.',
};

const KEY_OF_ANOTHER = {
  code: 'idempotency_key_mismatch',
  message: 'The key of this row belongs to another payment by now. Nothing was paid for the row.',
};

/**
 * Requires that the payout has as many approvals as it needs now. All rows together decide how many are needed.
 * @throws NotCovered
 */
async function requireCovered(trx: Trx, payout: Payout, now: Date): Promise<void> {
  const totals = await totalsOfPayout(trx, payout.id);
  const { approvals_required } = await checkPayoutPolicy(trx, payout, totals, now);
  if (approvals_required > payout.approvals_required) throw new NotCovered(payout.id);
}

async function pause(trx: Trx, payout: Payout, { code, message }: StopReason): Promise<Acts[number]> {
  const { id, owner_id, wallet_id, name } = payout;
  await recordChange(trx, id, ['running'], { status: 'paused', reason_code: code, reason: message });
  const after = { status: 'paused', name, reason: code };
  const deed = {
    action: 'payout.paused',
    target: { kind: 'payout', id },
    before: { status: 'running' },
    after,
  } as const;
  return { actor: THE_SERVICE, deed: { ...deed, team_id: owner_id, wallet_id } };
}

/** @throws NotApproved */
function ordersOf(
  { config }: Pick<EngineDeps, 'config'>,
  payout: RunningPayout,
  rows: PreparedRow[],
  now: Date,
): ClaimOrder[] {
  const { wallet_id, owner_id, wallet_account, requested_by } = payout;
  if (rows.length === 0) return [];
  requirePayoutApproved({ passphrase: config.passphrase, wallet_id, wallet_account }, payout);
  return rows.map((row) => {
    const { idempotency_key, destination, amount_stroops, asset_code, asset_issuer } = row;
    const { memo_id, operation, treasury_stroops, reference } = row;
    const order = {
      wallet_id,
      owner_id,
      wallet_account,
      requested_by,
      idempotency_key,
      destination,
      amount_stroops,
      asset_code,
      asset_issuer,
      memo_id,
      operation,
      memo_return: null,
      refund_of: null,
    };
    return {
      ...order,
      id: newId('wd', now),
      created_at: now,
      actor: THE_SERVICE,
      payout_id: payout.id,
      payout_row: row.number,
      reference,
      treasury_stroops,
      ...approvedBefore(config.passphrase, order, payout, now),
    };
  });
}

/**
 * Returns the approvals of the payout for a withdrawal, about the withdrawal's own order. So its row shows who approved it, and
 * a version that knows no payouts checks it before it signs, too.
 */
function approvedBefore(
  passphrase: string,
  order: Omit<Parameters<typeof orderHash>[1], 'approval_expires_at'>,
  { approvals_required, approvals_cause, approvals, approval_expires_at }: Payout,
  now: Date,
): Partial<ApprovedBefore> {
  if (approvals_required === 0) return {};
  const order_hash = orderHash(passphrase, { ...order, approval_expires_at });
  return {
    approvals_required,
    approvals_cause,
    order_hash,
    approval_expires_at,
    approved_at: now,
    approvals: approvals.map((each) => ({ ...each, order_hash })),
  };
}
