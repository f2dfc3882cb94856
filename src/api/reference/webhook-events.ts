/** The `webhooks` of the OpenAPI document: the requests that receivers get. */
import { z } from 'zod';
import type { Operation } from '../../http/document-types.ts';
import { Id, Time } from '../../http/schemas.ts';
import { EVENTS } from './events.ts';

const Ping = z.object({ webhook_id: Id, created_at: Time }).meta({ id: 'Ping' });

type Described = { data: z.ZodType; words: string };
const TESTS: Record<string, Described> = {
  ping: { data: Ping, words: 'Sent on request only, to try the receiver.' },
  'deposit.test': {
    data: EVENTS['deposit.created'].data,
    words: 'A sample deposit, which nobody has paid: never book it.',
  },
  ...Object.fromEntries(
    Object.entries(EVENTS).map(([event, { data }]) => [
      `${event}.test`,
      { data, words: `A sample of \`${event}\`, sent on request only: never book it.` },
    ]),
  ),
};

const header = (name: string, description: string, example: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
  example,
});

const HEADERS = [
  header(
    'webhook-id',
    'Names the event, alike in each attempt: handle it once',
    'evt_01kf3m8z6q2r5t7v9x1c3e5g7j',
  ),
  header('webhook-timestamp', 'When the attempt was sent, in Unix seconds', '1768469400'),
  header(
    'webhook-signature',
    'Signatures of `{webhook-id}.{webhook-timestamp}.{body}` by the Standard Webhooks rules: `v1,` and base64, separated by spaces',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  header(
    'X-Svc-Signature',
    'HMAC-SHA256 of the body in hex; the key is the signing secret as text, `whsec_…` included',
    '3f0c1c0d3f5a4f0f8a6f0b6e7c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6a7b8c9d',
  ),
  header('webhook-sequence', 'Counts the deliveries of the endpoint, without a gap; not signed', '42', false),
];

const RESPONSES = {
  '2XX': { description: 'Acknowledged: the event is not sent again' },
  '4XX': { description: 'A failure, as any other answer: the event is sent again later' },
  default: {
    description: 'Anything else, and no answer in 15 seconds, is a failure: the event is sent again later',
  },
};

/** Named by the type of event, `deposit.created` and so on. */
export const WEBHOOKS = Object.fromEntries(
  Object.entries({ ...EVENTS, ...TESTS }).map(([event, { data, words }]) => {
    const id = `${pascal(event)}Event`;
    z.object({ event: z.literal(event), data }).meta({ id });
    return [event, { post: operationOf(event, id, words) }];
  }),
) as Record<string, { post: Operation }>;

function operationOf(event: string, id: string, words: string): object {
  return {
    operationId: `on${pascal(event)}`,
    tags: ['events'],
    summary: event,
    description: `${words} The body is signed: check the signature over its bytes before you read it.`,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${id}` } } },
    },
    responses: RESPONSES,
  };
}

function pascal(event: string): string {
  return event
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
