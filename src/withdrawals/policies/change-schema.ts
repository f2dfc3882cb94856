/** How the API writes changes of policies that are not in force yet. */
import { z } from 'zod';
import { approvalsInResponse, showApprovals } from '../../approvals/approval-schema.ts';
import { assetInResponse, Id, Stroops, Time } from '../../http/schemas.ts';
import { shownEntry } from './allowed-destinations.ts';
import { ApprovalsResource } from './approval-rules-schema.ts';
import { changeHash } from './change-hash.ts';
import { awaitsApproval, type PendingChange } from './policies.ts';

export const PendingChangeResource = z
  .object({
    id: Id,
    field: z.enum([
      ...(['frozen', 'max_withdrawal_stroops', 'max_rolling_24h_stroops', 'limits'] as const),
      ...(['destinations', 'approvals'] as const),
    ]),
    asset_code: assetInResponse.asset_code.nullable().meta({
      description:
        'The asset of a limit; null for other fields, and for `limits` when no asset is limited any more',
    }),
    asset_issuer: assetInResponse.asset_issuer,
    limit_stroops: Stroops.nullable().meta({
      description: 'For a max_… field: the new limit; null means no limit',
    }),
    max_withdrawal_stroops: Stroops.nullable().meta({
      description: 'For `limits`: the limit of an asset that was refused; null means no limit',
    }),
    max_rolling_24h_stroops: Stroops.nullable().meta({ description: 'The same, for 24 hours' }),
    destination: z.string().nullable().meta({
      description: 'For destinations: the address to add, or the id of the payee; null is everywhere',
    }),
    new_approvals: ApprovalsResource.nullable().meta({
      description: 'For approvals: the new rule; null means no rule',
    }),
    created_at: Time,
    takes_effect_at: Time.meta({
      description:
        'The end of the delay. A change that awaits approvals does not take effect before it has them',
    }),
    status: z.enum(['awaiting_approval', 'pending']),
    ...approvalsInResponse,
  })
  .meta({
    id: 'PendingPolicyChange',
    description:
      'A change to a looser policy that is not in force yet. For the field frozen it unfreezes the wallet. For `limits` it allows an asset that is refused, or removes the limits of all assets.',
  });

export function showChange(wallet_id: string, change: PendingChange) {
  const { created_at, takes_effect_at, approvals: new_approvals, request, destination, ...shown } = change;
  return {
    ...shown,
    destination: destination && shownEntry(destination),
    new_approvals,
    status: awaitsApproval(change) ? ('awaiting_approval' as const) : ('pending' as const),
    approvals_required: request?.approvals_required ?? 0,
    approvals: showApprovals(request?.decisions ?? []),
    order_hash: changeHash(wallet_id, change),
    approval_expires_at: request?.expires_at.toISOString() ?? null,
    created_at: created_at.toISOString(),
    takes_effect_at: takes_effect_at.toISOString(),
  };
}
