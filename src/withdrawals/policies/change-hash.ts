import { approvedHash } from '../../approvals/approval.ts';
import { approvalsText } from './approval-rules.ts';
import type { PendingChange } from './policies.ts';

/**
 * Computes the SHA-256 of what members approve with a change of a wallet's policy, hex. Null when the change needs no
 * approvals.
 */
export function changeHash(wallet_id: string, change: PendingChange): string | null {
  const { request, field, destination, approvals } = change;
  if (request === null) return null;
  const { asset_code, asset_issuer, limit_stroops, max_withdrawal_stroops, max_rolling_24h_stroops } = change;
  const amounts = [limit_stroops, max_withdrawal_stroops, max_rolling_24h_stroops];
  return approvedHash([
    'policy change 1',
    wallet_id,
    change.id,
    field,
    asset_code,
    asset_issuer,
    destination,
    ...amounts.map((amount) => (amount === null ? null : `${amount}`)),
    approvalsText(approvals),
    change.takes_effect_at.toISOString(),
    change.requested_by,
    request.expires_at.toISOString(),
  ]);
}
