import type { AwaitingApproval, DecidedApproval } from '../../api/contract.ts';
import { payoutRequest } from '../payouts/payout-request.tsx';
import { changeRequest } from '../policies/change-request.tsx';
import { accessRequest } from './access-request.tsx';
import type { ApprovalRequest } from './request.ts';
import { withdrawalRequest } from './withdrawal-request.tsx';

type Item = AwaitingApproval | DecidedApproval;

/** What a card shows of an item of either list. Null for a kind that a later version of the service has. */
export function requestOf(item: Item): ApprovalRequest | null {
  const { wallet_id, withdrawal, payout, change, access_change } = item;
  if (withdrawal) return withdrawalRequest(withdrawal);
  if (payout) return payoutRequest(payout);
  if (change && wallet_id !== null) return changeRequest(wallet_id, change, !('outcome' in item));
  return access_change && accessRequest(access_change);
}
