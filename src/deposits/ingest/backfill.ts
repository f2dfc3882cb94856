/**
 * Reads ledgers again, from any source of the network, and records what is missing (`teller backfill`).
 *
 * | step                                    | a crash here leads to                                                  |
 * |-----------------------------------------|------------------------------------------------------------------------|
 * | read the next ledgers from a source     | nothing has happened                                                   |
 * | that has our chain, judge them          |                                                                        |
 * | one transaction: deposits that are      | all of it is committed or none; the next run finds the rest missing.   |
 * | missing, events, deliveries, quarantine, | A deposit is there once (unique hash, operation, event), its event     |
 * | and the cursor when it is reached       | too, whoever else reads the same ledgers meanwhile                     |
 *
 * Everything that is read is of one chain. The source of the first page shows the cursor's ledger by its hash, or deposits of
 * another network of the same name (like a test network that was reset) would be credited for ever; every page after it
 * follows the one before by its hash, whoever gives it, and where they pass the cursor they must have its ledger.
 *
 * The cursor is moved only from its own ledger to one that was read from there on without a gap, along the chain of
 * hashes: as the ingester does it. A range that begins beyond it leaves it alone. So this is the way out of a gap.
 */

import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../errors.ts';
import {
  anchorOf,
  type DepositCursor,
  moveDepositCursor,
  readDepositCursor,
} from '../../ledgers/deposit-cursor.ts';
import { createThrottle } from '../../lib/throttle.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import type { Anchor, LedgerRange } from '../../stellar/stellar.ts';
import { positionAfter } from './ingest-deposits.ts';
import { createPrefetch, type Prefetch } from './prefetch.ts';
import { type Recorded, readCredits, record, tell } from './record.ts';
import { createWatched } from './watched-accounts.ts';

/** `to_ledger` null: up to the newest. */
export type BackfillOrder = { from_ledger: number; to_ledger: number | null };

type WholeLedgers = Extract<LedgerRange, { read: 'ledgers' }>;
type Totals = { deposits: number; attributed: number; quarantined: number };

const REPORT_MS = 1_000;
/** A source that says nothing is asked again, so that a long run does not end with one lost answer. */
const TRIES = 5;
const RETRY_MS = 2_000;

/**
 * `report` is told how it goes, about once a second; the answer says what was done. Pages are whole: it may read a little
 * further than `to_ledger`.
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
  const watched = createWatched(deps.db);
  const isTime = createThrottle(deps.clock, REPORT_MS);
  const totals: Totals = { deposits: 0, attributed: 0, quarantined: 0 };
  let after = from_ledger - 1;
  let anchor = anchorOf(await readDepositCursor(deps.db));
  try {
    while (after < to_ledger) {
      const cursor = await readDepositCursor(deps.db);
      const range = await nextPage(deps, ahead, { after, anchor }, order);
      if (!agree(cursor, after, range)) throw otherChain(cursor.ledger);
      // The cursor moves only from where it is, so a page must begin after it.
      const passes = after < cursor.ledger && cursor.ledger < range.through_ledger;
      const next = passes ? cursor.ledger : range.through_ledger;
      const then: Anchor = { ledger: next, hash: range.hashes[next - after] as string };
      if (next < to_ledger) ahead.begin(then);
      const reading = await readCredits(deps, await watched.upToDate(), range.transactions);
      const now = deps.clock.now();
      const recorded = await deps.db.transaction().execute(async (trx) => {
        const move = { from: cursor, to: positionAfter(range), now };
        if (after === cursor.ledger && !(await moveDepositCursor(trx, move))) return null;
        return record(trx, reading, now);
      });
      if (!recorded) continue; // an ingester has moved the cursor meanwhile: where it is now decides
      tell(deps, reading, recorded);
      add(totals, recorded);
      after = next;
      anchor = then;
      if (isTime()) report(`Ledger ${after} of ${to_ledger}: ${inWords(totals)}.\n`);
    }
  } finally {
    await ahead.drop();
  }
  const cursor = await readDepositCursor(deps.db);
  return `Ledgers ${from_ledger} to ${after} are read: ${inWords(totals)}. The reading of deposits is at ledger ${cursor.ledger}.\n`;
}

async function lastLedger(deps: Deps, { from_ledger, to_ledger }: BackfillOrder): Promise<number> {
  const { sequence } = await answered(() => deps.stellar.latestLedger());
  const last = to_ledger ?? sequence;
  if (last > sequence) throw new OperatorError(`The newest ledger is ${sequence}.`);
  if (last < from_ledger) throw new OperatorError(`There is no ledger from ${from_ledger} to ${last}.`);
  return last;
}

/** Whether these ledgers have the cursor's, if it is among them. */
function agree({ ledger, ledger_hash }: DepositCursor, after: number, { hashes }: WholeLedgers): boolean {
  const own = hashes[ledger - after];
  return ledger_hash === null || own === undefined || own === ledger_hash;
}

function otherChain(ledger: number): OperatorError {
  return new OperatorError(
    `The source has another ledger ${ledger} than the one that was read: it was reset, or is another network. Nothing was read from there.`,
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
    throw new OperatorError(`${error.message} To go on: teller backfill --from-ledger ${after + 1}${to}`);
  });
  if (range.read === 'ledgers') return range;
  if (range.read === 'other_chain') throw otherChain(anchor?.ledger ?? after);
  if (range.read === 'gap')
    throw new OperatorError(
      `The source’s history begins at ledger ${range.oldest_ledger}: ledger ${after + 1} is not in it. Name one with a longer history (--rpc-url, --horizon-url).`,
    );
  throw new OperatorError(`The source has no ledger ${after + 1}.`);
}

/** A rejection of `ask` that is no answer is an answer to a person after some tries. */
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

/** @throws OperatorError with the reason, when there is no answer. */
export async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof NetworkUnavailable)) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    throw new OperatorError(`The network gives no usable answer (${reason}).`);
  }
}

function add(totals: Totals, { deposits, quarantined }: Recorded): void {
  totals.deposits += deposits.length;
  totals.attributed += deposits.filter(({ attributed }) => attributed).length;
  totals.quarantined += quarantined;
}

function inWords({ deposits, attributed, quarantined }: Totals): string {
  return `${deposits} deposits were missing (${attributed} attributed), ${quarantined} transactions quarantined`;
}
