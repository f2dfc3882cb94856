/**
 * What members approve of a payout, as hashes. The hash of a row is over what it pays; that of the file over the hashes of its
 * rows in order; the order hash, which an approval names, over the file and who asks. Before a row is signed, all three are
 * computed again.
 */
import { hash } from 'node:crypto';
import { approvedHash } from '../../approvals/approval.ts';
import type { AssetFields } from '../../stellar/asset.ts';

/** `wallet_account`: G…. */
export type PaidBy = { passphrase: string; wallet_id: string; wallet_account: string };

export type HashedRow = AssetFields & {
  idempotency_key: string;
  destination: string;
  amount_stroops: bigint;
  memo_id: bigint | null;
};

/** Computes the SHA-256 of what a row pays, hex. */
export function rowHash({ passphrase, wallet_id, wallet_account }: PaidBy, row: HashedRow): string {
  return approvedHash([
    'payout row 1',
    passphrase,
    wallet_id,
    wallet_account,
    row.asset_code,
    row.asset_issuer,
    `${row.amount_stroops}`,
    row.destination,
    row.memo_id === null ? null : `${row.memo_id}`,
    row.idempotency_key,
  ]);
}

/** Computes the SHA-256 of the whole file, hex. payout-store.ts computes the same in SQL. */
export function rowsHash(row_hashes: string[]): string {
  return hash('sha256', row_hashes.join(''));
}

export type ApprovedPayout = {
  id: string;
  row_count: number;
  rows_hash: string;
  requested_by: string | null;
  approval_expires_at: Date | null;
};

/** Computes the SHA-256 of what an approval of the payout is about, hex. */
export function payoutHash(
  { passphrase, wallet_id, wallet_account }: PaidBy,
  payout: ApprovedPayout,
): string {
  const { id, row_count, rows_hash, requested_by, approval_expires_at } = payout;
  return approvedHash([
    'payout 1',
    passphrase,
    wallet_id,
    wallet_account,
    id,
    row_count,
    rows_hash,
    requested_by,
    approval_expires_at?.toISOString() ?? null,
  ]);
}
