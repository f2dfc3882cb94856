import { z } from 'zod';
import type { PageRequest } from '../../db/newest-first.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { errorsOf } from '../../http/operation.ts';
import { Id, ListQuery, readPage, Time } from '../../http/schemas.ts';
import { createFairQueue } from '../../lib/fair-queue.ts';
import { requireRow } from '../../wallets/access.ts';
import { findEndpoint, findEndpointEver } from '../endpoints/endpoint-store.ts';
import { sendTestEvent } from '../events/test-event.ts';
import {
  DeliveryResource,
  DeliveryWithBody,
  LoggedDelivery,
  showDelivery,
  showDeliveryWithBody,
  showLoggedDelivery,
} from '../schema.ts';
import { findDelivery, listDeliveries, readAttempts } from './delivery-log.ts';
import { redeliver } from './redeliver.ts';
import { replay } from './replay.ts';

const EndpointParams = z.object({ id: Id, webhook_id: Id });
const DeliveryParams = EndpointParams.extend({ delivery_id: Id });
const DeliveriesQuery = ListQuery.extend({ status: z.enum(['pending', 'delivered', 'failed']).optional() });
const TestBody = z.strictObject({ event: z.enum(['ping', 'deposit.test']).default('ping') });
const ReplayBody = z.strictObject({
  since: Time.meta({ description: 'What was made for the endpoint at this time or later' }),
  include_delivered: z.boolean().default(false).meta({ description: 'What was acknowledged too' }),
});
const Replayed = z.object({ count: z.int().meta({ description: 'Deliveries that are sent again' }) });

/** Of all replays: those that are asked for at once, each waiting for the same rows, would take every connection to the database. */
const REPLAYING_AT_ONCE = 2;

export function deliveryRoutes(app: HttpApp, deps: Deps): void {
  deliveryReadRoutes(app, deps);
  sendingRoutes(app, deps);
}

/** A deleted endpoint's deliveries stay readable: what was given up with it must be seen. */
function deliveryReadRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/webhooks/:webhook_id/deliveries',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'listWebhookDeliveries',
        tags: ['webhooks'],
        summary: 'What was sent to the endpoint, and what came back',
        params: EndpointParams,
        querystring: DeliveriesQuery,
        response: { 200: envelopeSchema(200, pageSchema(LoggedDelivery)), ...errorsOf(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { status } = request.query;
      const find = (id: string) => findEndpointEver(deps.db, request.wallet.id, id);
      const endpoint = await requireRow('webhook endpoint', request.params.webhook_id, find);
      const list = async (page: PageRequest) => {
        const rows = await listDeliveries(deps.db, endpoint, { status }, page);
        const ids = rows.map(({ id }) => id);
        const attempts = await readAttempts(deps.db, ids);
        return rows.map((row) => ({ ...row, attempts_made: attempts.get(row.id) }));
      };
      const found = await readPage(request.query, 'dlv', list, ({ attempts_made, ...row }) =>
        showLoggedDelivery(row, attempts_made),
      );
      return reply.code(200).send(envelope(200, found));
    },
  );

  app.get(
    '/v1/wallets/:id/webhooks/:webhook_id/deliveries/:delivery_id',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'getWebhookDelivery',
        tags: ['webhooks'],
        summary: 'Read a delivery with its body and attempts',
        params: DeliveryParams,
        response: { 200: envelopeSchema(200, DeliveryWithBody), ...errorsOf(401, 404) },
      },
    },
    async (request, reply) => {
      const { webhook_id, delivery_id } = request.params;
      const find = (id: string) => findEndpointEver(deps.db, request.wallet.id, id);
      const endpoint = await requireRow('webhook endpoint', webhook_id, find);
      const read = (id: string) => findDelivery(deps.db, endpoint, id);
      const delivery = await requireRow('webhook delivery', delivery_id, read);
      const attempts = await readAttempts(deps.db, [delivery.id]);
      return reply.code(200).send(envelope(200, showDeliveryWithBody(delivery, attempts.get(delivery.id))));
    },
  );
}

function sendingRoutes(app: HttpApp, deps: Deps): void {
  app.post(
    '/v1/wallets/:id/webhooks/:webhook_id/test',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'testWebhook',
        tags: ['webhooks'],
        summary: 'Queue a signed test event for this endpoint only',
        params: EndpointParams,
        body: TestBody,
        response: { 202: envelopeSchema(202, DeliveryResource), ...errorsOf(400, 401, 404, 422) },
      },
    },
    async (request, reply) => {
      const { event } = request.body;
      const send = (id: string) => sendTestEvent(deps, { wallet_id: request.wallet.id, id }, event);
      const delivery = await requireRow('webhook endpoint', request.params.webhook_id, send);
      return reply.code(202).send(envelope(202, showDelivery(delivery)));
    },
  );

  app.post(
    '/v1/wallets/:id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'redeliverWebhook',
        tags: ['webhooks'],
        summary: 'Send a delivery again, with the same bytes and a new schedule',
        params: DeliveryParams,
        body: z.strictObject({}),
        response: { 202: envelopeSchema(202, DeliveryResource), ...errorsOf(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { webhook_id, delivery_id } = request.params;
      const find = (id: string) => findEndpoint(deps.db, request.wallet.id, id);
      const endpoint = await requireRow('webhook endpoint', webhook_id, find);
      const again = (id: string) => redeliver(deps, endpoint, id);
      const delivery = await requireRow('webhook delivery', delivery_id, again);
      return reply.code(202).send(envelope(202, showDelivery(delivery)));
    },
  );

  const turns = createFairQueue({ at_once: REPLAYING_AT_ONCE, waiting_per_group: Number.POSITIVE_INFINITY });
  app.post(
    '/v1/wallets/:id/webhooks/:webhook_id/replay',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'replayWebhook',
        tags: ['webhooks'],
        summary: 'Send everything again that the endpoint has not acknowledged since a time',
        description:
          'The same bytes under the same webhook-id and webhook-sequence, in their order, each with a new schedule. To a ' +
          'disabled endpoint it goes when that is enabled. Asked again, it sends again what is still not acknowledged.',
        params: EndpointParams,
        body: ReplayBody,
        response: { 202: envelopeSchema(202, Replayed), ...errorsOf(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { since, include_delivered } = request.body;
      const order = { since: new Date(since), include_delivered };
      const wallet_id = request.wallet.id;
      const again = (id: string) =>
        replay(deps, { wallet_id, id }, order, (batch) => turns.run(wallet_id, batch));
      const replayed = await requireRow('webhook endpoint', request.params.webhook_id, again);
      return reply.code(202).send(envelope(202, replayed));
    },
  );
}
