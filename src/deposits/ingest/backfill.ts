/**
 * Reads ledgers again, from any source of the network, and records the missing deposits and adjustments (`teller backfill`).
 *
 * | step                                    | after a crash here                                                     |
 * |-----------------------------------------|------------------------------------------------------------------------|
 * | read the next ledgers from a source on  | nothing has changed                                                    |
 * | our chain, and decode their credits     |                                                                        |
 * | one transaction: missing deposits,      | all of it is committed, or nothing: the next run finds the rest. A     |
 * | events, deliveries, adjustments,        | deposit (unique hash, operation, event) and its event exist once, and  |
 * | quarantine, and the cursor when it is   | so does an adjustment, even if another process reads the same ledgers  |
 * | reached                                 |                                                                        |
 *
 * | rule                                                | otherwise                                                  |
 * |-----------------------------------------------------|------------------------------------------------------------|
 * | the first source has the cursor's ledger by its     | deposits of another network with the same passphrase (a    |
 * | hash; each page follows the page before by its      | test network before its reset) would be credited for ever  |
 * | hash; a page across the cursor has its ledger       |                                                            |
 * | the cursor moves only from its own ledger, without  | a gap would be skipped                                     |
 * | a gap, along the chain of hashes                    |                                                            |
 * | a range that begins after the cursor does not move  | the same                                                   |
 * | the cursor                                          |                                                            |
 */

import type { Deps } from '../../deps.ts';
import {
  anchorOf,
  type DepositCursor,
  moveDepositCursor,
  readDepositCursor,
} from '../../ledgers/deposit-cursor.ts';
import { OperatorError } from '../../lib/errors.ts';
import { createThrottle } from '../../lib/throttle.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import type { Anchor, WholeLedgers } from '../../stellar/stellar.ts';
import { positionAfter } from './ingest-deposits.ts';
import { createPrefetch, type Prefetch } from './prefetch.ts';
import { type Recorded, readTransactions, record, reportRecorded } from './record.ts';
import { readChangedAssets } from './record-adjustments.ts';
import { createDepositSpans } from './trace-deposits.ts';
import { createWatchedAccounts } from './watched-accounts.ts';

/** `to_ledger` null: up to the newest ledger. */
export type BackfillOrder = { from_ledger: number; to_ledger: number | null };

type Totals = { deposits: number; attributed: number; adjustments: number; quarantined: number };

const REPORT_MS = 1_000;
/** A lost answer is asked for again, so that it does not end a long run. */
const TRIES = 5;
const RETRY_MS = 2_000;

/**
 * Reads a range of ledgers again, and returns a summary for the operator. `report` gets the progress about once a second. It reads whole pages, so it may read a
 * little further than `to_ledger`.
 * @throws OperatorError when the source cannot give these ledgers, or is on another network.
 */
export async function backfill(
  deps: Deps,
  order: BackfillOrder,
  report: (text: string) => void,
): Promise<string> {
  const { from_ledger } = order;
  const to_ledger = await lastLedger(deps, order);
  const ahead = createPrefetch(deps.stellar.readLedgersAfter);
  const watched = createWatchedAccounts(deps.db);
  const isTime = createThrottle(deps.clock, REPORT_MS);
  const totals: Totals = { deposits: 0, attributed: 0, adjustments: 0, quarantined: 0 };
  let after = from_ledger - 1;
  let anchor = anchorOf(await readDepositCursor(deps.db));
  try {
    while (after < to_ledger) {
      const cursor = await readDepositCursor(deps.db);
      const range = await nextPage(deps, ahead, { after, anchor }, order);
      if (!agree(cursor, after, range)) throw otherChain(cursor.ledger);
      // The cursor moves only from its own ledger, so a page must begin right after it.
      const passes = after < cursor.ledger && cursor.ledger < range.through_ledger;
      const next = passes ? cursor.ledger : range.through_ledger;
      const then: Anchor = { ledger: next, hash: range.hashes[next - after] as string };
      if (next < to_ledger) ahead.begin(then);
      const reading = await readTransactions(deps, await watched.upToDate(), range.transactions);
      const assets = await readChangedAssets(deps, reading.adjustments);
      const now = deps.clock.now();
      const spans = createDepositSpans(deps, deps.traces.now());
      const recorded = await deps.db.transaction().execute(async (trx) => {
        const move = { from: cursor, to: positionAfter(range), now };
        if (after === cursor.ledger && !(await moveDepositCursor(trx, move))) return null;
        return record(trx, reading, { assets, now, spans });
      });
      if (!recorded) continue; // an ingester has moved the cursor: try again from the new position
      reportRecorded(deps, reading, recorded, spans);
      add(totals, recorded);
      after = next;
      anchor = then;
      if (isTime()) report(`Ledger ${after} of ${to_ledger}: ${inWords(totals)}.\n`);
    }
  } finally {
    await ahead.drop();
  }
  const cursor = await readDepositCursor(deps.db);
  return `Ledgers ${from_ledger} to ${after} are read: ${inWords(totals)}. The deposit cursor is at ledger ${cursor.ledger}.\n`;
}

