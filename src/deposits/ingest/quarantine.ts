/** Quarantined transactions: they mention a wallet and could not be read (record.ts). Lists, dismisses and rereads them. */

import { type Act, actAlone } from '../../db/leadership.ts';
import type { Deps } from '../../deps.ts';
import { anchorOf, readDepositCursor } from '../../ledgers/deposit-cursor.ts';
import {
  DOUBTFUL,
  dismissedQuarantined,
  dismissQuarantined,
  openQuarantined,
  type Quarantined,
  resolveQuarantined,
  updateQuarantined,
  walletsOfUnread,
} from '../../ledgers/quarantine-store.ts';
import { OperatorError } from '../../lib/errors.ts';
import type { AccountFilter } from '../../stellar/credits/account-filter.ts';
import { marked } from '../../stellar/ledgers/unknown-arms.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import type { LedgerTransaction } from '../../stellar/stellar.ts';
import { type Reading, readTransactions, record, reportRecorded } from './record.ts';
import { readChangedAssets } from './record-adjustments.ts';
import { createDepositSpans } from './trace-deposits.ts';
import { createWatchedAccounts } from './watched-accounts.ts';

const NONE = 'No transaction waits in quarantine.\n';

/** Lists the quarantined transactions with their reasons, for `teller quarantine`. `all`: dismissed ones too. */
export async function describeQuarantine({ db }: Pick<Deps, 'db'>, { all = false } = {}): Promise<string> {
  const open = await openQuarantined(db);
  const dismissed = all ? await dismissedQuarantined(db) : [];
  const named = await walletsOfUnread(db);
  const describe = (row: Quarantined) => lineOf(row, named.get(row.hash) ?? []);
  return `${open.map(describe).join('') || NONE}${dismissed.map(describe).join('')}`;
}

/** Writes a line about a transaction. `named`: wallets for which nothing is signed while the transaction waits. */
function lineOf(row: Quarantined, named: string[]): string {
  const { hash, ledger, created_at, reason, dismissed_at, dismissed_reason } = row;
  const dismissed = dismissed_at ? `; dismissed ${dismissed_at.toISOString()}: ${dismissed_reason}` : '';
  const blocks = named.length > 0 ? `; nothing is signed for ${named.join(', ')}` : '';
  return `${hash}: ledger ${ledger}, since ${created_at.toISOString()}: ${reason}${blocks}${dismissed}\n`;
}

/**
 * Dismisses a transaction that pays none of the wallets, as a person has found out. It raises no alarm any more. It is kept
 * with the reason, and is still credited if a backfill can read it.
 * @throws OperatorError when the transaction is not in quarantine.
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
 * Reads all quarantined transactions again, for `teller quarantine retry`. `report` gets a line for each.
 * @throws OperatorError when some still cannot be read. The others are credited before that.
 */
export async function retryQuarantine(deps: Deps, report: (text: string) => void): Promise<string> {
  const { read, unread } = await rereadQuarantined(deps, report);
  if (unread > 0)
    throw new OperatorError(`Still in quarantine: ${unread} of ${read + unread}; see the runbook.`);
  return read === 0 ? NONE : `Read: ${read}. ${NONE}`;
}

/**
 * Reads all quarantined transactions again, because a newer version or another source may be able to. Their payments are
 * credited exactly once, however often and wherever this runs. Gives how many could be read and how many could not. `act`: of the
 * leader, which stops when another process leads.
 */
export async function rereadQuarantined(
  deps: Deps,
  report: (text: string) => void,
  { signal, act = actAlone }: { signal?: AbortSignal; act?: Act } = {},
): Promise<{ read: number; unread: number }> {
  const counts = { read: 0, unread: 0 };
  const rows = await openQuarantined(deps.db);
  if (rows.length === 0) return counts;
  const accounts = await createWatchedAccounts(deps.db).upToDate();
  for (const row of rows) {
    if (signal?.aborted) break;
    const reading = await readAgain(deps, accounts, row);
    const [quarantined] = reading.quarantined;
    if (quarantined) {
      counts.unread++;
      await act(deps.db, (trx) => updateQuarantined(trx, quarantined));
      report(`${row.hash}: still cannot be read: ${quarantined.reason}\n`);
    } else {
      const recorded = await recordReadable(deps, { row, reading, act });
      if (recorded === null) break; // another process leads
      counts.read++;
      report(`${row.hash}: read, ${recorded}.\n`);
    }
  }
  return counts;
}

/** Tries three things: the stored XDR; the transaction as its ledger has it; the same with a meta from any source. */
async function readAgain(deps: Deps, accounts: AccountFilter, row: Quarantined): Promise<Reading> {
  const stored = transactionOf(row);
  const before = await readTransactions(deps, accounts, [stored]);
  if (before.quarantined.length === 0) return before;
  const in_ledger = await readInLedger(deps, row);
  const reading = in_ledger ? await readTransactions(deps, accounts, [in_ledger]) : before;
  if (reading.quarantined.length === 0) return reading;
  const found = await deps.stellar.readTransaction(row.hash);
  if (found.found !== 'applied' || found.transaction.meta === null) return reading;
  const withMeta = await readTransactions(deps, accounts, [
    { ...(in_ledger ?? stored), meta: found.transaction.meta },
  ]);
  return withMeta.quarantined.length === 0 ? withMeta : reading;
}

function transactionOf({ hash, ledger, reason, ...xdr }: Quarantined): LedgerTransaction {
  const stored = marked({
    ledger,
    hash,
    envelope: Buffer.from(xdr.envelope_xdr, 'base64'),
    result: Buffer.from(xdr.result_xdr, 'base64'),
    meta: xdr.meta_xdr === null ? null : Buffer.from(xdr.meta_xdr, 'base64'),
  });
  return reason === DOUBTFUL ? { ...stored, isDoubtful: () => true } : stored;
}

/** Reads the whole ledger, because only the ledger proves a result. Null when no source gives the ledger now. */
async function readInLedger(
  { stellar, db }: Pick<Deps, 'stellar' | 'db'>,
  { hash, ledger }: Quarantined,
): Promise<LedgerTransaction | null> {
  try {
    const range = await stellar.readLedgersAfter(ledger - 1, anchorOf(await readDepositCursor(db)));
    if (range.read !== 'ledgers') return null;
    return range.transactions.find((each) => each.hash === hash && each.ledger === ledger) ?? null;
  } catch (error) {
    if (error instanceof NetworkUnavailable) return null; // the next run tries again
    throw error;
  }
}

/** Records a transaction that can be read now. Returns what was recorded, in words; null when another process leads. */
async function recordReadable(
  deps: Deps,
  { row, reading, act }: { row: Quarantined; reading: Reading; act: Act },
): Promise<string | null> {
  const assets = await readChangedAssets(deps, reading.adjustments);
  const now = deps.clock.now();
  const spans = createDepositSpans(deps, deps.traces.now());
  const recorded = await act(deps.db, async (trx) => {
    const recorded = await record(trx, reading, { assets, now, spans });
    // Also for a transaction that mentions no wallet by the rules of this version.
    await resolveQuarantined(trx, [transactionOf(row)], now);
    return recorded;
  });
  if (recorded === null) return null;
  reportRecorded(deps, reading, recorded, spans);
  const { deposits, adjustments } = recorded;
  return `${deposits.length} deposits credited, ${adjustments.length} adjustments recorded`;
}
