/**
 * Reads what transactions did to wallets, and records credits as deposits and the rest as adjustments, for the ingester,
 * backfills and quarantine.
 *
 * A transaction that mentions a wallet and cannot be read is quarantined: its XDR and the reason are stored, and an
 * error is logged. Reading continues: one such transaction must not stop the deposits of all others.
 */

import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import {
  insertQuarantined,
  type NewQuarantined,
  resolveQuarantined,
  toQuarantined,
  whyUnreadable,
} from '../../ledgers/quarantine-store.ts';
import { newId } from '../../lib/ids.ts';
import { traceFields } from '../../lib/traces.ts';
import type { AccountFilter } from '../../stellar/credits/account-filter.ts';
import type { Adjustment, LineOrder } from '../../stellar/credits/adjustment.ts';
import type { LedgerTransaction } from '../../stellar/stellar.ts';
import { enqueueEvents } from '../../webhooks/events/enqueue.ts';
import { readMinimums } from '../minimums/minimums.ts';
import type { Adjustment as RecordedAdjustment } from '../recorded/adjustment-store.ts';
import { depositEvent } from '../recorded/deposit-schema.ts';
import { type Deposit, insertDeposits, type NewDeposit } from '../recorded/deposit-store.ts';
import { type Attributed, attribute, keysToLookUp, type LedgerCredit } from './attribute.ts';
import { addressesByKey, walletsByAccount } from './attribution-store.ts';
import { readEffects } from './read-effects.ts';
import {
  adjustmentsOf,
  type ChangedAssets,
  changedLines,
  type InLedger,
  recordAdjustments,
  reportAdjustments,
  type WalletAdjustment,
} from './record-adjustments.ts';
import type { DepositSpans } from './trace-deposits.ts';

/**
 * `readable`: the transactions that mention a wallet and could be read, whether or not they pay it.
 * `unread_lines`: trust lines whose change no source shows.
 */
export type Reading = {
  credits: Attributed[];
  adjustments: WalletAdjustment[];
  unread_lines: InLedger<LineOrder>[];
  readable: LedgerTransaction[];
  quarantined: NewQuarantined[];
};

/** The new deposits and adjustments, and the number of newly quarantined transactions. */
export type Recorded = { deposits: Deposit[]; adjustments: RecordedAdjustment[]; quarantined: number };

/**
 * Decodes the transactions that mention one of these accounts, and attributes their credits. Reads from the database, and
 * from the network when a meta is missing: do not call it inside a database transaction.
 */
export async function readTransactions(
  deps: Pick<Deps, 'db' | 'stellar' | 'config'>,
  accounts: AccountFilter,
  transactions: LedgerTransaction[],
): Promise<Reading> {
  const credits: LedgerCredit[] = [];
  const adjustments: InLedger<Adjustment>[] = [];
  const unread_lines: InLedger<LineOrder>[] = [];
  const readable: LedgerTransaction[] = [];
  const quarantined: NewQuarantined[] = [];
  for (const transaction of transactions) {
    if (!concerns(accounts, transaction)) continue;
    const { hash, ledger } = transaction;
    const placed = <T>(effect: T) => ({ ...effect, hash, ledger });
    try {
      requireReadable(transaction);
      const effects = await readEffects(deps, accounts, transaction);
      credits.push(...effects.credits.map(placed));
      adjustments.push(...effects.adjustments.map(placed));
      unread_lines.push(...effects.unread_lines.map(placed));
      readable.push(transaction);
    } catch (error) {
      quarantined.push(toQuarantined(transaction, (error as Error).message));
    }
  }
  const found = { unread_lines, readable, quarantined };
  return { ...found, ...(await ofWallets(deps, { credits, adjustments })) };
}

/**
 * Returns true when the transaction can change one of these accounts. Its envelope names every account that it pays. Of one of a later
 * protocol nobody knows that, so all its bytes are searched.
 */
function concerns(accounts: AccountFilter, { envelope, result, meta, unknown }: LedgerTransaction): boolean {
  const searched = unknown === undefined ? [envelope] : [envelope, result, meta ?? Buffer.alloc(0)];
  return searched.some((bytes) => accounts.mentionedIn(bytes));
}

/** @throws Error for a transaction that cannot be read */
function requireReadable(transaction: LedgerTransaction): void {
  const reason = whyUnreadable(transaction);
  if (reason !== null) throw new Error(reason);
}

