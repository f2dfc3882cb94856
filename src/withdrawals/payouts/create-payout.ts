/** Makes payouts: a checked file becomes a draft, of which nothing is paid before somebody starts it. */
import { auditedOnWallet, type OnWallet } from '../../audit/audit.ts';
import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { inTurns, mapInParts } from '../../lib/in-parts.ts';
import type { Wallet } from '../../wallets/access.ts';
import { showChanged } from './change-payout.ts';
import { checkPayout } from './check-payout.ts';
import { rowHash, rowsHash } from './payout-hash.ts';
import type { PayoutReport } from './payout-report.ts';
import { countRows, insertRows, keysInUse, lockKeys, type NewRow } from './payout-row-store.ts';
import { type ShownPayout, showReport } from './payout-schema.ts';
import { insertPayout, lockPayout, type Payout } from './payout-store.ts';
import { detailOf } from './problems.ts';
import type { GivenPayout } from './read-given.ts';
import type { GivenRow, ReadRow } from './read-rows.ts';
import { type RetriedRow, retriableRows } from './retry-store.ts';

type Making = OnWallet & { wallet: Wallet };
export type PayoutOrder = GivenPayout & { name: string; confirm_duplicates: boolean };

/**
 * Checks the file and keeps it as a draft. Nothing is kept when anything is refused.
 * @throws AppError 400 `invalid_request` with every problem, 409 `duplicates_not_confirmed`, both with the report as `data`;
 * NetworkUnavailable
 */
export async function createPayout(deps: Deps, by: Making, order: PayoutOrder): Promise<ShownPayout> {
  const checked = await checkPayout(deps, by.wallet, order);
  refuse(checked.report, order.confirm_duplicates);
  return keep(deps, by, { name: order.name, retry_of: null, ...checked });
}

/**
 * Creates a draft of the failed rows of a payout, each with the key of its next retry (retry-store.ts). Only what is proven not
 * to be paid has failed.
 * @throws AppError as `createPayout`; 409 `wrong_payout_status` when rows may still be paid, or none can be retried
 */
export async function retryFailed(deps: Deps, by: Making, payout: Payout): Promise<ShownPayout> {
  // Early, for a quick answer; again in the transaction that keeps the retry.
  const failed = await deps.db.transaction().execute((trx) => readRetriable(trx, by.wallet.id, payout.id));
  const rows: GivenRow[] = failed.map((row) => ({
    idempotency_key: row.next_key,
    destination: row.destination,
    amount_stroops: row.amount_stroops,
    asset_code: row.asset_code,
    asset_issuer: row.asset_issuer ?? undefined,
    memo_id: row.memo_id ?? undefined,
    reference: row.reference ?? undefined,
  }));
  const checked = await checkPayout(deps, by.wallet, { known: rows });
  refuse(checked.report, true);
  const name = `${payout.name.slice(0, MOST_NAME_CHARS - RETRY_WORDS.length)}${RETRY_WORDS}`;
  return keep(deps, by, { name, retry_of: payout.id, ...checked });
}

const MOST_NAME_CHARS = 100;
const RETRY_WORDS = ' (retry)';

function refuse(report: PayoutReport, confirm_duplicates: boolean): void {
  const data = showReport(report);
  if (report.error_count > 0) {
    const message = `The payout has ${report.error_count} ${report.error_count === 1 ? 'error' : 'errors'}. Nothing was kept.`;
    throw new AppError('invalid_request', message, { details: report.errors.map(detailOf), data });
  }
  if (report.needs_confirmation && !confirm_duplicates) {
    const message =
      'Rows pay the same amount to the same payee more than once, or were paid before. If that is meant, send confirm_duplicates: true. Nothing was kept.';
    throw new AppError('duplicates_not_confirmed', message, { data });
  }
}

type Kept = { name: string; retry_of: string | null; rows: ReadRow[]; report: PayoutReport };

async function keep(deps: Deps, by: Making, kept: Kept): Promise<ShownPayout> {
  const { name, retry_of, rows, report } = kept;
  const { wallet, actor } = by;
  const created_at = deps.clock.now();
  const id = newId('pay', created_at);
  const new_rows = await inTurns(mapInParts(rows, (row) => keptRow(deps, wallet, id, row)));
  const rows_hash = rowsHash(new_rows.map(({ row_hash }) => row_hash));
  return auditedOnWallet(deps, by, async (trx, note) => {
    await requireStillFree(trx, wallet, kept);
    await insertPayout(trx, {
      id,
      name,
      retry_of,
      rows_hash,
      created_at,
      row_count: new_rows.length,
      wallet_id: wallet.id,
      owner_id: wallet.owner_id,
      created_by: actor.id ?? actor.kind,
    });
    await insertRows(trx, new_rows);
    const after = { name, rows: new_rows.length, rows_hash, retry_of };
    note({ action: 'payout.created', target: { kind: 'payout', id }, after });
    const draft = await showChanged(trx, { id, wallet_id: wallet.id });
    const { approvals_required, approvals_cause } = report;
    return { ...draft, approvals_required, approvals_cause };
  });
}

/** Reads the rows that can be retried, and locks their payout. @throws AppError `wrong_payout_status` */
async function readRetriable(trx: Trx, wallet_id: string, retry_of: string): Promise<RetriedRow[]> {
  const refusal = (message: string) => new AppError('wrong_payout_status', message);
  const payout = await lockPayout(trx, wallet_id, retry_of);
  if (payout?.status !== 'completed' && payout?.status !== 'cancelled')
    throw refusal('Rows of this payout may still be paid: wait for its end, or cancel it.');
  const counted = await countRows(trx, [retry_of]);
  if (counted.some(({ status }) => status === 'pending'))
    throw refusal('Rows of this payout have no outcome yet: wait for them.');
  if (counted.every(({ status }) => status !== 'failed')) throw refusal('No row of this payout has failed.');
  const rows = await retriableRows(trx, retry_of);
  if (rows.length === 0)
    throw refusal(
      'No failed row of this payout can be retried: a retry has them, or their keys have paid something else.',
    );
  return rows;
}

/** Checks again, under a lock: nobody else keeps rows of the team until the transaction ends. */
async function requireStillFree(trx: Trx, { owner_id, id }: Wallet, { rows, retry_of }: Kept): Promise<void> {
  await lockKeys(trx, owner_id);
  const keys = rows.map(({ idempotency_key }) => idempotency_key);
  const used = await keysInUse(trx, owner_id, keys);
  const now =
    retry_of === null ? keys : (await readRetriable(trx, id, retry_of)).map(({ next_key }) => next_key);
  if (used.size > 0 || now.length !== keys.length || now.some((key, index) => key !== keys[index]))
    throw new AppError(
      'invalid_request',
      'Another payout or withdrawal took keys of these rows while they were checked. Nothing was kept; try again.',
    );
}

function keptRow({ config }: Pick<Deps, 'config'>, wallet: Wallet, payout_id: string, row: ReadRow): NewRow {
  const {
    number,
    idempotency_key,
    destination,
    amount_stroops,
    asset_code,
    asset_issuer,
    memo_id,
    reference,
  } = row;
  const paid_by = { passphrase: config.passphrase, wallet_id: wallet.id, wallet_account: wallet.account };
  return {
    payout_id,
    number,
    owner_id: wallet.owner_id,
    idempotency_key,
    destination,
    amount_stroops,
    asset_code,
    asset_issuer,
    memo_id,
    reference,
    row_hash: rowHash(paid_by, row),
  };
}
