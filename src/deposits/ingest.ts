/**
 * Reads the ledgers one after the other and records what they pay to our wallets.
 *
 * | step                                   | a crash here leads to                                                   |
 * |----------------------------------------|-------------------------------------------------------------------------|
 * | read the ledgers after the cursor, or  | nothing has happened; they are read again                               |
 * | take those that were fetched ahead     |                                                                         |
 * | bring the watched accounts up to date, | the same                                                                |
 * | judge the transactions that mention    |                                                                         |
 * | one; meanwhile fetch the next ledgers  |                                                                         |
 * | one transaction: cursor, deposits,     | all of it is committed or none; a credit that is known already          |
 * | events, deliveries, quarantine         | (unique hash, operation, event) is left as it is                        |
 *
 * The cursor moves only in such a transaction, only from where it was read, only to a ledger that was read whole, and only
 * along the chain of ledger hashes. Whatever else there is stops the reading in the open (ingest-state.ts): it never jumps.
 */
import type { Chain, LedgerRange } from '../chain/chain.ts';
import { createLeadership } from '../db/leadership.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { startLoop } from '../lib/loop.ts';
import { createPace } from '../lib/pace.ts';
import {
  type Alarm,
  below,
  createAlarm,
  delayOf,
  gapAfter,
  LOUD_SECONDS,
  lagSeconds,
  otherChain,
  type Trouble,
  unreadable,
} from './ingest-state.ts';
import {
  anchorOf,
  type Cursor,
  moveCursor,
  type Position,
  readCursor,
  recordTrouble,
} from './ingest-store.ts';
import { createLookAhead, type LookAhead } from './look-ahead.ts';
import { judgeQuarantined } from './quarantine.ts';
import { judge, record, tell } from './record.ts';
import { createWatched, type Watched } from './watched.ts';

/** Nobody waits for a deposit as for a withdrawal. */
const LOOKS = { least_ms: 500, most_ms: 500 };
/** What waits in quarantine is judged again so often: a source may have been away, or the service was upgraded. */
const QUARANTINE_MS = 300_000;
/** Any fixed number that nothing else in the database uses. */
export const INGESTER_LOCK = 7_354_002;

/** What one process remembers between its steps. It saves work; nothing that must be right depends on it. */
type Memory = {
  watched: Watched;
  ahead: LookAhead | null;
  alarm: Alarm;
  /** Since when no source has given the next ledger. */
  unreadable_since_ms: number | null;
};

function createMemory(deps: Deps, ahead: LookAhead | null): Memory {
  return { watched: createWatched(deps.db), ahead, alarm: createAlarm(deps), unreadable_since_ms: null };
}

/** Reads the ledgers while this process leads; the others wait to take over. */
export function startIngester(deps: Deps): { stop(): Promise<void> } {
  const leadership = createLeadership(deps.pool, INGESTER_LOCK, deps.log);
  const pace = createPace(deps.clock, LOOKS);
  const ahead = createLookAhead(deps.chain.readLedgersAfter);
  const memory = createMemory(deps, ahead);
  let leads = false;
  const loop = startLoop({
    name: 'ingester',
    step: async () => {
      const led = leads;
      leads = await leadership.hold();
      if (leads && !led) quarantine.wake(); // who led before may have died before it could judge them again
      if (!leads) {
        await ahead.drop();
        memory.alarm.rest();
        return false;
      }
      const { ledger, behind } = await ingest(deps, memory);
      pace.saw(ledger);
      return behind;
    },
    idle_ms: pace.wait_ms,
    clock: deps.clock,
    log: deps.log,
  });
  // Apart from the reading, which it must not hold up: it may ask the network for each.
  const quarantine = startLoop({
    name: 'quarantine',
    step: async (signal) => {
      if (leads) await judgeQuarantined(deps, (text) => deps.log.info(text.trim()), signal);
      return false;
    },
    idle_ms: QUARANTINE_MS,
    clock: deps.clock,
    log: deps.log,
  });
  return {
    async stop() {
      await Promise.all([loop.stop(), quarantine.stop()]);
      await Promise.all([leadership.release(), ahead.drop()]);
    },
  };
}

