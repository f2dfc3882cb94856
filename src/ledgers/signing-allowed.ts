/**
 * When this database can be believed to have forgotten nothing: what pays money out, or gives it to somebody for good, asks
 * for that. The accounting of ledgers (withdrawals/engine/ingest-outcomes.ts) keeps what it is decided by.
 */
import { sql } from 'kysely';
import type { Config } from '../config.ts';

/**
 * Of `withdrawal_cursor`: false while ledgers cannot be processed, and while this database may be an older copy whose
 * forgotten envelopes are in flight.
 */
export const signingAllowed = sql`close_time >= sign_after and stop_reason is null and database_timeline = database_timeline()`;

/** Two ledgers of a slow network: less is no sign of anything. */
const ORDINARY_SECONDS = 15;

/** How far the withdrawal cursor may be behind the network for that, in seconds of ledger time. */
export function maxLagSeconds(config: Pick<Config, 'withdraw_valid_seconds'>): number {
  return Math.max(ORDINARY_SECONDS, Math.ceil(config.withdraw_valid_seconds / 3));
}
