/** The answer to an order of a withdrawal: held until its outcome, or earlier where the caller prefers that (RFC 7240). */
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { envelope } from '../../http/envelope.ts';
import type { Preferences } from '../../http/prefer.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import type { Withdrawal } from '../engine/store.ts';
import { POLICY_ERRORS } from '../policies/policy-rules.ts';
import { showWithdrawal } from './schema.ts';

/** The error codes of a withdrawal and of a refund: both begin at the preflight and wait for the outcome. */
export const PAYMENT_ERRORS = [
  ...POLICY_ERRORS,
  'idempotency_key_reused',
  'idempotency_key_in_flight',
  'idempotency_key_mismatch',
  'possible_duplicate',
  'wallet_unfunded',
  'destination_not_supported',
  'transfer_would_fail',
  'fee_above_limit',
  'treasury_budget_spent',
  'treasury_unfunded',
  'network_unavailable',
  'outcome_pending',
] as const satisfies ErrorCode[];

export const PreferHeader = z.object({
  prefer: z
    .string()
    .optional()
    .meta({
      description:
        '`respond-async`: answer 202 once the withdrawal is accepted, with `Location`. With `wait=N` too: answer 201 if it has its ' +
        'outcome within N seconds. RFC 7240',
    }),
});

/**
 * Responds with 201 when the withdrawal has its outcome, else with 202: it awaits approvals, or the caller did not want to
 * wait.
 */
export function answerWith(reply: FastifyReply, withdrawal: Withdrawal, { respond_async }: Preferences) {
  const shown = showWithdrawal(withdrawal);
  if (withdrawal.settled_at !== null) return reply.code(201).send(envelope(201, shown));
  if (respond_async)
    reply.headers({
      location: `/v1/wallets/${withdrawal.wallet_id}/withdrawals/${withdrawal.id}`,
      'preference-applied': 'respond-async',
    });
  return reply.code(202).send(envelope(202, shown));
}
