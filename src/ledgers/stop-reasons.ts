/**
 * Why a cursor stands still or lags, and the message for each reason. `gap`, `reset` and `unreadable` are recorded in
 * the row of the cursor (`stop_reason`); the others are computed. Each reason is shown by /readyz, metrics and log;
 * none moves a cursor. What to do about each is in docs/runbook.md ("Deposits are not read", "Nothing is signed").
 *
 * | state        | what is true                                                                     | which cursor |
 * |--------------|----------------------------------------------------------------------------------|--------------|
 * | `gap`        | every source's history begins after the next ledger                              | both         |
 * | `reset`      | the network is below the cursor, or no source's ledgers follow the cursor's      | both         |
 * | `unreadable` | for 30 s no source has given the next ledger whole and proven                    | deposits     |
 * | `behind`     | the cursor's ledger closed more than 30 s before the newest one                  | deposits     |
 * | `stalled`    | the newest ledger of any source closed more than 30 s ago by our clock           | deposits     |
 *
 * A withdrawal cursor that is late stops signing by itself (signing-allowed.ts), so it needs no reason of its own.
 */
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { networkIsAhead } from '../stellar/protocol/known-protocol.ts';
import type { LedgerRange } from '../stellar/stellar.ts';
import type { DepositCursor } from './deposit-cursor.ts';

const STATES = ['gap', 'reset', 'unreadable', 'behind', 'stalled'] as const;

export type StopReason = {
  state: (typeof STATES)[number];
  message: string;
};

/** A healthy network closes a ledger about every 5 s: half a minute without one is a fault. */
export const ALARM_SECONDS = 30;

type StoppedRange = Extract<LedgerRange, { read: 'gap' | 'reset' | 'other_chain' }>;

/** Says why no ledger after the cursor's can be read. `unread` names what stays unread until then. */
export function stopReasonOf(
  { ledger }: { ledger: number },
  range: StoppedRange,
  unread: 'deposits' | 'transactions',
): StopReason {
  switch (range.read) {
    case 'gap':
      return {
        state: 'gap',
        message: `The network source begins at ledger ${range.oldest_ledger}; ${unread} after ledger ${ledger} are unread.`,
      };
    case 'reset':
      return {
        state: 'reset',
        message: `The network is at ledger ${range.latest_ledger}, but ledger ${ledger} is read already: it was reset.`,
      };
    case 'other_chain':
      return {
        state: 'reset',
        message: `The network’s ledger ${ledger + 1} does not follow the ledger ${ledger} that was read, at any source that answers: it was reset, or is another network.`,
      };
  }
}

/** Says why a ledger cannot be read. `protocol_ahead`: the network's protocol, where it is above what this version reads. */
export function unreadable({ ledger }: { ledger: number }, protocol_ahead: number | null): StopReason {
  const why = protocol_ahead === null ? '; the log says why.' : `. ${networkIsAhead(protocol_ahead)}`;
  return {
    state: 'unreadable',
    message: `No source has given ledger ${ledger + 1} whole and proven for ${ALARM_SECONDS} s${why}`,
  };
}

/** Returns how many seconds of ledger time the deposit cursor is behind; 0 before the first ledger was read. */
export function lagSeconds(
  { close_time }: Pick<DepositCursor, 'close_time'>,
  newest_close_time: bigint,
): number {
  return close_time === null ? 0 : Math.max(Number(newest_close_time - close_time), 0);
}

/** Returns `behind` or `stalled`, or null. `newest` is the network's last ledger. */
export function delayOf(
  cursor: Pick<DepositCursor, 'ledger' | 'close_time'>,
  newest: { sequence: number; close_time: bigint },
  now: Date,
): StopReason | null {
  const lag_seconds = lagSeconds(cursor, newest.close_time);
  if (lag_seconds > ALARM_SECONDS) {
    const message = `Ledger ${cursor.ledger} is the last one read, ${lag_seconds} s behind ledger ${newest.sequence}.`;
    return { state: 'behind', message };
  }
  const age_seconds = Math.floor(now.getTime() / 1000) - Number(newest.close_time);
  if (age_seconds <= ALARM_SECONDS) return null;
  const message = `The newest ledger of any source, ${newest.sequence}, closed ${age_seconds} s ago.`;
  return { state: 'stalled', message };
}

/** Reports, by log and metric, the state of the process that reads deposits. */
export type Alarm = {
  /** Logs an error once when a state begins, and a line once when it has ended. */
  report(stop_reason: StopReason | null): void;
  /** Clears the alarm, when another process reads deposits and reports. */
  clear(): void;
};

export function createAlarm({ log, metrics }: { log: Log; metrics: Metrics }): Alarm {
  let state: StopReason['state'] | null = null;
  // A series must exist before its first alarm, or an alert on it may never fire.
  for (const each of STATES) metrics.deposits_stop_reason.set({ state: each }, 0);

  function change(to: StopReason['state'] | null): void {
    if (state) metrics.deposits_stop_reason.set({ state }, 0);
    if (to) metrics.deposits_stop_reason.set({ state: to }, 1);
    state = to;
  }

  return {
    report(stop_reason) {
      if ((stop_reason?.state ?? null) === state) return;
      change(stop_reason?.state ?? null);
      if (stop_reason)
        log.error(
          { state: stop_reason.state },
          `Deposits are not read as they should be. ${stop_reason.message}`,
        );
      else log.info('deposits are read again');
    },
    clear() {
      change(null);
      metrics.deposits_lag_seconds.set(0);
      metrics.quarantined_transactions.set(0);
    },
  };
}
