import { z } from 'zod';
import { NO_PLACE_RETRY_SECONDS } from '../../db/waits.ts';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { Id, integerInQuery, ListQuery } from '../../http/schemas.ts';
import { EventPage, showEvent } from './event-schema.ts';
import { createEventWaits } from './event-waits.ts';
import { fetchEvents } from './fetch-events.ts';

const MAX_WAIT_SECONDS = 30;
const AFTER = /^(latest|0|[1-9][0-9]{0,17})$/;

const EventsQuery = z.strictObject({
  after: z
    .string()
    .regex(AFTER, 'must be a number that this list gave out, 0 or "latest"')
    .transform((text) => (text === 'latest' ? text : BigInt(text)))
    .default(0n)
    .meta({
      description:
        'The last number that you have. 0 (the default) starts with the first event, `latest` with the next new one.',
    }),
  limit: ListQuery.shape.limit,
  webhook_id: Id.optional().meta({
    description: 'Only events for this endpoint, by its `webhook-sequence`, with `headers` signed for it.',
  }),
  wait_seconds: integerInQuery(0, MAX_WAIT_SECONDS)
    .default(0)
    .meta({ description: 'When there is no event, wait so long for the next one' }),
});

export function eventRoutes(app: HttpApp, deps: Deps): void {
  const waits = createEventWaits(deps);
  app.addHook('preClose', () => waits.stop());

  app.get(
    '/v1/wallets/:id/events',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['webhooks'],
        waits: true,
        no_store: true,
        errors: ['sequence_unknown'],
        client: 'events.list',
      },
      schema: {
        operationId: 'listEvents',
        tags: ['webhooks'],
        summary: 'List wallet events',
        description:
          'The wallet’s events after a number, for events that a receiver missed or as a stream. Oldest first, unlike other ' +
          'lists: continue after the last number that you have. Numbers have no gap, and new events never change earlier ' +
          'pages. Without `webhook_id` the numbers count the wallet’s events; with it they are the `webhook-sequence` of ' +
          'that endpoint’s deliveries. Besides `deposit.created`, an event is there only if an endpoint had chosen its type. `body` is the exact text that is signed: verify `headers` over its UTF-8 bytes, as ' +
          'for a delivery. Reading acknowledges nothing. An empty page with Retry-After: too many requests of the wallet or ' +
          'the team wait already, so this one did not.',
        params: z.object({ id: Id }),
        querystring: EventsQuery,
        response: { 200: envelopeSchema(EventPage) },
      },
    },
    async (request, reply) => {
      const { webhook_id = null, wait_seconds, ...query } = request.query;
      const { items, next_after, had_place } = await fetchEvents(
        deps,
        waits,
        { team_id: request.team_id, wallet_id: request.wallet.id, endpoint_id: webhook_id },
        { ...query, wait_ms: wait_seconds * 1000 },
        request.signal,
      );
      if (!had_place && items.length === 0) reply.header('retry-after', NO_PLACE_RETRY_SECONDS);
      return reply.code(200).send(envelope(200, { items: items.map(showEvent), next_after }));
    },
  );
}
