/** How the API writes changes of access that members must approve. */
import { z } from 'zod';
import { approvalsInResponse, showApprovals } from '../../approvals/approval-schema.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import { Id, Time } from '../../http/schemas.ts';
import type { AccessChangeView } from './access-change-store.ts';

/** The operations that may await approvals. */
const OPERATIONS = [
  'addMember',
  'changeMember',
  'createInvitation',
  'createServiceUser',
  'changeServiceUser',
  'addServiceUserSecret',
  'createApiKey',
  'regenerateApiKey',
  'createPayee',
  'changePayee',
] as const;

export const AccessChangeResource = z
  .object({
    id: Id,
    status: z.enum(['awaiting_approval', 'approved']).meta({
      description:
        '`approved`: its requester sends the same request again, which then does it, before `approval_expires_at`',
    }),
    operation: z.enum(OPERATIONS).meta({ description: 'The operation that was requested' }),
    wallet_id: Id.nullable().meta({
      description: 'Of an API key; null for members, service users and payees',
    }),
    target_id: Id.nullable().meta({
      description: 'The member, service user or payee that is changed; null for what is made',
    }),
    change: z.record(z.string(), z.unknown()).meta({
      description: 'What it does, without secrets. `before`: what is there now',
    }),
    created_at: Time,
    ...approvalsInResponse,
  })
  .meta({
    id: 'AccessChange',
    description:
      'A change of who has access or of whom the team pays, which other members must approve first.',
  });

/** The response of an operation that awaits approvals. */
export const AwaitsApprovalResponse = { 202: envelopeSchema(AccessChangeResource) };

export function showAwaitsApproval({ access_change }: { access_change: AccessChangeView }) {
  return envelope(202, showAccessChange(access_change));
}

export function showAccessChange(view: AccessChangeView) {
  const { id, wallet_id, target_id, requested_by, approvals_required, order_hash } = view;
  return {
    id,
    wallet_id,
    target_id,
    requested_by,
    approvals_required,
    order_hash,
    status: view.is_approved ? ('approved' as const) : ('awaiting_approval' as const),
    operation: view.operation as (typeof OPERATIONS)[number],
    change: JSON.parse(view.change) as Record<string, unknown>,
    created_at: view.created_at.toISOString(),
    approvals: showApprovals(view.approvals),
    approval_expires_at: view.expires_at.toISOString(),
  };
}
