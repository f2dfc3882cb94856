/**
 * When this database can be believed to have forgotten nothing: what pays money out, or gives it to somebody for good, asks
 * for that. The accounting of ledgers (withdrawals/follow.ts) keeps what it is decided by.
 */
import { sql } from 'kysely';
import type { Config } from '../config.ts';

/**
 * Of `settle_cursor`: false while ledgers cannot be accounted for, and while this database may be an older copy whose
 * forgotten envelopes are in flight.
 */
export const isAccounted = sql`close_time >= sign_after and trouble is null and database_timeline = database_timeline()`;

/** Two ledgers of a slow network: less is no sign of anything. */
const ORDINARY_SECONDS = 15;

/** How far the accounting may be behind the network for that, in seconds of ledger time. */
export function mostBehindSeconds(config: Pick<Config, 'withdraw_valid_seconds'>): number {
  return Math.max(ORDINARY_SECONDS, Math.ceil(config.withdraw_valid_seconds / 3));
}
