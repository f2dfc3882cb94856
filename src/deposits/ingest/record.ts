/**
 * Reads the credits of transactions and records them as deposits, for the ingester, backfills and quarantine.
 *
 * A transaction that mentions a wallet and cannot be read is quarantined: its XDR and the reason are stored, and an
 * error is logged. Reading continues: one such transaction must not stop the deposits of all others.
 */

import type { Trx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../lib/ids.ts';
import type { AccountFilter } from '../../stellar/credits/account-filter.ts';
import { MetaMissing } from '../../stellar/credits/contract-events.ts';
import type { Credit } from '../../stellar/credits/credit.ts';
import { creditsOf } from '../../stellar/credits/credits.ts';
import type { LedgerTransaction } from '../../stellar/stellar.ts';
import { enqueueEvents } from '../../webhooks/enqueue.ts';
import { depositCreated } from '../schema.ts';
import { type Deposit, insertDeposits, type NewDeposit } from '../store.ts';
import { type Attributed, attribute, keysToLookUp, type LedgerCredit } from './attribute.ts';
import { addressesByKey, walletsByAccount } from './attribution-store.ts';
import { insertQuarantined, type NewQuarantined, resolveQuarantined } from './quarantine-store.ts';

/** `readable`: hashes of the transactions that mention a wallet and could be read, whether or not they pay it. */
export type CreditReading = { credits: Attributed[]; readable: string[]; quarantined: NewQuarantined[] };

/** The new deposits, and the number of newly quarantined transactions. */
export type Recorded = { deposits: Deposit[]; quarantined: number };

/**
 * Decodes the transactions that mention one of these accounts, and attributes their credits. Reads from the database, and
 * from the network when a meta is missing: do not call it inside a database transaction.
 */
export async function readCredits(
  deps: Pick<Deps, 'db' | 'stellar' | 'config'>,
  accounts: AccountFilter,
  transactions: LedgerTransaction[],
): Promise<CreditReading> {
  const credits: LedgerCredit[] = [];
  const readable: string[] = [];
  const quarantined: NewQuarantined[] = [];
  for (const transaction of transactions) {
    if (!accounts.mentionedIn(transaction.envelope)) continue;
    const { hash, ledger } = transaction;
    try {
      const found = await creditsWithMeta(deps, transaction);
      credits.push(
        ...found
          .filter(({ account }) => accounts.has(account))
          .map((credit) => ({ ...credit, hash, ledger })),
      );
      readable.push(hash);
    } catch (error) {
      quarantined.push(toQuarantined(transaction, error as Error));
    }
  }
  return { credits: await attributed(deps, credits), readable, quarantined };
}

/** Takes a missing meta from another source. The ledger proves envelope and result; creditsOf proves the events. */
async function creditsWithMeta(
  { stellar, config }: Pick<Deps, 'stellar' | 'config'>,
  transaction: LedgerTransaction,
): Promise<Credit[]> {
  try {
    return creditsOf(config.passphrase, transaction);
  } catch (error) {
    if (!(error instanceof MetaMissing)) throw error;
    const elsewhere = await stellar.readTransaction(transaction.hash);
    if (elsewhere.found !== 'applied' || elsewhere.transaction.meta === null) throw error;
    return creditsOf(config.passphrase, { ...transaction, meta: elsewhere.transaction.meta });
  }
}

function toQuarantined({ hash, ledger, ...xdr }: LedgerTransaction, { message }: Error): NewQuarantined {
  return {
    hash,
    ledger,
    reason: message,
    envelope_xdr: xdr.envelope.toString('base64'),
    result_xdr: xdr.result.toString('base64'),
    meta_xdr: xdr.meta?.toString('base64') ?? null,
  };
}

/** Reads the rows of the paid wallets each time, because their settings may have changed. */
async function attributed({ db }: Pick<Deps, 'db'>, credits: LedgerCredit[]): Promise<Attributed[]> {
  const wallets = await walletsByAccount(db, [...new Set(credits.map(({ account }) => account))]);
  const addresses = await addressesByKey(db, keysToLookUp(credits, wallets));
  return attribute(credits, wallets, addresses);
}

/** Records deposits, their events and deliveries, and quarantined transactions. Known rows stay unchanged. */
export async function record(trx: Trx, reading: CreditReading, now: Date): Promise<Recorded> {
  const deposits = await insertDeposits(trx, newDeposits(reading.credits, now));
  const events = deposits
    .filter(({ attributed }) => attributed)
    .map((deposit) => depositCreated(deposit, now));
  await enqueueEvents(trx, events);
  const quarantined = await insertQuarantined(trx, reading.quarantined, now);
  await resolveQuarantined(trx, reading.readable, now);
  return { deposits, quarantined };
}

function newDeposits(credits: Attributed[], now: Date): NewDeposit[] {
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
    created_at: now,
  }));
}

/** Call after the commit: updates the metrics, and logs an error per quarantined transaction. */
export function reportRecorded(
  { log, metrics }: Pick<Deps, 'log' | 'metrics'>,
  reading: CreditReading,
  recorded: Recorded,
) {
  for (const { attributed } of recorded.deposits) metrics.deposits.inc({ attributed: `${attributed}` });
  if (recorded.quarantined === 0) return;
  metrics.transactions_quarantined.inc(recorded.quarantined);
  for (const { hash, ledger, reason } of reading.quarantined)
    log.error({ hash, ledger, reason }, QUARANTINED);
}

const QUARANTINED =
  'A transaction that mentions a wallet cannot be read and is quarantined. See "teller quarantine" and the runbook.';
