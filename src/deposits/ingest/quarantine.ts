/** What a person does about transactions that mention a wallet and could not be read (record.ts). */

import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../errors.ts';
import { anchorOf, readDepositCursor } from '../../ledgers/deposit-cursor.ts';
import type { AccountFilter } from '../../stellar/credits/account-filter.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import type { LedgerTransaction } from '../../stellar/stellar.ts';
import {
  dismissedQuarantined,
  dismissQuarantined,
  openQuarantined,
  type Quarantined,
  resolveQuarantined,
  updateQuarantined,
} from './quarantine-store.ts';
import { type CreditReading, readCredits, record, tell } from './record.ts';
import { createWatched } from './watched-accounts.ts';

const NONE = 'No transaction waits in quarantine.\n';

/** Those that wait, and why each could not be read, in words; `all`: those that were dismissed too. */
export async function describeQuarantine({ db }: Pick<Deps, 'db'>, { all = false } = {}): Promise<string> {
  const open = await openQuarantined(db);
  const dismissed = all ? await dismissedQuarantined(db) : [];
  return `${open.map(describe).join('') || NONE}${dismissed.map(describe).join('')}`;
}

function describe({ hash, ledger, created_at, reason, dismissed_at, dismissed_reason }: Quarantined): string {
  const dismissed = dismissed_at ? `; dismissed ${dismissed_at.toISOString()}: ${dismissed_reason}` : '';
  return `${hash}: ledger ${ledger}, since ${created_at.toISOString()}: ${reason}${dismissed}\n`;
}

/**
 * A person has found out that it pays none of the wallets: nobody is alarmed of it any more. It is kept with the reason,
 * and credited all the same should a backfill be able to read it.
 * @throws OperatorError when it does not wait in quarantine.
 */
export async function dismiss(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  hash: string,
  reason: string,
): Promise<string> {
  if (!(await dismissQuarantined(db, hash, reason, clock.now())))
    throw new OperatorError(`No transaction ${hash} waits in quarantine.`);
  log.warn({ hash, reason }, 'a transaction in quarantine was dismissed');
  return `Dismissed: ${hash}. "teller quarantine --all" shows it.\n`;
}

/**
 * Judges them again at once, and tells a person. `report` is told of each.
 * @throws OperatorError when some still cannot be read; the others are credited all the same.
 */
export async function retryQuarantine(deps: Deps, report: (text: string) => void): Promise<string> {
  const { read, unread } = await rereadQuarantined(deps, report);
  if (unread > 0)
    throw new OperatorError(`Still in quarantine: ${unread} of ${read + unread}; see the runbook.`);
  return read === 0 ? NONE : `Read: ${read}. ${NONE}`;
}

/**
 * Judges them again, as a newer version or another source may be able to read them. What they pay is credited as if it
 * had been read at first, once, however often this runs and whoever does. Gives how many could be read and could not.
 */
export async function rereadQuarantined(
  deps: Deps,
  report: (text: string) => void,
  signal?: AbortSignal,
): Promise<{ read: number; unread: number }> {
  const counts = { read: 0, unread: 0 };
  const rows = await openQuarantined(deps.db);
  if (rows.length === 0) return counts;
  const accounts = await createWatched(deps.db).upToDate();
  for (const row of rows) {
    if (signal?.aborted) break;
    const reading = await judgeAgain(deps, accounts, row);
    const [quarantined] = reading.quarantined;
    if (quarantined) {
      counts.unread++;
      await updateQuarantined(deps.db, quarantined);
      report(`${row.hash}: still cannot be read: ${quarantined.reason}\n`);
    } else {
      counts.read++;
      report(`${row.hash}: read, ${await recordReadable(deps, row, reading)} deposits credited.\n`);
    }
  }
  return counts;
}

/**
 * By what was kept of it; when that does not do, by what a source tells of its ledger now; and then with the meta that
 * any source claims for it.
 */
async function judgeAgain(deps: Deps, accounts: AccountFilter, row: Quarantined): Promise<CreditReading> {
  const kept = transactionOf(row);
  const before = await readCredits(deps, accounts, [kept]);
  if (before.quarantined.length === 0) return before;
  const told = await readInLedger(deps, row);
  const reading = told ? await readCredits(deps, accounts, [told]) : before;
  if (reading.quarantined.length === 0) return reading;
  const found = await deps.stellar.readTransaction(row.hash);
  if (found.found !== 'applied' || found.transaction.meta === null) return reading;
  const withMeta = await readCredits(deps, accounts, [{ ...(told ?? kept), meta: found.transaction.meta }]);
  return withMeta.quarantined.length === 0 ? withMeta : reading;
}

function transactionOf({ hash, ledger, ...xdr }: Quarantined): LedgerTransaction {
  return {
    ledger,
    hash,
    envelope: Buffer.from(xdr.envelope_xdr, 'base64'),
    result: Buffer.from(xdr.result_xdr, 'base64'),
    meta: xdr.meta_xdr === null ? null : Buffer.from(xdr.meta_xdr, 'base64'),
  };
}

/** Out of its whole ledger, because a result is proven by the ledger only; null when no source gives that now. */
async function readInLedger(
  { stellar, db }: Pick<Deps, 'stellar' | 'db'>,
  { hash, ledger }: Quarantined,
): Promise<LedgerTransaction | null> {
  try {
    const range = await stellar.readLedgersAfter(ledger - 1, anchorOf(await readDepositCursor(db)));
    if (range.read !== 'ledgers') return null;
    return range.transactions.find((each) => each.hash === hash && each.ledger === ledger) ?? null;
  } catch (error) {
    if (error instanceof NetworkUnavailable) return null; // it is reading again later
    throw error;
  }
}

async function recordReadable(deps: Deps, { hash }: Quarantined, reading: CreditReading): Promise<number> {
  const now = deps.clock.now();
  const recorded = await deps.db.transaction().execute(async (trx) => {
    const recorded = await record(trx, reading, now);
    // Also when by the rules of this version it mentions no wallet.
    await resolveQuarantined(trx, [hash], now);
    return recorded;
  });
  tell(deps, reading, recorded);
  return recorded.deposits.length;
}