/** Reads the rows of the wallets each time, because their settings may have changed. */
async function ofWallets(
  { db }: Pick<Deps, 'db'>,
  { credits, adjustments }: { credits: LedgerCredit[]; adjustments: InLedger<Adjustment>[] },
): Promise<Pick<Reading, 'credits' | 'adjustments'>> {
  const accounts = new Set([...credits, ...adjustments].map(({ account }) => account));
  const wallets = await walletsByAccount(db, [...accounts]);
  const addresses = await addressesByKey(db, keysToLookUp(credits, wallets));
  return {
    credits: attribute(credits, wallets, addresses),
    adjustments: adjustmentsOf(wallets, adjustments),
  };
}

/**
 * Records deposits, their events and deliveries, adjustments, and quarantined transactions. Known rows stay unchanged. A
 * deposit below the minimum of its wallet has no event. `assets`: by `readChangedAssets`, of the same adjustments.
 * `spans`: end them after the commit.
 */
export async function record(
  trx: Trx,
  reading: Reading,
  { assets, now, spans }: { assets: ChangedAssets; now: Date; spans: DepositSpans },
): Promise<Recorded> {
  const deposits = await insertDeposits(trx, await newDeposits(trx, reading.credits, now));
  const adjustments = await recordAdjustments(trx, reading.adjustments, now);
  const quarantined = await insertQuarantined(trx, reading.quarantined, now);
  await resolveQuarantined(trx, reading.readable, now);
  // Last, because its locks stop every other event of these endpoints until the commit.
  await enqueueEvents(trx, [
    ...deposits
      .filter(({ below_minimum }) => !below_minimum)
      .map((deposit) => depositEvent(deposit, now, spans.begin(deposit))),
    ...changedLines(adjustments, assets, now),
  ]);
  return { deposits, adjustments, quarantined };
}

async function newDeposits(trx: Trx, credits: Attributed[], now: Date): Promise<NewDeposit[]> {
  const isBelowMinimum = await readMinimums(trx, credits);
  return credits.map((credit) => ({
    id: newId('dep', now),
    wallet_id: credit.wallet_id,
    address_id: credit.address_id,
    asset_code: credit.asset_code,
    asset_issuer: credit.asset_issuer,
    amount_stroops: credit.amount_stroops,
    source_account: credit.source_account,
    source_account_muxed: credit.source_account_muxed,
    stellar_tx_hash: credit.hash,
    operation_index: credit.operation_index,
    event_index: credit.event_index,
    kind: credit.kind,
    memo_id: credit.memo_id,
    memo_type: credit.memo.type,
    memo: credit.memo.value,
    ledger: credit.ledger,
    attributed: credit.address_id !== null,
    below_minimum: isBelowMinimum(credit),
    created_at: now,
  }));
}

/** Reports the records, after the commit: updates the metrics, ends the spans, and logs a line per deposit, adjustment and quarantined transaction. */
export function reportRecorded(
  { log, metrics }: Pick<Deps, 'log' | 'metrics'>,
  reading: Reading,
  recorded: Recorded,
  spans: DepositSpans,
) {
  spans.end();
  for (const deposit of recorded.deposits) {
    metrics.deposits.inc({ attributed: `${deposit.attributed}` });
    log.info({ ...lineOf(deposit), ...traceFields(spans.of(deposit)) }, 'deposit recorded');
  }
  reportAdjustments({ log, metrics }, recorded.adjustments);
  for (const { account, asset, ledger, hash } of reading.unread_lines)
    log.warn({ account, asset_code: asset.code, asset_issuer: asset.issuer, ledger, hash }, UNREAD_LINE);
  if (recorded.quarantined === 0) return;
  metrics.transactions_quarantined.inc(recorded.quarantined);
  for (const { hash, ledger, reason } of reading.quarantined)
    log.error({ hash, ledger, reason }, QUARANTINED);
}

/** Writes a line about a deposit, without metadata, which is the customer's. */
function lineOf(deposit: Deposit) {
  const { id: deposit_id, wallet_id, address_id, asset_code, asset_issuer, source_account, ledger } = deposit;
  const { amount_stroops, stellar_tx_hash, attributed, below_minimum } = deposit;
  return {
    deposit_id,
    wallet_id,
    address_id,
    asset_code,
    asset_issuer,
    amount_stroops: `${amount_stroops}`,
    source_account,
    stellar_tx_hash,
    ledger,
    attributed,
    below_minimum,
  };
}

const UNREAD_LINE =
  'A trust line of a wallet was authorized or revoked, and no network source shows what it is now. Configure a source with metas.';

const QUARANTINED =
  'A transaction that mentions a wallet cannot be read and is quarantined. See "teller quarantine" and the runbook.';
