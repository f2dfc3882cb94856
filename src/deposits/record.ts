/**
 * What transactions pay to our wallets, judged and then recorded: the same for those that the ingester reads, those that
 * a backfill reads again, and those that come out of quarantine.
 *
 * A transaction that mentions a wallet and cannot be read is quarantined: its XDR and the reason are kept, a person is
 * alarmed, and the reading goes on with the next one. It must never stop the credits of everybody else.
 */
import type { AccountFilter } from '../chain/account-filter.ts';
import type { LedgerTransaction } from '../chain/chain.ts';
import { MetaMissing } from '../chain/contract-events.ts';
import { type Credit, creditsOf } from '../chain/credits.ts';
import type { Trx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';
import { enqueueEvents } from '../webhooks/enqueue.ts';
import { type Attributed, attribute, keysToLookUp, type LedgerCredit } from './attribute.ts';
import { insertQuarantined, type NewQuarantined, resolveQuarantined } from './ingest-store.ts';
import { depositCreated } from './show.ts';
import { addressesByKey, type Deposit, insertDeposits, type NewDeposit, walletsByAccount } from './store.ts';

/** `readable`: hashes of those that mention a wallet and could be read, whether they pay it or not. */
export type Judged = { credits: Attributed[]; readable: string[]; poisoned: NewQuarantined[] };

/** What was new of it. */
export type Recorded = { deposits: Deposit[]; quarantined: number };

/**
 * Only those are decoded that mention one of these accounts. Asks the database, and the network where a source has left
 * out what another one may have: not for inside a transaction.
 */
export async function judge(
  deps: Pick<Deps, 'db' | 'chain' | 'config'>,
  accounts: AccountFilter,
  transactions: LedgerTransaction[],
): Promise<Judged> {
  const credits: LedgerCredit[] = [];
  const readable: string[] = [];
  const poisoned: NewQuarantined[] = [];
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
      poisoned.push(poison(transaction, error as Error));
    }
  }
  return { credits: await attributed(deps, credits), readable, poisoned };
}

/** Envelope and result are proven by the ledger; only the meta is taken from elsewhere, and creditsOf proves its events. */
async function creditsWithMeta(
  { chain, config }: Pick<Deps, 'chain' | 'config'>,
  transaction: LedgerTransaction,
): Promise<Credit[]> {
  try {
    return creditsOf(config.passphrase, transaction);
  } catch (error) {
    if (!(error instanceof MetaMissing)) throw error;
    const elsewhere = await chain.readTransaction(transaction.hash);
    if (elsewhere.found !== 'applied' || elsewhere.transaction.meta === null) throw error;
    return creditsOf(config.passphrase, { ...transaction, meta: elsewhere.transaction.meta });
  }
}

function poison({ hash, ledger, ...xdr }: LedgerTransaction, { message }: Error): NewQuarantined {
  return {
    hash,
    ledger,
    reason: message,
    envelope_xdr: xdr.envelope.toString('base64'),
    result_xdr: xdr.result.toString('base64'),
    meta_xdr: xdr.meta?.toString('base64') ?? null,
  };
}

/** Asks the rows of the wallets that are paid, because what their owner has set may have changed. */
async function attributed({ db }: Pick<Deps, 'db'>, credits: LedgerCredit[]): Promise<Attributed[]> {
  const wallets = await walletsByAccount(db, [...new Set(credits.map(({ account }) => account))]);
  const addresses = await addressesByKey(db, keysToLookUp(credits, wallets));
  return attribute(credits, wallets, addresses);
}

/** Deposits, their events and deliveries, and the quarantine. What is recorded already stays as it is. */
export async function record(trx: Trx, judged: Judged, now: Date): Promise<Recorded> {
  const deposits = await insertDeposits(trx, newDeposits(judged.credits, now));
  const events = deposits
    .filter(({ attributed }) => attributed)
    .map((deposit) => depositCreated(deposit, now));
  await enqueueEvents(trx, events);
  const quarantined = await insertQuarantined(trx, judged.poisoned, now);
  await resolveQuarantined(trx, judged.readable, now);
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

/** Counts what was committed, and alarms for what could not be read. */
export function tell({ log, metrics }: Pick<Deps, 'log' | 'metrics'>, judged: Judged, recorded: Recorded) {
  for (const { attributed } of recorded.deposits) metrics.deposits.inc({ attributed: `${attributed}` });
  if (recorded.quarantined === 0) return;
  metrics.transactions_quarantined.inc(recorded.quarantined);
  for (const { hash, ledger, reason } of judged.poisoned) log.error({ hash, ledger, reason }, POISON);
}

const POISON =
  'A transaction that mentions a wallet cannot be read and is quarantined: "teller quarantine"; see the runbook.';
