/**
 * Rewinds the deposit cursor to a ledger that the network confirms (`teller rewind`). A source proves its ledgers by its
 * own headers only, so a source with false headers can lead the cursor onto a chain that no other source has.
 *
 * | step                                           | after a crash here                                               |
 * |------------------------------------------------|------------------------------------------------------------------|
 * | find the newest earlier position whose ledger  | nothing has changed                                              |
 * | the source has by its hash                     |                                                                  |
 * | one transaction: set the cursor to it, delete  | all of it is done, or nothing. The ingester continues there      |
 * | the later positions                            |                                                                  |
 * | compare the rows of later ledgers with the     | the same; it writes nothing and can be repeated (`--check`)      |
 * | ledgers of the source                          |                                                                  |
 *
 * When a ledger is read again, no deposit or adjustment is deleted or recorded twice, and no event is sent twice.
 */

import { type Act, createLeadership } from '../../db/leadership.ts';
import type { Deps } from '../../deps.ts';
import {
  anchorOf,
  type KeptPosition,
  keptPositions,
  readDepositCursor,
  rewindCursor,
} from '../../ledgers/deposit-cursor.ts';
import { OperatorError } from '../../lib/errors.ts';
import { stroopsInWords } from '../../lib/stroops.ts';
import { createThrottle } from '../../lib/throttle.ts';
import { assetText } from '../../stellar/asset.ts';
import type { AccountFilter } from '../../stellar/credits/account-filter.ts';
import type { Anchor, LedgerRange, WholeLedgers } from '../../stellar/stellar.ts';
import { answered } from './backfill.ts';
import { readTransactions } from './record.ts';
import { movementsAfter, type RecordedMovement } from './recorded-movements.ts';
import { createWatchedAccounts } from './watched-accounts.ts';

/** Limit of the lock's session: longer than any run takes. The server ends the session when the machine is lost. */
const PATIENCE_MS = 600_000;
const REPORT_MS = 1_000;

/** Runs `work` while no process ingests deposits. @throws OperatorError when one does */
export async function whileNobodyReads<T>(
  deps: Pick<Deps, 'pool' | 'clock' | 'log'>,
  work: (act: Act) => Promise<T>,
): Promise<T> {
  const leadership = createLeadership(deps, 'deposits', PATIENCE_MS);
  if (!(await leadership.hold()))
    throw new OperatorError('A process reads deposits. Stop every process with the role "ingester" first.');
  try {
    return await work(leadership.act);
  } finally {
    await leadership.release();
  }
}

/**
 * Finds the newest stored position, up to `to_ledger` (null: no limit), whose ledger the source has by its hash.
 * @throws OperatorError when there is none, or the source gives no answer
 */
export async function provenPosition(
  deps: Pick<Deps, 'db' | 'stellar'>,
  to_ledger: number | null,
): Promise<KeptPosition> {
  const cursor = await readDepositCursor(deps.db);
  const kept = await keptPositions(deps.db, Math.min(to_ledger ?? cursor.ledger, cursor.ledger));
  let proven: KeptPosition | null = null;
  // In ledger order: ledgers older than the source's history, ledgers that it has, ledgers of another chain.
  let [low, high] = [0, kept.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const position = kept[middle] as KeptPosition;
    const { read } = await readAfter(deps, position.ledger, anchorOf(position));
    const isTooOld = read === 'gap';
    if (read === 'ledgers') proven = position;
    if (isTooOld || proven === position) low = middle + 1;
    else high = middle;
  }
  if (proven) return proven;
  throw new OperatorError(
    `The source has none of the ${kept.length} ledgers that are stored as positions of the deposit cursor${to_ledger === null ? '' : ` up to ledger ${to_ledger}`}. Name a source with a longer history (--rpc-url, --horizon-url).`,
  );
}

/** Returns a summary for the operator. @throws OperatorError when the cursor has moved since the check */
export async function rewindDepositCursor(
  { db, clock, act }: Pick<Deps, 'db' | 'clock'> & { act: Act },
  { ledger, ledger_hash, close_time }: KeptPosition,
): Promise<string> {
  const from = await readDepositCursor(db);
  const to = { ledger, ledger_hash, close_time };
  if (!(await act(db, (trx) => rewindCursor(trx, { from, to, now: clock.now() }))))
    throw new OperatorError('The deposit cursor has moved in the meantime. Try again.');
  return `The reading of deposits was at ledger ${from.ledger} and continues from ledger ${ledger} (${ledger_hash}), which the source has.\n`;
}

