/** Resources of this slice on the wire. */
import { z } from 'zod';
import { RawJson } from '../http/exact-json.ts';
import { Id, Time } from '../http/schemas.ts';
import type { Delivery, LoggedAttempt } from './delivery/delivery-log.ts';
import type { Endpoint } from './endpoints/endpoint-store.ts';
import type { SignedEvent } from './events/events.ts';

export const EndpointResource = z
  .object({
    id: Id,
    wallet_id: Id,
    url: z.string(),
    description: z.string().nullable(),
    enabled: z.boolean(),
    disabled_reason: z.string().nullable().meta({
      description: 'Why the service disabled it; null while it is enabled, or if its owner disabled it',
    }),
    failing_since: Time.nullable().meta({
      description:
        'Since when every attempt has failed; null when the last one succeeded. Two days without an attempt begin it anew',
    }),
    created_at: Time,
  })
  .meta({ id: 'WebhookEndpoint' });

export const NewEndpoint = EndpointResource.extend({ signing_secret: z.string() }).meta({
  id: 'NewWebhookEndpoint',
  description: 'An endpoint with its signing secret, which is shown this once.',
});

const Headers = z.record(z.string(), z.string());
const Sequence = z.bigint().min(0n);

const AttemptResource = z
  .object({
    number: z.int(),
    started_at: Time,
    duration_ms: z.int(),
    request_headers: Headers.nullable().meta({ description: 'What was sent; null when nobody recorded it' }),
    status_code: z.int().nullable(),
    error: z.string().nullable().meta({ description: 'Why there was no answer; null when there was one' }),
    response_body: z.string().nullable().meta({ description: 'The first 1 KiB of the answer' }),
  })
  .meta({ id: 'WebhookAttempt' });

export const DeliveryResource = z
  .object({
    id: Id,
    webhook_id: Id,
    event_id: Id.meta({
      description:
        'Sent as webhook-id; the same on every attempt, and for the same deposit after a restore of the database',
    }),
    event: z.string(),
    sequence: Sequence.meta({
      description: 'Counts the endpoint’s deliveries without a gap; sent as webhook-sequence',
    }),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().meta({ description: 'Attempts so far' }),
    next_attempt_at: Time.nullable().meta({ description: 'Null unless pending' }),
    created_at: Time,
    settled_at: Time.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const LoggedDelivery = DeliveryResource.extend({
  attempt_log: z.array(AttemptResource).meta({
    description:
      'The latest 50 attempts, in their order. Those of a delivery are no longer kept WEBHOOK_LOG_DAYS after it was acknowledged.',
  }),
}).meta({ id: 'LoggedWebhookDelivery' });

const EventBody = z
  .custom<RawJson>((value) => value instanceof RawJson)
  .meta({ id: 'WebhookEventBody', description: 'Exactly the JSON that is sent: {"event": …, "data": …}' });

export const DeliveryWithBody = LoggedDelivery.extend({ body: EventBody }).meta({
  id: 'WebhookDeliveryWithBody',
});

const EventResource = z
  .object({
    id: Id.meta({ description: 'Sent as webhook-id' }),
    event: z.string(),
    sequence: Sequence,
    created_at: Time,
    body: z.string().meta({ description: 'The exact text that is sent: {"event": …, "data": …}' }),
    headers: Headers.nullable().meta({
      description: 'Of a delivery to the endpoint that is sent now; null without webhook_id',
    }),
  })
  .meta({ id: 'WebhookEvent' });

export const EventPage = z.object({
  items: z.array(EventResource),
  next_after: Sequence.meta({ description: 'Where to go on, also when there was nothing' }),
});

export function showEndpoint(row: Endpoint): z.input<typeof EndpointResource> {
  return {
    id: row.id,
    wallet_id: row.wallet_id,
    url: row.url,
    description: row.description,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

export function showDelivery(row: Delivery): z.input<typeof DeliveryResource> {
  return {
    id: row.id,
    webhook_id: row.endpoint_id,
    event_id: row.event_id,
    event: row.event,
    sequence: row.sequence,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.status === 'pending' ? row.next_attempt_at.toISOString() : null,
    created_at: row.created_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
  };
}

export function showLoggedDelivery(
  row: Delivery,
  attempts: LoggedAttempt[] | undefined,
): z.input<typeof LoggedDelivery> {
  return { ...showDelivery(row), attempt_log: (attempts ?? []).map(showAttempt) };
}

export function showDeliveryWithBody(
  row: Delivery & { body: Buffer },
  attempts: LoggedAttempt[] | undefined,
): z.input<typeof DeliveryWithBody> {
  return { ...showLoggedDelivery(row, attempts), body: new RawJson(row.body.toString()) };
}

function showAttempt(row: LoggedAttempt): z.input<typeof AttemptResource> {
  return {
    number: row.number,
    started_at: row.started_at.toISOString(),
    duration_ms: row.duration_ms,
    request_headers: row.request_headers,
    status_code: row.status_code,
    error: row.error,
    response_body: row.response_body,
  };
}

export function showEvent(row: SignedEvent): z.input<typeof EventResource> {
  return {
    id: row.id,
    event: row.type,
    sequence: row.sequence,
    created_at: row.created_at.toISOString(),
    body: row.body.toString(),
    headers: row.headers,
  };
}
