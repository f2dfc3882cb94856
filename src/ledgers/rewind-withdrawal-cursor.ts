import type { Deps } from '../deps.ts';
import { OperatorError } from '../errors.ts';
import { moveWithdrawalCursor, readWithdrawalCursor } from './withdrawal-cursor.ts';

/** A ledger that the chain has; `close_time` in Unix seconds, null where it is not known. */
type NetworkLedger = { ledger: number; ledger_hash: string; close_time: bigint | null };

/**
 * Accounts for the ledgers after this one again, because those that were processed may be of another chain; gives what was
 * done, in words. Settled withdrawals stay as they are, and transactions that contradict them become unmatched transactions. What may be in
 * submission meanwhile is waited for, as after a restore.
 * @throws OperatorError when the withdrawal cursor has moved meanwhile; AppError `network_unavailable`
 */
export async function rewindWithdrawalCursor(
  deps: Pick<Deps, 'db' | 'stellar' | 'clock' | 'config'>,
  { ledger, ledger_hash, close_time }: NetworkLedger,
): Promise<string> {
  const cursor = await readWithdrawalCursor(deps.db);
  if (!cursor) return 'The accounting of withdrawals has not begun.\n';
  if (cursor.ledger < ledger || cursor.ledger_hash === ledger_hash)
    return `The accounting of withdrawals is at ledger ${cursor.ledger} and stays there.\n`;
  const latest = await deps.stellar.latestLedger();
  const wait = latest.close_time + BigInt(deps.config.withdraw_valid_seconds);
  const moved = await moveWithdrawalCursor(deps.db, {
    from: cursor,
    to: { ledger, ledger_hash, close_time: close_time ?? 0n, sign_after: wait },
    now: deps.clock.now(),
  });
  if (!moved) throw new OperatorError('The accounting has gone on in the meantime: try again.');
  return `The accounting of withdrawals was at ledger ${cursor.ledger} and goes on from ledger ${ledger}.\n`;
}
