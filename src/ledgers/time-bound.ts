/**
 * The rule of ledger time. A ledger that closed after a time shows that no ledger up to that time is still to come. A ledger that
 * closed at the time shows nothing: from protocol 30 on the next one may close in the same second (CAP-88), and takes what is
 * valid until then. Sources: stellar-core TransactionFrame::isTooLate; its close times never fall.
 */
import { type RawBuilder, sql } from 'kysely';

/** Returns true when no ledger after this one can close at `time` (Unix seconds) or before. */
export function isOver(time: bigint, { close_time }: { close_time: bigint }): boolean {
  return close_time > time;
}

/** Returns the same check for the newest processed ledger, as a condition on withdrawal_cursor in SQL. */
export function isOverAtCursor(time: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`withdrawal_cursor.close_time > ${time}`;
}
