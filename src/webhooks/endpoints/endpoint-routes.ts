import { z } from 'zod';
import type { PageRequest } from '../../db/newest-first.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema, pageSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { Id, ListQuery, readPage } from '../../http/schemas.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { requireRow } from '../../wallets/access.ts';
import { readStatistics } from '../store/endpoint-statistics.ts';
import { type EndpointChange, findEndpoint, listEndpoints } from '../store/endpoint-store.ts';
import {
  ChosenEvents,
  EndpointResource,
  EndpointStatisticsResource,
  NewEndpoint,
  showEndpoint,
} from './endpoint-schema.ts';
import { changeEndpoint, deleteEndpoint, registerEndpoint, rotateSecret } from './endpoints.ts';

const Url = z.string().max(2048).meta({
  description: 'Public http(s) URL; loopback and private addresses are refused',
  pattern: '^https?://',
});
const Description = z.string().max(200);

const RegisterBody = z.strictObject({
  url: Url,
  description: Description.optional(),
  events: ChosenEvents.optional().meta({ description: 'The default is `["deposit.created"]`' }),
});
const UpdateBody = z.strictObject({
  url: Url.optional(),
  description: Description.optional(),
  events: ChosenEvents.optional(),
  enabled: z.boolean().optional(),
});
const WalletParams = z.object({ id: Id });
const EndpointParams = WalletParams.extend({ webhook_id: Id });

export function endpointRoutes(app: HttpApp, deps: Deps): void {
  registerAndReadRoutes(app, deps);
  changeRoutes(app, deps);
  rotationRoute(app, deps);
}

function registerAndReadRoutes(app: HttpApp, deps: Deps): void {
  app.post(
    '/v1/wallets/:id/webhooks',
    {
      config: {
        access: 'key',
        roles: 'integrators',
        scopes: ['webhooks'],
        step_up: 'always',
        no_store: true,
        makes: { shown_once: ['signing_secret'] },
        errors: ['webhook_url_not_public', 'too_many_endpoints'],
        client: 'webhooks.register',
        examples: { body: { url: 'https://example.com/webhooks', description: 'Books of the shop' } },
      },
      schema: {
        operationId: 'registerWebhook',
        tags: ['webhooks'],
        summary: 'Register webhook endpoint',
        description:
          'Registers a URL for the wallet’s events, of the types that `events` names. The signing secret is never shown again.',
        params: WalletParams,
        body: RegisterBody,
        response: { 201: envelopeSchema(NewEndpoint) },
      },
    },
    async (request, reply) => {
      const { url, description, events } = request.body;
      const order = { url, description: description || null, events };
      const { endpoint, signing_secret } = await registerEndpoint(deps, request, order);
      return reply.code(201).send(envelope(201, { ...showEndpoint(endpoint), signing_secret }));
    },
  );

  app.get(
    '/v1/wallets/:id/webhooks',
    {
      config: { access: 'key', roles: 'everyone', scopes: ['webhooks'], errors: [], client: 'webhooks.list' },
      schema: {
        operationId: 'listWebhooks',
        tags: ['webhooks'],
        summary: 'List webhook endpoints',
        description: 'The endpoints of the wallet, newest first, without their signing secrets.',
        params: WalletParams,
        querystring: ListQuery,
        response: { 200: envelopeSchema(pageSchema(EndpointResource)) },
      },
    },
    async (request, reply) => {
      const list = (page: PageRequest) =>
        deps.readInTurn(request.team_id, (db) => listEndpoints(db, request.wallet.id, page));
      return reply.code(200).send(envelope(200, await readPage(request.query, 'whe', list, showEndpoint)));
    },
  );

  app.get(
    '/v1/wallets/:id/webhooks/:webhook_id',
    {
      config: { access: 'key', roles: 'everyone', scopes: ['webhooks'], errors: [], client: 'webhooks.get' },
      schema: {
        operationId: 'getWebhook',
        tags: ['webhooks'],
        summary: 'Read webhook endpoint',
        description: 'An endpoint without its signing secret.',
        params: EndpointParams,
        response: { 200: envelopeSchema(EndpointResource) },
      },
    },
    async (request, reply) => {
      const find = (id: string) => findEndpoint(deps.reads, request.wallet.id, id);
      const endpoint = await requireRow('webhook endpoint', request.params.webhook_id, find);
      return reply.code(200).send(envelope(200, showEndpoint(endpoint)));
    },
  );

  app.get(
    '/v1/wallets/:id/webhooks/:webhook_id/statistics',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['webhooks'],
        errors: [],
        client: 'webhooks.statistics',
      },
      schema: {
        operationId: 'getWebhookStatistics',
        tags: ['webhooks'],
        summary: 'Read webhook statistics',
        description: 'How the endpoint has answered in the last 24 hours.',
        params: EndpointParams,
        response: { 200: envelopeSchema(EndpointStatisticsResource) },
      },
    },
    async (request, reply) => {
      const find = (id: string) => findEndpoint(deps.reads, request.wallet.id, id);
      const { id } = await requireRow('webhook endpoint', request.params.webhook_id, find);
      const since = new Date(deps.clock.now().getTime() - DAY_MS);
      const read = await deps.readInTurn(request.team_id, (db) => readStatistics(db, id, since));
      return reply.code(200).send(envelope(200, { since: since.toISOString(), ...read }));
    },
  );
}

