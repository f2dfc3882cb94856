/**
 * Whether this database may lack transactions that it has made: an older copy does. Code that pays money out, or gives it to
 * somebody for good, checks this first. The processing of ledgers (withdrawals/engine/ingest-outcomes.ts) writes the row that decides it.
 */
import { sql } from 'kysely';
import type { Config } from '../config.ts';

/**
 * A condition on the withdrawal cursor: false while ledgers cannot be processed, and while this database may be an older
 * copy and the envelopes that it lacks may still be in flight.
 */
export const signingAllowed = sql`close_time >= sign_after and stop_reason is null and database_timeline = database_timeline()`;

/** Two ledgers of a slow network. A shorter delay is normal. */
const ORDINARY_SECONDS = 15;

/** How many seconds of ledger time the withdrawal cursor may be behind the network while signing is allowed. */
export function maxLagSeconds(config: Pick<Config, 'withdraw_valid_seconds'>): number {
  return Math.max(ORDINARY_SECONDS, Math.ceil(config.withdraw_valid_seconds / 3));
}
