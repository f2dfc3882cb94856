import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { envelopeSchema, errorEnvelopeWith } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { readPreferences } from '../http/prefer.ts';
import { Id } from '../http/schemas.ts';
import { answerWith, PAYMENT_ERRORS, PreferHeader } from './answers/answer-routes.ts';
import { AWAITING_EXAMPLE, RefundBody, WithdrawalResource } from './answers/schema.ts';
import type { Claims } from './engine/claims.ts';
import type { WithdrawalEngine } from './engine/engine.ts';
import { refundDeposit } from './request/refund.ts';

type Parts = { claims: Claims; engine: WithdrawalEngine };

export function refundRoute(app: HttpApp, deps: Deps, parts: Parts): void {
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
          'refunded once, and a refund that failed may be tried again. 409 `deposit_refunded` has the refund as `data`. 202: ' +
          'members must approve the refund first and nothing is signed, or the request prefers `respond-async`.',
        params: z.object({ id: Id, deposit_id: Id }),
        headers: PreferHeader,
        body: RefundBody,
        response: {
          201: envelopeSchema(WithdrawalResource),
          202: envelopeSchema(WithdrawalResource),
          409: errorEnvelopeWith(WithdrawalResource),
          504: errorEnvelopeWith(WithdrawalResource),
        },
      },
    },
    async (request, reply) => {
      const prefer = readPreferences(request.headers.prefer);
      const reference = request.body.reference || null;
      return answerWith(
        reply,
        await refundDeposit(deps, parts, request, request.params.deposit_id, { reference, prefer }),
        prefer,
      );
    },
  );
}