/** One step: the next ledgers, whole. Gives the one it is at then, and whether there are more already. */
export async function ingest(
  deps: Deps,
  memory: Memory = createMemory(deps, null),
): Promise<{ ledger: number; behind: boolean }> {
  const cursor = await readCursor(deps.db);
  deps.metrics.quarantined_transactions.set(Number(cursor.quarantined));
  const range = await readAfter(deps, memory, cursor);
  const trouble = stoppedBy(cursor, range);
  if (range?.read === 'ledgers') return take(deps, memory, cursor, range);
  if (range?.read === 'nothing_new') await rest(deps, memory, cursor);
  if (trouble) await raise(deps, memory, cursor, trouble);
  return { ledger: cursor.ledger, behind: false };
}

/** Null while no source gives them: that is no news until it has lasted. */
async function readAfter(
  deps: Deps,
  memory: Memory,
  cursor: Cursor,
): Promise<LedgerRange | Unreadable | null> {
  const read: Chain['readLedgersAfter'] = memory.ahead?.after ?? deps.chain.readLedgersAfter;
  try {
    const range = await read(cursor.ledger, anchorOf(cursor));
    memory.unreadable_since_ms = null;
    return range;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'network_unavailable')) throw error;
    const now_ms = deps.clock.now().getTime();
    memory.unreadable_since_ms ??= now_ms;
    return now_ms - memory.unreadable_since_ms > LOUD_SECONDS * 1000 ? UNREADABLE : null;
  }
}

type Unreadable = { read: 'unreadable' };
const UNREADABLE: Unreadable = { read: 'unreadable' };

function stoppedBy(cursor: Cursor, range: LedgerRange | Unreadable | null): Trouble | null {
  switch (range?.read) {
    case 'gap':
      return gapAfter(cursor, range.oldest_ledger);
    case 'reset':
      return below(cursor, range.latest_ledger);
    case 'unreadable':
      return unreadable(cursor);
    case 'other_chain':
      return otherChain(cursor);
    default:
      return null;
  }
}

type WholeLedgers = Extract<LedgerRange, { read: 'ledgers' }>;

async function raise(deps: Deps, memory: Memory, cursor: Cursor, trouble: Trouble): Promise<void> {
  memory.alarm.hears(trouble);
  if (cursor.trouble !== trouble.message) await recordTrouble(deps.db, cursor.ledger, trouble.message);
}

/** There is nothing to read, and what was in the way of it is no more. */
async function rest(deps: Deps, memory: Memory, cursor: Cursor): Promise<void> {
  if (cursor.trouble !== null) await recordTrouble(deps.db, cursor.ledger, null);
  const { ledger: sequence, close_time } = cursor;
  if (close_time !== null) look(deps, memory, cursor, { sequence, close_time });
}

/** How far the reading is behind the network, and the network behind our clock. */
function look(
  { metrics, clock }: Deps,
  { alarm }: Memory,
  at: Pick<Cursor, 'ledger' | 'close_time'>,
  newest: { sequence: number; close_time: bigint },
): void {
  metrics.ingested_ledger.set(at.ledger);
  metrics.deposits_lag_seconds.set(lagSeconds(at, newest.close_time));
  alarm.hears(delayOf(at, newest, clock.now()));
}

async function take(deps: Deps, memory: Memory, cursor: Cursor, range: WholeLedgers) {
  const behind = range.newest_ledger > range.through_ledger;
  if (behind) memory.ahead?.begin({ ledger: range.through_ledger, hash: range.through_hash });
  const judged = await judge(deps, await memory.watched.upToDate(), range.transactions);
  const now = deps.clock.now();
  const to = positionAfter(range);
  const recorded = await deps.db.transaction().execute(async (trx) => {
    return (await moveCursor(trx, { from: cursor, to, now })) ? record(trx, judged, now) : null;
  });
  if (!recorded) return { ledger: cursor.ledger, behind: true }; // another process has recorded them
  tell(deps, judged, recorded);
  const newest = { sequence: range.newest_ledger, close_time: range.newest_close_time };
  look(deps, memory, to, newest);
  return { ledger: to.ledger, behind };
}

/** Where the cursor is when these ledgers are recorded. */
export function positionAfter(range: WholeLedgers): Position {
  const { through_ledger: ledger, through_hash: ledger_hash, through_close_time: close_time } = range;
  return { ledger, ledger_hash, close_time };
}
