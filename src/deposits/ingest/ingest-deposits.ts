/**
 * Reads the ledgers in order and records their payments to our wallets.
 *
 * | step                                   | after a crash here                                                      |
 * |----------------------------------------|-------------------------------------------------------------------------|
 * | read the ledgers after the deposit     | nothing has changed; the ledgers are read again                         |
 * | cursor, or take the prefetched ones    |                                                                         |
 * | update the watched accounts; decode    | the same                                                                |
 * | the transactions that mention one;     |                                                                         |
 * | prefetch the next ledgers              |                                                                         |
 * | one transaction: cursor, deposits,     | all of it is committed, or nothing. A known credit (unique hash,        |
 * | events, deliveries, adjustments,       | operation, event) stays unchanged, and a known adjustment too.          |
 * | quarantine                             |                                                                         |
 * | log adjustments and quarantined ones   | they are recorded and shown, without a line in the log                  |
 *
 * Each write is one of the leader (`act`), so it is refused when another process leads by now (db/leadership.ts).
 * The cursor moves only in such a transaction, from the ledger where it was read to a ledger that was read whole, along the
 * chain of ledger hashes. It never skips ledgers: in any other case reading stops with a reason (ledgers/stop-reasons.ts).
 */

import { strict as assert } from 'node:assert';
import { type Act, actAlone, createLeadership } from '../../db/leadership.ts';
import type { Deps } from '../../deps.ts';
import {
  anchorOf,
  type DepositCursor,
  type DepositPosition,
  moveDepositCursor,
  readDepositCursor,
  recordDepositStopReason,
} from '../../ledgers/deposit-cursor.ts';
import { countQuarantined } from '../../ledgers/quarantine-store.ts';
import {
  ALARM_SECONDS,
  type Alarm,
  createAlarm,
  delayOf,
  lagSeconds,
  type StopReason,
  stopReasonOf,
  unreadable,
} from '../../ledgers/stop-reasons.ts';
import { type AdaptivePoll, createAdaptivePoll } from '../../lib/adaptive-poll.ts';
import { startLoop } from '../../lib/loop.ts';
import { NetworkUnavailable } from '../../stellar/network-unavailable.ts';
import type { LedgerRange, Stellar, WholeLedgers } from '../../stellar/stellar.ts';
import { createPrefetch, type Prefetch } from './prefetch.ts';
import { rereadQuarantined } from './quarantine.ts';
import { type Recorded, readTransactions, record, reportRecorded } from './record.ts';
import { readChangedAssets } from './record-adjustments.ts';
import { createDepositSpans } from './trace-deposits.ts';
import { createWatchedAccounts, type WatchedAccounts } from './watched-accounts.ts';

/** The pause between two polls for a new ledger. */
const POLL = { least_ms: 20, most_ms: 125 };
/** How often quarantined transactions are read again: a source may be back, or the service was upgraded. */
const QUARANTINE_MS = 300_000;

/** The memory of one process between its steps. It only saves work: correctness does not depend on it. */
type Memory = {
  act: Act;
  watched: WatchedAccounts;
  ahead: Prefetch | null;
  poll: AdaptivePoll;
  alarm: Alarm;
  /** Since when no source gives the next ledger; null while one does. */
  unreadable_since_ms: number | null;
};

function createMemory(deps: Deps, ahead: Prefetch | null, act: Act): Memory {
  return {
    act,
    watched: createWatchedAccounts(deps.db),
    ahead,
    poll: createAdaptivePoll(deps.clock, POLL),
    alarm: createAlarm(deps),
    unreadable_since_ms: null,
  };
}

/** Reads ledgers for ever while this process is the leader. Other processes wait to take over. */
export function startIngester(deps: Deps): { stop(): Promise<void> } {
  const leadership = createLeadership(deps, 'deposits');
  const { act } = leadership;
  const ahead = createPrefetch(deps.stellar.readLedgersAfter);
  const memory = createMemory(deps, ahead, act);
  let leads = false;
  const loop = startLoop({
    name: 'ingester',
    step: async () => {
      const led = leads;
      leads = await leadership.hold();
      deps.metrics.leads.set({ work: 'deposits' }, leads ? 1 : 0);
      // The last leader may have ended before it could read quarantined transactions again.
      if (leads && !led) quarantine.wake();
      if (!leads) {
        await ahead.drop();
        memory.alarm.clear();
        return false;
      }
      return (await ingestDeposits(deps, memory)).behind;
    },
    idle_ms: memory.poll.wait_ms,
    clock: deps.clock,
    log: deps.log,
    metrics: deps.metrics,
  });
  // A loop of its own: it may ask the network for each transaction, and must not delay the reading of ledgers.
  const quarantine = startLoop({
    name: 'quarantine',
    step: async (signal) => {
      if (leads) await rereadQuarantined(deps, (text) => deps.log.info(text.trim()), { signal, act });
      return false;
    },
    idle_ms: QUARANTINE_MS,
    clock: deps.clock,
    log: deps.log,
    metrics: deps.metrics,
  });
  return {
    async stop() {
      await Promise.all([loop.stop(), quarantine.stop()]);
      await Promise.all([leadership.release(), ahead.drop()]);
    },
  };
}

