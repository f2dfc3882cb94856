/** Webhook endpoints as the API shows them. */
import { z } from 'zod';
import { arrayOf, Id, shownOnce, Time } from '../../http/schemas.ts';
import type { SampleFor } from '../../http/test-samples.ts';
import type { Endpoint } from '../store/endpoint-store.ts';
import { EVENT_TYPES } from '../store/event-types.ts';

const ShownMaker = z
  .object({
    kind: z.enum(['user', 'service_user', 'api_key']),
    id: Id.meta({ description: 'The main key of a wallet has another id after each regeneration' }),
    name: z.string().nullable().meta({ description: 'Null for the main key of the wallet' }),
  })
  .meta({ id: 'EndpointMaker', description: 'Who registered it' });

export const EndpointResource = z
  .object({
    id: Id,
    wallet_id: Id,
    url: z.string(),
    description: z.string().nullable(),
    events: z
      .array(z.string())
      .meta({ description: 'The types of events that it gets. Later versions may have more types' }),
    enabled: z.boolean(),
    disabled_reason: z.string().nullable().meta({
      description:
        'Why the service disabled the endpoint; null while it is enabled, and if its owner disabled it',
    }),
    failing_since: Time.nullable().meta({
      description:
        'Since when every attempt has failed; null if the last one succeeded. After two days without an attempt the time starts again',
    }),
    exam_passed_at: Time.nullable().meta({
      description: 'When the receiver passed an exam last; null if it has not passed one at this URL',
    }),
    created_by: ShownMaker,
    created_at: Time,
  })
  .meta({ id: 'WebhookEndpoint' });

/** The types of events that an endpoint shall get. */
export const ChosenEvents = arrayOf(
  z
    .array(z.enum(EVENT_TYPES))
    .min(1, 'must name at least one type of event')
    .max(EVENT_TYPES.length, 'must name each type once')
    .refine((types) => new Set(types).size === types.length, 'must name each type once'),
).meta({ description: 'The types of events that it gets, each once' });

export const NewEndpoint = EndpointResource.extend({
  signing_secret: shownOnce('Signs every delivery'),
}).meta({
  id: 'NewWebhookEndpoint',
  description: 'An endpoint with its signing secret.',
});

export const EndpointStatisticsResource = z
  .object({
    since: Time.meta({ description: '24 hours ago' }),
    deliveries: z.int().meta({
      description: 'The newest deliveries that were made since then, 2,000 at most: what the rest is about',
    }),
    attempts: z.int().meta({ description: 'Attempts that were recorded, at most the last 50 of a delivery' }),
    acknowledged: z.int().meta({ description: 'Attempts that got a 2xx response' }),
    p95_ms: z.int().nullable().meta({
      description: 'Within how many milliseconds 95 of 100 responses came; null without a response',
    }),
  })
  .meta({ id: 'WebhookEndpointStatistics', description: 'How an endpoint has answered lately' });

export function showEndpoint(row: Endpoint): z.input<typeof EndpointResource> {
  const { created_by_kind: kind, created_by_id: id, created_by_name: name } = row;
  return {
    id: row.id,
    wallet_id: row.wallet_id,
    url: row.url,
    description: row.description,
    events: row.events,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    exam_passed_at: row.exam_passed_at?.toISOString() ?? null,
    created_by: { kind, id, name },
    created_at: row.created_at.toISOString(),
  };
}

/** Makes the endpoint of a test event. */
export function sampleEndpoint({ wallet_id, at }: SampleFor): z.input<typeof EndpointResource> {
  return {
    id: 'whe_sample',
    wallet_id,
    url: 'https://receiver.example.com/sample',
    description: 'Sample',
    events: ['deposit.created'],
    enabled: false,
    disabled_reason: 'A sample: no endpoint was disabled.',
    failing_since: at,
    exam_passed_at: null,
    created_by: { kind: 'user', id: 'usr_sample', name: 'Sample' },
    created_at: at,
  };
}
