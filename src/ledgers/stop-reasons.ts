/**
 * Why deposits are not read as they should be. Each of these is loud (/readyz, metrics, log), none moves the cursor; the
 * way out of each is in docs/runbook.md ("Deposits are not read").
 *
 * | state        | what is true                                                                     | who can tell       |
 * |--------------|----------------------------------------------------------------------------------|--------------------|
 * | `gap`        | every source's history begins after the ledger that is next                      | the row's `stop_reason` |
 * | `reset`      | the network is below the cursor, or no source's ledgers follow the cursor's      | the row's `stop_reason` |
 * | `unreadable` | for 30 s no source has given the next ledger whole and proven                    | the row's `stop_reason` |
 * | `behind`     | the cursor's ledger closed more than 30 s before the newest one                  | cursor and network |
 * | `stalled`    | the newest ledger of any source closed more than 30 s ago by our clock           | cursor and network |
 */
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { DepositCursor } from './deposit-cursor.ts';

const STATES = ['gap', 'reset', 'unreadable', 'behind', 'stalled'] as const;

export type StopReason = {
  state: (typeof STATES)[number];
  message: string;
};

/** A healthy network closes a ledger every 5 s or so; half a minute without one means that something stands. */
export const LOUD_SECONDS = 30;

export function gapAfter({ ledger }: Pick<DepositCursor, 'ledger'>, oldest_ledger: number): StopReason {
  return {
    state: 'gap',
    message: `The network source begins at ledger ${oldest_ledger}; deposits after ledger ${ledger} are unread.`,
  };
}

export function below({ ledger }: Pick<DepositCursor, 'ledger'>, latest_ledger: number): StopReason {
  return {
    state: 'reset',
    message: `The network is at ledger ${latest_ledger}, but ledger ${ledger} is read already: it was reset.`,
  };
}

export function otherChain({ ledger }: Pick<DepositCursor, 'ledger'>): StopReason {
  return {
    state: 'reset',
    message: `The network’s ledger ${ledger + 1} does not follow the ledger ${ledger} that was read, at any source that answers: it was reset, or is another network.`,
  };
}

export function unreadable({ ledger }: Pick<DepositCursor, 'ledger'>): StopReason {
  return {
    state: 'unreadable',
    message: `No source has given ledger ${ledger + 1} whole and proven for ${LOUD_SECONDS} s; the log says why.`,
  };
}

/** Seconds of ledger time by which the reading is behind; 0 before the first ledger was read. */
export function lagSeconds(
  { close_time }: Pick<DepositCursor, 'close_time'>,
  newest_close_time: bigint,
): number {
  return close_time === null ? 0 : Math.max(Number(newest_close_time - close_time), 0);
}

/** `behind` or `stalled`; null when neither. `newest`: the last ledger that the network has. */
export function delayOf(
  cursor: Pick<DepositCursor, 'ledger' | 'close_time'>,
  newest: { sequence: number; close_time: bigint },
  now: Date,
): StopReason | null {
  const lag_seconds = lagSeconds(cursor, newest.close_time);
  if (lag_seconds > LOUD_SECONDS) {
    const message = `Ledger ${cursor.ledger} is the last one read, ${lag_seconds} s behind ledger ${newest.sequence}.`;
    return { state: 'behind', message };
  }
  const age_seconds = Math.floor(now.getTime() / 1000) - Number(newest.close_time);
  if (age_seconds <= LOUD_SECONDS) return null;
  const message = `The newest ledger of any source, ${newest.sequence}, closed ${age_seconds} s ago.`;
  return { state: 'stalled', message };
}

/** What the process that reads says of it: at error once when a state begins, and once when it has ended. */
export type Alarm = {
  hears(stop_reason: StopReason | null): void;
  /** Another process reads now, and says what there is to say. */
  rest(): void;
};

export function createAlarm({ log, metrics }: { log: Log; metrics: Metrics }): Alarm {
  let state: StopReason['state'] | null = null;
  // An alert on a series that is not there before the first stop_reason may never fire.
  for (const each of STATES) metrics.deposits_stop_reason.set({ state: each }, 0);

  function change(to: StopReason['state'] | null): void {
    if (state) metrics.deposits_stop_reason.set({ state }, 0);
    if (to) metrics.deposits_stop_reason.set({ state: to }, 1);
    state = to;
  }

  return {
    hears(stop_reason) {
      if ((stop_reason?.state ?? null) === state) return;
      change(stop_reason?.state ?? null);
      if (stop_reason)
        log.error(
          { state: stop_reason.state },
          `Deposits are not read as they should be. ${stop_reason.message}`,
        );
      else log.info('deposits are read again');
    },
    rest() {
      change(null);
      metrics.deposits_lag_seconds.set(0);
      metrics.quarantined_transactions.set(0);
    },
  };
}
