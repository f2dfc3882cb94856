import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { envelopeSchema, errorEnvelopeWith } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { readPreferences } from '../http/prefer.ts';
import { Id } from '../http/schemas.ts';
import { answerWith, PAYMENT_ERRORS, PreferHeader } from './answers/answer-routes.ts';
import { AWAITING_EXAMPLE, WithdrawalResource } from './answers/schema.ts';
import type { Claims } from './engine/claims.ts';
import type { WithdrawalEngine } from './engine/engine.ts';
import { refundDeposit } from './request/refund.ts';

/** A deposit as its own slice shows it; api/ connects the two slices. */
export type ShownDeposits = {
  resource: z.ZodType;
  /** Undefined when the wallet has no deposit of this id. */
  read(wallet_id: string, id: string): Promise<object | undefined>;
};

type Parts = { claims: Claims; engine: WithdrawalEngine; deposits: ShownDeposits };

export function refundRoute(app: HttpApp, deps: Deps, parts: Parts): void {
  const { deposits } = parts;
  app.post(
    '/v1/wallets/:id/deposits/:deposit_id/refund',
    {
      config: {
        access: 'login',
        roles: 'payers',
        step_up: 'always',
        awaits_outcome: true,
        errors: [...PAYMENT_ERRORS, 'deposit_attributed', 'deposit_refunded', 'refund_not_possible'],
        client: { method: 'deposits.refund', repeatable: true, time_limit_seconds: 150 },
        examples: { answers: { 202: AWAITING_EXAMPLE } },
      },
      schema: {
        operationId: 'refundDeposit',
        tags: ['deposits'],
        summary: 'Refund deposit',
        description:
          'Pays an unattributed deposit back to its sender, and answers when the outcome is proven. It is a withdrawal of the ' +
          'whole amount with MEMO_RETURN of the deposit’s transaction hash. It needs no Idempotency-Key: a deposit is ' +
          'refunded once, and a refund that failed may be tried again. 409 `deposit_refunded` has the refund as `data`, ' +
          '`deposit_attributed` the deposit. 202: members must approve the refund first and nothing is signed, or the request ' +
          'prefers `respond-async`.',
        params: z.object({ id: Id, deposit_id: Id }),
        headers: PreferHeader,
        body: z.strictObject({}),
        response: {
          201: envelopeSchema(WithdrawalResource),
          202: envelopeSchema(WithdrawalResource),
          409: errorEnvelopeWith(z.union([WithdrawalResource, deposits.resource])),
          504: errorEnvelopeWith(WithdrawalResource),
        },
      },
    },
    async (request, reply) => {
      const { id: wallet_id, deposit_id } = request.params;
      const prefer = readPreferences(request.headers.prefer);
      const refund = await refundDeposit(deps, parts, request, deposit_id, prefer).catch(async (error) => {
        if (!(error instanceof AppError && error.code === 'deposit_attributed')) throw error;
        throw new AppError(error.code, error.message, { data: await deposits.read(wallet_id, deposit_id) });
      });
      return answerWith(reply, refund, prefer);
    },
  );
}
