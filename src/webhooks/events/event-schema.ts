/** Events as the API shows them. */
import { z } from 'zod';
import { Id, Time } from '../../http/schemas.ts';
import type { SignedEvent } from './fetch-events.ts';

const Sequence = z.bigint().min(0n);

const EventResource = z
  .object({
    id: Id.meta({ description: 'Sent as webhook-id' }),
    event: z.string(),
    sequence: Sequence,
    created_at: Time,
    body: z.string().meta({ description: 'The exact text that is sent: {"event": …, "data": …}' }),
    headers: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'Of a delivery to the endpoint that is sent now; null without webhook_id' }),
  })
  .meta({ id: 'WebhookEvent' });

export const EventPage = z.object({
  items: z.array(EventResource),
  next_after: Sequence.meta({
    description: 'The value of `after` for the next request, also after an empty page',
  }),
});

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
