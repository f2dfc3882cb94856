import { z } from 'zod';
import type { PageRequest } from '../../db/newest-first.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { Id, ListQuery, readPage, Time } from '../../http/schemas.ts';
import type { SampleFor } from '../../http/test-samples.ts';
import { createFairQueue } from '../../lib/fair-queue.ts';
import { requireRow } from '../../wallets/access.ts';
import { type SampleData, sendTestEvent } from '../events/send-test-event.ts';
import { findEndpoint, findEndpointOrDeleted } from '../store/endpoint-store.ts';
import { TEST_EVENTS } from '../store/event-types.ts';
import { findDelivery, listDeliveries, readAttempts } from '../store/read-deliveries.ts';
import {
  DeliveryResource,
  DeliveryWithBody,
  LoggedDelivery,
  showDelivery,
  showDeliveryWithBody,
  showLoggedDelivery,
} from './delivery-schema.ts';
import { redeliver } from './redeliver.ts';
import { replay } from './replay.ts';

const EndpointParams = z.object({ id: Id, webhook_id: Id });
const DeliveryParams = EndpointParams.extend({ delivery_id: Id });
const DeliveriesQuery = ListQuery.extend({ status: z.enum(['pending', 'delivered', 'failed']).optional() });
const TestBody = z.strictObject({
  event: z
    .enum(TEST_EVENTS)
    .default('ping')
    .meta({ description: 'A type of event with `.test` behind it; its data is a sample of that type' }),
});
const ReplayBody = z.strictObject({
  since: Time.meta({ description: 'The earliest time at which a delivery was made' }),
  include_delivered: z.boolean().default(false).meta({ description: 'Send acknowledged deliveries too' }),
});
const Replayed = z.object({ count: z.int().meta({ description: 'Deliveries that are sent again' }) });

/** Replays of one endpoint wait for the same rows: without a limit they would occupy every database connection. */
const REPLAYS_AT_ONCE = 2;

export function deliveryRoutes(app: HttpApp, deps: Deps, sampleData: SampleData): void {
  deliveryReadRoutes(app, deps);
  sendingRoutes(app, deps, sampleData);
}

/** Adds the routes that read deliveries. Those of a deleted endpoint stay readable: its owner must see those that were given up. */
function deliveryReadRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/webhooks/:webhook_id/deliveries',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['webhooks'],
        errors: [],
        client: 'webhooks.list_deliveries',
      },
      schema: {
        operationId: 'listWebhookDeliveries',
        tags: ['webhooks'],
        summary: 'List webhook deliveries',
        description: 'Deliveries to the endpoint, newest first, with their attempts and the answers to them.',
        params: EndpointParams,
        querystring: DeliveriesQuery,
        response: { 200: envelopeSchema(pageSchema(LoggedDelivery)) },
      },
    },
    async (request, reply) => {
      const { status } = request.query;
      const find = (id: string) => findEndpointOrDeleted(deps.reads, request.wallet.id, id);
      const endpoint = await requireRow('webhook endpoint', request.params.webhook_id, find);
      const list = (page: PageRequest) =>
        deps.readInTurn(request.team_id, async (db) => {
          const rows = await listDeliveries(db, endpoint, { status }, page);
          const ids = rows.map(({ id }) => id);
          const attempts = await readAttempts(db, ids);
          return rows.map((row) => ({ ...row, attempt_log: attempts.get(row.id) }));
        });
      const found = await readPage(request.query, 'dlv', list, ({ attempt_log, ...row }) =>
        showLoggedDelivery(row, attempt_log),
      );
      return reply.code(200).send(envelope(200, found));
    },
  );

  app.get(
    '/v1/wallets/:id/webhooks/:webhook_id/deliveries/:delivery_id',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['webhooks'],
        errors: [],
        client: 'webhooks.get_delivery',
      },
      schema: {
        operationId: 'getWebhookDelivery',
        tags: ['webhooks'],
        summary: 'Read webhook delivery',
        description: 'A delivery with its exact body and its attempts.',
        params: DeliveryParams,
        response: { 200: envelopeSchema(DeliveryWithBody) },
      },
    },
    async (request, reply) => {
      const { webhook_id, delivery_id } = request.params;
      const find = (id: string) => findEndpointOrDeleted(deps.reads, request.wallet.id, id);
      const endpoint = await requireRow('webhook endpoint', webhook_id, find);
      const read = (id: string) => findDelivery(deps.reads, endpoint, id);
      const delivery = await requireRow('webhook delivery', delivery_id, read);
      const attempts = await readAttempts(deps.reads, [delivery.id]);
      return reply.code(200).send(envelope(200, showDeliveryWithBody(delivery, attempts.get(delivery.id))));
    },
  );
}

