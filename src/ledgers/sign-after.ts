/** Pure: until when nothing is signed, because this database may have forgotten envelopes that are in flight. */
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { WithdrawalCursor } from './withdrawal-cursor.ts';

/** A source may be this far behind, and a wrong clock may hide it. */
const LEAST_LAG_SECONDS = 20n;
/** Of what the machine's clock says: the clock may be wrong, and then the wait is for nothing. */
const MOST_LAG_SECONDS = 60n;

/**
 * Returns the newest close time (Unix seconds of ledger time) at which something forgotten may be applied.
 *
 * A forgotten envelope was signed before now, and a ledger can include it for as long as it is valid. `newest_close_time` is
 * what one source says of now, and that source may lag. The machine's clock can only make the wait longer, and not by much.
 */
export function signAfter(
  { clock, config }: { clock: Pick<Clock, 'now'>; config: Pick<Config, 'withdraw_valid_seconds'> },
  newest_close_time: bigint,
  cursor: Pick<WithdrawalCursor, 'longest_valid_seconds'> | null,
): bigint {
  const behind = BigInt(Math.floor(clock.now().getTime() / 1000)) - newest_close_time;
  const lag = behind < LEAST_LAG_SECONDS ? LEAST_LAG_SECONDS : behind;
  const valid_seconds = Math.max(config.withdraw_valid_seconds, cursor?.longest_valid_seconds ?? 0);
  return newest_close_time + (lag < MOST_LAG_SECONDS ? lag : MOST_LAG_SECONDS) + BigInt(valid_seconds);
}
