import type { Deps } from '../deps.ts';
import { OperatorError } from '../lib/errors.ts';
import { signAfter } from './sign-after.ts';
import { moveWithdrawalCursor, readWithdrawalCursor } from './withdrawal-cursor.ts';

/** A ledger that the network confirms; `close_time` in Unix seconds, null where it is not known. */
type ConfirmedLedger = { ledger: number; ledger_hash: string; close_time: bigint | null };

/**
 * Rewinds the withdrawal cursor to a ledger that the network confirms, after a faulty source; returns a text for the
 * operator. Recorded outcomes stay: a transaction that contradicts one becomes an unmatched transaction. Signing waits
 * until every envelope that may be in flight has expired, as after a restore.
 * @throws OperatorError when the cursor has moved in the meantime; NetworkUnavailable
 */
export async function rewindWithdrawalCursor(
  deps: Pick<Deps, 'db' | 'stellar' | 'clock' | 'config'>,
  { ledger, ledger_hash, close_time }: ConfirmedLedger,
): Promise<string> {
  const cursor = await readWithdrawalCursor(deps.db);
  if (!cursor) return 'The withdrawal cursor has not begun.\n';
  if (cursor.ledger < ledger || cursor.ledger_hash === ledger_hash)
    return `The withdrawal cursor is at ledger ${cursor.ledger} and stays there.\n`;
  const latest = await deps.stellar.latestLedger();
  const sign_after = signAfter(deps, latest.close_time, cursor);
  const moved = await moveWithdrawalCursor(deps.db, {
    from: cursor,
    to: { ledger, ledger_hash, close_time: close_time ?? 0n, sign_after },
    now: deps.clock.now(),
  });
  if (!moved) throw new OperatorError('The withdrawal cursor has moved in the meantime. Try again.');
  return `The withdrawal cursor was at ledger ${cursor.ledger} and continues from ledger ${ledger}.\n`;
}
