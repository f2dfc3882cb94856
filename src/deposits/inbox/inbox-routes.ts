import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, errorEnvelopeWith } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { Id } from '../../http/schemas.ts';
import { DepositResource, showDeposit } from '../recorded/deposit-schema.ts';
import { assignDeposit } from './assign-deposit.ts';

export function inboxRoute(app: HttpApp, deps: Deps): void {
  app.post(
    '/v1/wallets/:id/deposits/:deposit_id/assign',
    {
      config: {
        access: 'login',
        roles: 'payers',
        step_up: 'never',
        errors: ['deposit_attributed', 'deposit_refunded', 'ledger_not_caught_up'],
        client: 'deposits.assign',
      },
      schema: {
        operationId: 'assignDeposit',
        tags: ['deposits'],
        summary: 'Assign deposit',
        description:
          'Assigns an unattributed deposit to a deposit address of the wallet. Fires `deposit.created`, once.',
        params: z.object({ id: Id, deposit_id: Id }),
        body: z.strictObject({ address_id: Id }),
        response: {
          200: envelopeSchema(DepositResource),
          409: errorEnvelopeWith(DepositResource),
        },
      },
    },
    async (request, reply) => {
      const { deposit_id } = request.params;
      const deposit = await assignDeposit(deps, request, { deposit_id, ...request.body });
      return reply.code(200).send(envelope(200, showDeposit(deposit)));
    },
  );
}