function changeRoutes(app: HttpApp, deps: Deps): void {
  app.patch(
    '/v1/wallets/:id/webhooks/:webhook_id',
    {
      config: {
        access: 'login',
        roles: 'integrators',
        step_up: 'always', // another URL gets what the secret has signed

        errors: ['webhook_url_not_public'],
        client: 'webhooks.change',
        examples: { body: { description: 'Books', enabled: true } },
      },
      schema: {
        operationId: 'updateWebhook',
        tags: ['webhooks'],
        summary: 'Change webhook endpoint',
        description:
          'Changes, disables or enables a webhook endpoint. When it is enabled or gets another URL, its pending deliveries are ' +
          'sent at once, each with its whole schedule. Another choice of `events` counts for what happens from then on.',
        params: EndpointParams,
        body: UpdateBody,
        response: { 200: envelopeSchema(EndpointResource) },
      },
    },
    async (request, reply) => {
      const { url, description, events, enabled } = request.body;
      const change: EndpointChange = {
        ...(url === undefined ? {} : { url }),
        ...(description === undefined ? {} : { description: description || null }),
        ...(events === undefined ? {} : { events }),
        ...(enabled === undefined ? {} : { enabled }),
      };
      const apply = (id: string) => changeEndpoint(deps, request, id, change);
      const endpoint = await requireRow('webhook endpoint', request.params.webhook_id, apply);
      return reply.code(200).send(envelope(200, showEndpoint(endpoint)));
    },
  );

  app.delete(
    '/v1/wallets/:id/webhooks/:webhook_id',
    {
      config: {
        access: 'login',
        roles: 'integrators',
        step_up: 'never',
        errors: [],
        client: 'webhooks.delete',
      },
      schema: {
        operationId: 'deleteWebhook',
        tags: ['webhooks'],
        summary: 'Delete webhook endpoint',
        description: 'Deletes a webhook endpoint. Its pending deliveries are given up.',
        params: EndpointParams,
        response: { 200: envelopeSchema(EndpointResource) },
      },
    },
    async (request, reply) => {
      const remove = (id: string) => deleteEndpoint(deps, request, id);
      const endpoint = await requireRow('webhook endpoint', request.params.webhook_id, remove);
      return reply.code(200).send(envelope(200, showEndpoint(endpoint)));
    },
  );
}

function rotationRoute(app: HttpApp, deps: Deps): void {
  app.post(
    '/v1/wallets/:id/webhooks/:webhook_id/rotate-secret',
    {
      config: {
        access: 'person',
        roles: 'integrators',
        step_up: 'always',
        no_store: true,
        makes: { shown_once: ['signing_secret'] },
        errors: [],
        client: 'webhooks.rotate_secret',
      },
      schema: {
        operationId: 'rotateWebhookSecret',
        tags: ['webhooks'],
        summary: 'Replace signing secret',
        description:
          'The new secret is never shown again. `X-Svc-Signature` uses it at once, for retries too. `webhook-signature` also ' +
          'has a signature of each replaced secret, newest first, for 24 hours after its replacement; at most of the newest ' +
          'four of them.',
        params: EndpointParams,
        body: z.strictObject({}),
        response: { 201: envelopeSchema(NewEndpoint) },
      },
    },
    async (request, reply) => {
      const rotate = (id: string) => rotateSecret(deps, request, id);
      const rotated = await requireRow('webhook endpoint', request.params.webhook_id, rotate);
      const { endpoint, signing_secret } = rotated;
      return reply.code(201).send(envelope(201, { ...showEndpoint(endpoint), signing_secret }));
    },
  );
}
