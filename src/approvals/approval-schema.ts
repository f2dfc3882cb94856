/** How the API writes approvals. */
import { z } from 'zod';
import { Id, NOT_BLANK, Time } from '../http/schemas.ts';
import type { Approval } from './approval.ts';

/** The fields of what awaits approvals, in its own resource. */
export const approvalsInResponse = {
  requested_by: Id.nullable().meta({ description: 'The user who asked for it; null where it is not known' }),
  approvals_required: z
    .int()
    .meta({ description: 'How many members must approve it; 0 when it needs no approvals' }),
  approvals: z
    .array(
      z
        .object({
          user_id: Id,
          decision: z.enum(['approved', 'rejected']),
          comment: z.string().nullable(),
          at: Time,
        })
        .meta({ id: 'Approval' }),
    )
    .meta({
      description:
        'What members have decided. An approval counts while its member may still approve: one who has left, or has other rights since, does not',
    }),
  order_hash: z.string().nullable().meta({
    description:
      'SHA-256 of what is approved, hex. An approval sends it back, so that nobody approves what they did not see. Null without approvals',
  }),
  approval_expires_at: Time.nullable().meta({
    description: 'When it ends unless it is approved; null without approvals',
  }),
};

export const DecisionBody = z
  .strictObject({
    order_hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be the order_hash of what is decided')
      .meta({
        description: 'The `order_hash` that the member saw. 409 `order_changed` when it is another by now',
      }),
    comment: z
      .string()
      .trim()
      .min(1, 'must not be empty')
      .max(500, 'must have at most 500 characters')
      .refine((text) => !text.includes('\0'), 'must not have a zero character')
      .meta({ pattern: NOT_BLANK })
      .optional(),
  })
  .meta({ id: 'DecisionBody' });

export function showApprovals(approvals: Approval[]) {
  return approvals.map(({ order_hash: _, ...approval }) => approval);
}
