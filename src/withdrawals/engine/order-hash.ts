/**
 * What members approve, as one text in fixed form and its hash. The page shows the order with its hash, an approval names the
 * hash, and the signer computes it again from the row that it signs. Fees and the sequence number are not in it, because they
 * are known at signing only; nor is the reference, which changes nothing that is paid.
 */
import { type Approval, approvedHash } from '../../approvals/approval.ts';
import type { AssetFields } from '../../stellar/asset.ts';

/** `wallet_account`: G…. `memo_return`: of a refund, the hash of the deposit's transaction. */
export type ApprovedOrder = AssetFields & {
  wallet_id: string;
  wallet_account: string;
  destination: string;
  amount_stroops: bigint;
  memo_id: bigint | null;
  memo_return: string | null;
  idempotency_key: string;
  requested_by: string | null;
  approval_expires_at: Date | null;
};

/** Returns the SHA-256 of the order, hex. `passphrase`: the network's, so that no other network's order has the same hash. */
export function orderHash(passphrase: string, order: ApprovedOrder): string {
  const memo =
    order.memo_return === null
      ? ['id', order.memo_id === null ? null : `${order.memo_id}`]
      : ['return', order.memo_return];
  return approvedHash([
    'withdrawal 1',
    passphrase,
    order.wallet_id,
    order.wallet_account,
    order.asset_code,
    order.asset_issuer,
    `${order.amount_stroops}`,
    order.destination,
    ...memo,
    order.idempotency_key,
    order.requested_by,
    order.approval_expires_at?.toISOString() ?? null,
  ]);
}

/** The row is not what its members have approved. */
export class NotApproved extends Error {}

/**
 * Checks the approvals of a row before it is signed. A row that needs no approvals passes.
 * @throws NotApproved when the row is another order than its members approved, or too few of them approved it
 */
export function requireApproved(passphrase: string, row: ApprovedOrder & DecidedAbout): void {
  requireDecided('order', row, () => orderHash(passphrase, row));
}

/** What was asked for, and what members have decided about it. */
export type DecidedAbout = {
  approvals_required: number;
  approvals: Approval[];
  order_hash: string | null;
  requested_by: string | null;
};

/**
 * Checks the approvals before anything is signed. What needs no approvals passes. `hashNow` returns the hash of what would be paid now.
 * @throws NotApproved when fewer members than required, the requester not counted, have approved exactly this
 */
export function requireDecided(what: 'order' | 'payout', asked: DecidedAbout, hashNow: () => string): void {
  const { approvals_required, approvals, requested_by } = asked;
  if (asked.order_hash === null && approvals_required === 0) return;
  const order_hash = hashNow();
  if (asked.order_hash !== order_hash) throw new NotApproved(`the ${what} is another one than was requested`);
  if (approvals_required === 0)
    throw new NotApproved(`the ${what} no longer says how many approvals it needs`);
  if (approvals.some(({ decision }) => decision === 'rejected'))
    throw new NotApproved(`a member has rejected the ${what}`);
  const approvers = approvals.filter(
    (each) => each.order_hash === order_hash && each.user_id !== requested_by,
  );
  if (new Set(approvers.map(({ user_id }) => user_id)).size < approvals_required)
    throw new NotApproved(`fewer members than required have approved this ${what}`);
}