async function lastLedger(deps: Deps, { from_ledger, to_ledger }: BackfillOrder): Promise<number> {
  const { sequence } = await answered(() => deps.stellar.latestLedger());
  const last = to_ledger ?? sequence;
  if (last > sequence) throw new OperatorError(`The newest ledger is ${sequence}.`);
  if (last < from_ledger)
    throw new OperatorError(
      `There is no ledger from ${from_ledger} to ${last}: the first ledger is after the last one.`,
    );
  return last;
}

/** Returns false when these ledgers contain the cursor's ledger with another hash. */
function agree({ ledger, ledger_hash }: DepositCursor, after: number, { hashes }: WholeLedgers): boolean {
  const own = hashes[ledger - after];
  return ledger_hash === null || own === undefined || own === ledger_hash;
}

function otherChain(ledger: number): OperatorError {
  return new OperatorError(
    `The source has another hash for ledger ${ledger} than this database: the source has another network, or its network was reset. Nothing was read from it.`,
  );
}

async function nextPage(
  deps: Deps,
  ahead: Prefetch,
  { after, anchor }: { after: number; anchor: Anchor | null },
  order: BackfillOrder,
): Promise<WholeLedgers> {
  const range = await persistently(deps, () => ahead.after(after, anchor)).catch((error: unknown) => {
    if (!(error instanceof OperatorError)) throw error;
    const to = order.to_ledger === null ? '' : ` --to-ledger ${order.to_ledger}`;
    throw new OperatorError(`${error.message} To continue: teller backfill --from-ledger ${after + 1}${to}`);
  });
  if (range.read === 'ledgers') return range;
  if (range.read === 'other_chain') throw otherChain(anchor?.ledger ?? after);
  if (range.read === 'gap')
    throw new OperatorError(
      `The source’s history begins at ledger ${range.oldest_ledger}, after ledger ${after + 1}. Name a source with a longer history (--rpc-url, --horizon-url).`,
    );
  throw new OperatorError(`The source has no ledger ${after + 1}.`);
}

/** Tries `ask` again while there is no answer. @throws OperatorError after TRIES */
async function persistently<T>(deps: Deps, ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await answered(ask);
    } catch (error) {
      if (!(error instanceof OperatorError) || tries === TRIES) throw error;
      await deps.clock.sleep(RETRY_MS);
    }
  }
}

/** Returns the answer of `ask`. @throws OperatorError with the reason, when the network gives no answer */
export async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof NetworkUnavailable)) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    throw new OperatorError(`The network gives no usable answer (${reason}).`);
  }
}

function add(totals: Totals, { deposits, adjustments, quarantined }: Recorded): void {
  totals.deposits += deposits.length;
  totals.attributed += deposits.filter(({ attributed }) => attributed).length;
  totals.adjustments += adjustments.length;
  totals.quarantined += quarantined;
}

function inWords({ deposits, attributed, adjustments, quarantined }: Totals): string {
  const missing = `${deposits} deposits were missing (${attributed} attributed), ${adjustments} adjustments`;
  return `${missing}, ${quarantined} transactions quarantined`;
}
