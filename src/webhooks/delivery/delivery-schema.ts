/** Deliveries and their attempts as the API shows them. */
import { z } from 'zod';
import { RawJson } from '../../http/read-json.ts';
import { Id, Time } from '../../http/schemas.ts';
import type { EventSubject } from '../store/event-subject.ts';
import type { Attempt, Delivery } from '../store/read-deliveries.ts';

const AttemptResource = z
  .object({
    number: z.int(),
    started_at: Time,
    duration_ms: z.int(),
    request_headers: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'The headers that were sent; null if the attempt was not recorded' }),
    status_code: z.int().nullable(),
    error: z.string().nullable().meta({ description: 'Why there was no answer; null if there was one' }),
    response_body: z.string().nullable().meta({ description: 'The first 1 KiB of the answer' }),
  })
  .meta({ id: 'WebhookAttempt' });

const SubjectResource = z
  .object({
    type: z.enum(['deposit', 'withdrawal', 'payout', 'asset', 'endpoint']),
    id: z.string().meta({ description: 'As in the paths of the API; CODE:ISSUER of an asset' }),
    name: z.string().nullable().meta({
      description:
        'Label of the deposit address that was paid, as it is now; destination of a withdrawal; name of a payout; URL of an endpoint',
    }),
    asset_code: z.string().nullable(),
    asset_issuer: z.string().nullable(),
    amount_stroops: z.bigint().min(0n).nullable(),
  })
  .meta({ id: 'WebhookSubject', description: 'What an event tells of' });

export const DeliveryResource = z
  .object({
    id: Id,
    webhook_id: Id,
    event_id: Id.meta({
      description:
        'Sent as webhook-id. The same for every attempt, and for the same subject after the database was restored',
    }),
    event: z.string(),
    subject: SubjectResource.nullable().meta({
      description: 'What the event tells of; null for a test event',
    }),
    sequence: z.bigint().min(0n).meta({
      description: 'Counts the endpoint’s deliveries without a gap. Sent as webhook-sequence',
    }),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().meta({ description: 'Number of attempts so far' }),
    next_attempt_at: Time.nullable().meta({ description: 'Null unless pending' }),
    created_at: Time,
    settled_at: Time.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const LoggedDelivery = DeliveryResource.extend({
  attempt_log: z.array(AttemptResource).meta({
    description:
      'The latest 50 attempts, oldest first. They are deleted WEBHOOK_LOG_DAYS after the delivery was acknowledged.',
  }),
}).meta({ id: 'LoggedWebhookDelivery' });

const EventBody = z
  .custom<RawJson>((value) => value instanceof RawJson)
  .meta({ id: 'WebhookEventBody', description: 'Exactly the JSON that is sent: {"event": …, "data": …}' });

export const DeliveryWithBody = LoggedDelivery.extend({ body: EventBody }).meta({
  id: 'WebhookDeliveryWithBody',
});

export function showDelivery(row: Delivery): z.input<typeof DeliveryResource> {
  return {
    id: row.id,
    webhook_id: row.endpoint_id,
    event_id: row.event_id,
    event: row.event,
    subject: row.subject && showSubject(row.subject),
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
  attempts: Attempt[] | undefined,
): z.input<typeof LoggedDelivery> {
  return { ...showDelivery(row), attempt_log: (attempts ?? []).map(showAttempt) };
}

export function showDeliveryWithBody(
  row: Delivery,
  attempts: Attempt[] | undefined,
): z.input<typeof DeliveryWithBody> {
  return { ...showLoggedDelivery(row, attempts), body: new RawJson(row.body.toString()) };
}

function showSubject(subject: EventSubject): z.input<typeof SubjectResource> {
  const { type, id, name, asset_code, asset_issuer, amount_stroops } = subject;
  return { type, id, name, asset_code, asset_issuer, amount_stroops };
}

function showAttempt(row: Attempt): z.input<typeof AttemptResource> {
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