/** Runs one step: reads and records the next ledgers. Returns the cursor's ledger, and whether newer ledgers exist already. */
export async function ingestDeposits(
  deps: Deps,
  memory: Memory = createMemory(deps, null, actAlone),
): Promise<{ ledger: number; behind: boolean }> {
  const cursor = await readDepositCursor(deps.db);
  const began = deps.traces.now();
  const range = await readAfter(deps, memory, cursor);
  // When the ledger came, and not when its deposits are recorded: the next one is due an interval after that.
  if (range?.read === 'ledgers') memory.poll.saw(range.through_ledger);
  deps.metrics.quarantined_transactions.set(Number(await countQuarantined(deps.db)));
  const stop_reason = stoppedBy(cursor, range);
  if (range?.read === 'ledgers') return take(deps, memory, { cursor, range, began });
  if (range?.read === 'nothing_new') await rest(deps, memory, cursor);
  if (stop_reason) await raise(deps, memory, cursor, stop_reason);
  return { ledger: cursor.ledger, behind: false };
}

/** Reads the next ledgers. Returns null while no source gives them; `unreadable` after ALARM_SECONDS of that. */
async function readAfter(
  deps: Deps,
  memory: Memory,
  cursor: DepositCursor,
): Promise<LedgerRange | Unreadable | null> {
  const read: Stellar['readLedgersAfter'] = memory.ahead?.after ?? deps.stellar.readLedgersAfter;
  try {
    const range = await read(cursor.ledger, anchorOf(cursor));
    memory.unreadable_since_ms = null;
    return range;
  } catch (error) {
    if (!(error instanceof NetworkUnavailable)) throw error;
    const now_ms = deps.clock.now().getTime();
    memory.unreadable_since_ms ??= now_ms;
    const { protocol_ahead } = error;
    return now_ms - memory.unreadable_since_ms > ALARM_SECONDS * 1000
      ? { read: 'unreadable', protocol_ahead }
      : null;
  }
}

type Unreadable = { read: 'unreadable'; protocol_ahead: number | null };

function stoppedBy(cursor: DepositCursor, range: LedgerRange | Unreadable | null): StopReason | null {
  switch (range?.read) {
    case 'gap':
    case 'reset':
    case 'other_chain':
      return stopReasonOf(cursor, range, 'deposits');
    case 'unreadable':
      return unreadable(cursor, range.protocol_ahead);
    default:
      return null;
  }
}

async function raise(
  deps: Deps,
  memory: Memory,
  cursor: DepositCursor,
  stop_reason: StopReason,
): Promise<void> {
  memory.alarm.report(stop_reason);
  if (cursor.stop_reason !== stop_reason.message)
    await memory.act(deps.db, (trx) => recordDepositStopReason(trx, cursor.ledger, stop_reason.message));
}

/** Clears the stop reason, when there is nothing new to read. */
async function rest(deps: Deps, memory: Memory, cursor: DepositCursor): Promise<void> {
  if (cursor.stop_reason !== null)
    await memory.act(deps.db, (trx) => recordDepositStopReason(trx, cursor.ledger, null));
  const { ledger: sequence, close_time } = cursor;
  if (close_time !== null) reportDelay(deps, memory, cursor, { sequence, close_time });
}

/** Reports how far reading is behind the network, and how far the network is behind our clock. */
function reportDelay(
  { metrics, clock }: Deps,
  { alarm }: Memory,
  at: Pick<DepositCursor, 'ledger' | 'close_time'>,
  newest: { sequence: number; close_time: bigint },
): void {
  metrics.deposit_cursor_ledger.set(at.ledger);
  metrics.deposits_lag_seconds.set(lagSeconds(at, newest.close_time));
  alarm.report(delayOf(at, newest, clock.now()));
}

async function take(
  deps: Deps,
  memory: Memory,
  { cursor, range, began }: { cursor: DepositCursor; range: WholeLedgers; began: number },
) {
  const behind = range.newest_ledger > range.through_ledger;
  if (behind) memory.ahead?.begin({ ledger: range.through_ledger, hash: range.through_hash });
  const reading = await readTransactions(deps, await memory.watched.upToDate(), range.transactions);
  const assets = await readChangedAssets(deps, reading.adjustments);
  const now = deps.clock.now();
  const to = positionAfter(range);
  const spans = createDepositSpans(deps, began);
  const recorded = await memory.act(deps.db, async (trx) => {
    return (await moveDepositCursor(trx, { from: cursor, to, now }))
      ? record(trx, reading, { assets, now, spans })
      : null;
  });
  if (!recorded) return { ledger: cursor.ledger, behind: true }; // another process leads, or has recorded them
  reportRecorded(deps, reading, recorded, spans);
  timeDeposits(deps, range, recorded, now);
  const newest = { sequence: range.newest_ledger, close_time: range.newest_close_time };
  reportDelay(deps, memory, to, newest);
  return { ledger: to.ledger, behind };
}

/** Measures the time to a deposit. The ledger's close time is a whole second, so a deposit can seem to be committed a second before or after. */
function timeDeposits({ metrics }: Deps, range: WholeLedgers, { deposits }: Recorded, now: Date): void {
  const first_ledger = range.through_ledger - range.close_times.length + 1;
  for (const { ledger } of deposits) {
    const close_time = range.close_times[ledger - first_ledger];
    assert(close_time !== undefined, 'the deposit was read in one of these ledgers');
    const seconds = now.getTime() / 1000 - Number(close_time);
    metrics.deposit_commit_seconds.observe(Math.max(0, seconds));
  }
}

/** Returns the position of the cursor after these ledgers. */
export function positionAfter(range: WholeLedgers): DepositPosition {
  const { through_ledger: ledger, through_hash: ledger_hash, through_close_time: close_time } = range;
  return { ledger, ledger_hash, close_time };
}