/**
 * Lists the deposits, adjustments and settled withdrawals of later ledgers that the chain does not have. Writes nothing.
 * @throws OperatorError when the ledgers cannot be read
 */
export async function compareWithChain(
  deps: Pick<Deps, 'db' | 'stellar' | 'config' | 'clock'>,
  after: KeptPosition,
  report: (text: string) => void,
): Promise<string> {
  const booked = await movementsAfter(deps.db, after.ledger);
  const missing = new Map(booked.map((row) => [keyOf(row), row]));
  const { sequence: newest } = await answered(() => deps.stellar.latestLedger());
  const accounts = await createWatchedAccounts(deps.db).upToDate();
  const isTime = createThrottle(deps.clock, REPORT_MS);
  let through = after.ledger;
  let anchor = anchorOf(after);
  while (through < newest) {
    const range = await readAfter(deps, through, anchor);
    if (range.read !== 'ledgers')
      throw new OperatorError(
        `The ledgers after ${through} cannot be read (${range.read}). To compare again: teller rewind --check --to-ledger ${after.ledger}`,
      );
    for (const key of await keysIn(deps, accounts, range)) missing.delete(key);
    through = range.through_ledger;
    anchor = { ledger: through, hash: range.through_hash };
    if (isTime()) report(`Ledger ${through} of ${newest}: ${missing.size} are not found yet.\n`);
  }
  return inWords(booked, [...missing.values()], { after: after.ledger, through });
}

/** Reads the keys of all deposits, adjustments and transactions in these ledgers. */
async function keysIn(
  deps: Pick<Deps, 'db' | 'stellar' | 'config'>,
  accounts: AccountFilter,
  { transactions }: WholeLedgers,
): Promise<string[]> {
  const { credits, adjustments } = await readTransactions(deps, accounts, transactions);
  const keyIn = (
    kind: 'deposit' | 'adjustment',
    { hash, ...row }: (typeof credits | typeof adjustments)[number],
  ) => movementKey({ ...row, kind, stellar_tx_hash: hash });
  return [
    ...credits.map((credit) => keyIn('deposit', credit)),
    ...adjustments.map((adjustment) => keyIn('adjustment', adjustment)),
    ...transactions.map(({ hash }) => hash),
  ];
}

/**
 * Returns the key of a movement. A withdrawal is compared by its transaction only: its outcome is the task of the withdrawal cursor. So is a change of a
 * trust line, which moves nothing: a source without metas does not show it.
 */
function keyOf(row: RecordedMovement): string {
  const isLineChange = row.kind === 'adjustment' && row.amount_stroops === 0n;
  return row.kind === 'withdrawal' || isLineChange ? row.stellar_tx_hash : movementKey(row);
}

function movementKey(row: Omit<RecordedMovement, 'id' | 'ledger'>): string {
  const { kind, stellar_tx_hash, operation_index, event_index } = row;
  const { wallet_id, asset_code, asset_issuer, amount_stroops } = row;
  const paid = `${amount_stroops} ${asset_code}:${asset_issuer}`;
  return `${kind} ${stellar_tx_hash} ${operation_index} ${event_index} ${wallet_id} ${paid}`;
}

function inWords(
  booked: RecordedMovement[],
  missing: RecordedMovement[],
  ledgers: { after: number; through: number },
): string {
  const { after, through } = ledgers;
  const count = (rows: RecordedMovement[], kind: RecordedMovement['kind']) =>
    rows.filter((row) => row.kind === kind).length;
  const head = `${count(booked, 'deposit')} deposits, ${count(booked, 'adjustment')} adjustments and ${count(booked, 'withdrawal')} settled withdrawals are recorded of ledgers after ${after}.`;
  if (missing.length === 0) return `${head} The chain has them all, read up to ledger ${through}.\n`;
  const lines = missing.map(
    ({ kind, id, wallet_id, stellar_tx_hash, ledger, amount_stroops, ...asset }) =>
      `  ${kind} ${id} of ${wallet_id}: ${stroopsInWords(amount_stroops)} of ${assetText(asset)}, ledger ${ledger}, transaction ${stellar_tx_hash}\n`,
  );
  return `${head} The chain, read up to ledger ${through}, does not have ${missing.length} of them (nothing was deleted; see the runbook):\n${lines.join('')}`;
}

function readAfter(
  { stellar }: Pick<Deps, 'stellar'>,
  ledger: number,
  anchor: Anchor | null,
): Promise<LedgerRange> {
  return answered(() => stellar.readLedgersAfter(ledger, anchor));
}
