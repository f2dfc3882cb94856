/** What a person does about transactions that mention a wallet and could not be read (record.ts). */
import type { AccountFilter } from '../chain/account-filter.ts';
import type { LedgerTransaction } from '../chain/chain.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../errors.ts';
import { explainQuarantined, openQuarantined, type Quarantined, resolveQuarantined } from './ingest-store.ts';
import { type Judged, judge, record, tell } from './record.ts';
import { createWatched } from './watched.ts';

const NONE = 'No transaction waits in quarantine.\n';

/** Those that wait, and why each could not be read, in words. */
export async function describeQuarantine({ db }: Pick<Deps, 'db'>): Promise<string> {
  const rows = await openQuarantined(db);
  if (rows.length === 0) return NONE;
  return rows
    .map(
      ({ hash, ledger, created_at, reason }) =>
        `${hash}: ledger ${ledger}, since ${created_at.toISOString()}: ${reason}\n`,
    )
    .join('');
}

/**
 * Judges them again at once, and tells a person. `report` is told of each.
 * @throws OperatorError when some still cannot be read; the others are credited all the same.
 */
export async function retryQuarantine(deps: Deps, report: (text: string) => void): Promise<string> {
  const { read, unread } = await judgeQuarantined(deps, report);
  if (unread > 0)
    throw new OperatorError(`Still in quarantine: ${unread} of ${read + unread}; see the runbook.`);
  return read === 0 ? NONE : `Read: ${read}. ${NONE}`;
}

/**
 * Judges them again, as a newer version or another source may be able to read them. What they pay is credited as if it
 * had been read at first, once, however often this runs and whoever does. Gives how many could be read and could not.
 */
export async function judgeQuarantined(
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
    const judged = await judgeAgain(deps, accounts, row);
    const [poisoned] = judged.poisoned;
    if (poisoned) {
      counts.unread++;
      await explainQuarantined(deps.db, row.hash, poisoned.reason);
      report(`${row.hash}: still cannot be read: ${poisoned.reason}\n`);
    } else {
      counts.read++;
      report(`${row.hash}: read, ${await recordReadable(deps, row, judged)} deposits credited.\n`);
    }
  }
  return counts;
}

/** By what was kept of it, and when that does not do, by the meta that a source has for it now. */
async function judgeAgain(deps: Deps, accounts: AccountFilter, row: Quarantined): Promise<Judged> {
  const transaction: LedgerTransaction = {
    ledger: row.ledger,
    hash: row.hash,
    envelope: Buffer.from(row.envelope_xdr, 'base64'),
    result: Buffer.from(row.result_xdr, 'base64'),
    meta: row.meta_xdr === null ? null : Buffer.from(row.meta_xdr, 'base64'),
  };
  const judged = await judge(deps, accounts, [transaction]);
  if (judged.poisoned.length === 0) return judged;
  const again = await deps.chain.readTransaction(row.hash);
  if (again.found !== 'applied' || again.transaction.meta === null) return judged;
  return judge(deps, accounts, [{ ...transaction, meta: again.transaction.meta }]);
}

async function recordReadable(deps: Deps, { hash }: Quarantined, judged: Judged): Promise<number> {
  const now = deps.clock.now();
  const recorded = await deps.db.transaction().execute(async (trx) => {
    const recorded = await record(trx, judged, now);
    // Also when by the rules of this version it mentions no wallet.
    await resolveQuarantined(trx, [hash], now);
    return recorded;
  });
  tell(deps, judged, recorded);
  return recorded.deposits.length;
}
