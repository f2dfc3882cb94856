/**
 * What the signer asks of a withdrawal that pays a row of a payout: that the row is in the file as it was started, and that
 * members have approved this file where the policy asked for that. The amounts that were approved are those that are signed.
 */
import { NotApproved, requireDecided } from '../engine/order-hash.ts';
import { type HashedRow, type PaidBy, payoutHash, rowHash } from './payout-hash.ts';
import type { FileOfRow, OfPayout } from './payout-row-store.ts';
import type { Payout } from './payout-store.ts';

type SignedRow = HashedRow &
  OfPayout & {
    wallet_id: string;
    wallet_account: string;
    requested_by: string | null;
    memo_return: string | null;
  };

/**
 * Requires that a withdrawal is the row of its payout, and that the payout is as it was started and approved. Call it before
 * signing. A withdrawal that is in no payout passes.
 * @throws NotApproved when the row is another one than in the file, or the file another one than was started or approved
 */
export function requireInFile(passphrase: string, row: SignedRow, file: FileOfRow | undefined): void {
  if (row.payout_id === null) return;
  if (!file) throw new NotApproved('the payout or its row is gone');
  const paid_by: PaidBy = { passphrase, wallet_id: row.wallet_id, wallet_account: row.wallet_account };
  if (file.wallet_id !== row.wallet_id || file.started_at === null)
    throw new NotApproved('the payout is of another wallet, or was not started');
  if (row.memo_return !== null || rowHash(paid_by, row) !== file.row_hash)
    throw new NotApproved('the withdrawal is another one than the row of its payout');
  if (file.found_hash !== file.rows_hash) throw new NotApproved('the rows of the payout were changed');
  if (row.requested_by !== file.requested_by) throw new NotApproved('somebody else has started the payout');
  requirePayoutApproved(paid_by, file);
}

/** @throws NotApproved when fewer members than required have approved exactly this payout */
export function requirePayoutApproved(paid_by: PaidBy, payout: Payout): void {
  requireDecided('payout', payout, () => payoutHash(paid_by, payout));
}
