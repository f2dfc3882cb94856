/** Webhook deliveries of a deposit. Deposits and deliveries belong to two slices, so this stands above both. */
import { z } from 'zod';
import { findDeposit } from '../deposits/recorded/deposit-store.ts';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { Id } from '../http/schemas.ts';
import { requireRow } from '../wallets/access.ts';
import { LoggedDelivery, showLoggedDelivery } from '../webhooks/delivery/delivery-schema.ts';
import { listDeliveriesOfDeposit, readAttempts } from '../webhooks/store/read-deliveries.ts';

const DepositDelivery = LoggedDelivery.extend({ url: z.string() }).meta({
  id: 'DepositDelivery',
  description: 'A delivery of the event of a deposit, with the URL of its endpoint',
});

export function depositDeliveryRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/deposits/:deposit_id/deliveries',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['webhooks'],
        errors: [],
        client: 'deposits.list_deliveries',
      },
      schema: {
        operationId: 'listDepositDeliveries',
        tags: ['deposits'],
        summary: 'List deposit deliveries',
        description:
          'The webhook deliveries of the events of this deposit to all endpoints, with the responses.',
        params: z.object({ id: Id, deposit_id: Id }),
        response: { 200: envelopeSchema(pageSchema(DepositDelivery)) },
      },
    },
    async (request, reply) => {
      const find = (id: string) => findDeposit(deps.reads, request.wallet.id, id);
      const deposit = await requireRow('deposit', request.params.deposit_id, find);
      const items = await deps.readInTurn(request.team_id, async (db) => {
        const rows = await listDeliveriesOfDeposit(db, deposit);
        const ids = rows.map(({ id }) => id);
        const attempts = await readAttempts(db, ids);
        return rows.map((row) => ({ ...showLoggedDelivery(row, attempts.get(row.id)), url: row.url }));
      });
      return reply.code(200).send(envelope(200, { items, next_cursor: null }));
    },
  );
}
