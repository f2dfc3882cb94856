/**
 * Withdrawals rely on one rule: this database knows every envelope that may be in flight. An older copy of the database
 * (restored, or promoted without its newest commits) may show a paid withdrawal as waiting. Signing it again would pay
 * twice. So money moves only while `signingAllowed` is true.
 *
 * | who reads it                                         | what it guards                                          |
 * |------------------------------------------------------|---------------------------------------------------------|
 * | withdrawals/engine/tx-source-store.ts assignTxSources | no withdrawal gets a transaction source                |
 * | withdrawals/engine/store.ts recordSigned              | no envelope is committed, even if it is signed already |
 * | `mayHaveForgotten` below, for deposits/inbox/assign-deposit.ts | no deposit is assigned that may be refunded already    |
 *
 * These files write the columns that it reads: withdrawals/engine/ingest-outcomes.ts, withdrawals/operator/unmatched.ts
 * (`skipUnreadLedgers`) and rewind-withdrawal-cursor.ts, all through withdrawal-cursor.ts.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Trx } from '../db/database.ts';
import { isOverAtCursor } from './time-bound.ts';

/**
 * How far ledgers must be processed at least: up to the ledger of this number, and up to one that closed at `close_time` (Unix
 * seconds) or later. The time is how old the newest processed ledger may be: that others of the same second follow does not matter.
 */
type Least = { ledger?: number; close_time?: bigint };

/**
 * Returns a condition in SQL. It is false while ledgers cannot be processed, and while this database may be an older copy with
 * forgotten envelopes in flight. PostgreSQL's own timeline tells of a promotion or a restore.
 */
export function signingAllowed({ ledger = 0, close_time = 0n }: Least = {}): RawBuilder<boolean> {
  return sql`exists (
    select from withdrawal_cursor
     where ${isOverAtCursor(sql`sign_after`)} and stop_reason is null and database_timeline = database_timeline()
       and ledger >= ${ledger}::int and close_time >= ${close_time}::bigint)`;
}

/** The time between two ledgers of a slow network: a shorter lag says nothing. */
const ORDINARY_SECONDS = 15;

/** Returns how many seconds of ledger time the withdrawal cursor may be behind the network while money moves. */
export function maxLagSeconds(config: Pick<Config, 'withdraw_valid_seconds'>): number {
  return Math.max(ORDINARY_SECONDS, Math.ceil(config.withdraw_valid_seconds / 3));
}

/**
 * Checks whether the ledger may have a refund that this database does not know: the cursor's ledger closed
 * before `least_close_time` (Unix seconds), signing is not allowed, the wallet has an unmatched transaction that blocks it, or
 * an unmatched transaction is the refund of `paid_by` (the hash of a deposit's transaction), even if a person accepted it.
 */
export async function mayHaveForgotten(
  trx: Trx,
  { wallet_id, paid_by }: { wallet_id: string; paid_by: string },
  least_close_time: bigint,
): Promise<boolean> {
  const { rows } = await sql<{ forgotten: boolean }>`
    select exists (select from withdrawal_cursor) and not ${signingAllowed({ close_time: least_close_time })}
        or exists (select from unmatched_transactions
                    where wallet_id = ${wallet_id}
                      and (resolved_at is null and key_fingerprint is null
                           or refunds_hash = ${paid_by} and withdrawal_id is null and released_at is null)) as forgotten
  `.execute(trx);
  return rows[0]?.forgotten ?? true;
}