function sendingRoutes(app: HttpApp, deps: Deps, sampleData: SampleData): void {
  app.post(
    '/v1/wallets/:id/webhooks/:webhook_id/test',
    {
      config: {
        access: 'key',
        roles: 'integrators',
        scopes: ['webhooks'],
        step_up: 'never',
        makes: { shown_once: [] },
        errors: ['endpoint_disabled'],
        client: 'webhooks.test',
        examples: { body: { event: 'deposit.test' } },
      },
      schema: {
        operationId: 'testWebhook',
        tags: ['webhooks'],
        summary: 'Send test event',
        description:
          'Queues a signed test event for this endpoint only, whatever types of events it has chosen. No name of a test event is that of a real one.',
        params: EndpointParams,
        body: TestBody,
        response: { 202: envelopeSchema(DeliveryResource) },
      },
    },
    async (request, reply) => {
      const { event: type } = request.body;
      const test = { type, data: (of: SampleFor) => sampleData(type, of) };
      const send = (id: string) => sendTestEvent(deps, request, id, test);
      const delivery = await requireRow('webhook endpoint', request.params.webhook_id, send);
      return reply.code(202).send(envelope(202, showDelivery(delivery)));
    },
  );

  app.post(
    '/v1/wallets/:id/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
    {
      config: {
        access: 'key',
        roles: 'integrators',
        scopes: ['webhooks'],
        step_up: 'never',
        errors: [],
        client: 'webhooks.redeliver',
      },
      schema: {
        operationId: 'redeliverWebhook',
        tags: ['webhooks'],
        summary: 'Repeat webhook delivery',
        description: 'Sends a delivery again: the same bytes under the same webhook-id, with a new schedule.',
        params: DeliveryParams,
        body: z.strictObject({}),
        response: { 202: envelopeSchema(DeliveryResource) },
      },
    },
    async (request, reply) => {
      const { webhook_id, delivery_id } = request.params;
      const find = (id: string) => findEndpoint(deps.db, request.wallet.id, id);
      const endpoint = await requireRow('webhook endpoint', webhook_id, find);
      const again = (id: string) => redeliver(deps, request, endpoint, id);
      const delivery = await requireRow('webhook delivery', delivery_id, again);
      return reply.code(202).send(envelope(202, showDelivery(delivery)));
    },
  );

  const queue = createFairQueue({ at_once: REPLAYS_AT_ONCE, waiting_per_group: Number.POSITIVE_INFINITY });
  app.post(
    '/v1/wallets/:id/webhooks/:webhook_id/replay',
    {
      config: {
        access: 'key',
        roles: 'integrators',
        scopes: ['webhooks'],
        step_up: 'never',
        errors: [],
        client: 'webhooks.replay',
        examples: { body: { since: '2026-01-15T00:00:00Z' } },
      },
      schema: {
        operationId: 'replayWebhook',
        tags: ['webhooks'],
        summary: 'Replay webhook deliveries',
        description:
          'Sends all deliveries again that were made since a time and are not acknowledged: the same bytes under the same ' +
          'webhook-id and webhook-sequence, oldest first, each with a new schedule. A disabled endpoint gets them when it is ' +
          'enabled. Another replay sends those again that are still not acknowledged.',
        params: EndpointParams,
        body: ReplayBody,
        response: { 202: envelopeSchema(Replayed) },
      },
    },
    async (request, reply) => {
      const { since, include_delivered } = request.body;
      const order = { since: new Date(since), include_delivered };
      const again = (id: string) =>
        replay(deps, request, { id, ...order }, (batch) => queue.run(request.wallet.id, batch));
      const replayed = await requireRow('webhook endpoint', request.params.webhook_id, again);
      return reply.code(202).send(envelope(202, replayed));
    },
  );
}
