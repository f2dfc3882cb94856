import { type Examples, eventsAfter, nextEvents } from './example.ts';

const bearer = `{ Authorization: \`Bearer \${process.env.API_KEY}\` }`;
const jsonHeaders = `{
    Authorization: \`Bearer \${process.env.API_KEY}\`,
    'Content-Type': 'application/json',
  }`;

export const TYPESCRIPT: Examples = {
  address: ({
    origin,
    walletId,
  }) => `type Payload = { message: string; data: { address: string; account: string; memo_id: number } };

const response = await fetch('${origin}/v1/wallets/${walletId}/addresses', {
  method: 'POST',
  headers: ${jsonHeaders},
  body: JSON.stringify({ label: 'Customer 42', metadata: { customer_id: 42 } }),
});
const { data, message } = (await response.json()) as Payload;
if (!response.ok) throw new Error(message);
console.log('Pay', data.address, 'or', data.account, 'with memo id', data.memo_id);
`,
  withdraw: ({
    origin,
    walletId,
  }) => `type Withdrawal = { id: string; status: string; stellar_tx_hash: string | null };
type Payload = { message: string; data?: Withdrawal };

const { CLIENT_ID, CLIENT_SECRET, ORDER = 'order-4711', DESTINATION } = process.env;

// A service user with the role Operator. Its token is valid for 15 minutes: use it again until then.
const login = await fetch('${origin}/v1/auth/token', {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: CLIENT_ID ?? '',
    client_secret: CLIENT_SECRET ?? '',
  }),
});
if (!login.ok) throw new Error(\`no token: \${await login.text()}\`);
const { access_token } = (await login.json()) as { access_token: string };

// The key is the id of your order. It never pays twice: after a lost answer send the same request again.
const response = await fetch('${origin}/v1/wallets/${walletId}/withdraw', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${access_token}\`,
    'Content-Type': 'application/json',
    'Idempotency-Key': ORDER,
  },
  body: JSON.stringify({ destination: DESTINATION, amount_stroops: 10_000_000, reference: 'Customer 42' }),
});
const { message, data } = (await response.json()) as Payload;
// 201: confirmed or failed. 202: members must approve it. 409: the order was sent before. 504: no outcome yet.
if (!data) throw new Error(message); // nothing was accepted
console.log(response.status, data.id, data.status, data.stellar_tx_hash);
`,
  deposits: ({ origin, walletId }) => `type Asset = { asset_code: string; asset_issuer: string | null };
type Deposit = Asset & { id: string; amount_stroops: number; metadata: unknown };
type Payload = { message: string; data: { items: Deposit[]; next_cursor: string | null } };

// Numbers beyond 2^53 need an exact JSON parser. 2^53 stroops are 900 million XLM.
let cursor: string | null = null;
do {
  const query = new URLSearchParams({ limit: '50', ...(cursor ? { cursor } : {}) });
  const response = await fetch(\`${origin}/v1/wallets/${walletId}/deposits?\${query}\`, {
    headers: ${bearer},
  });
  const { data, message } = (await response.json()) as Payload;
  if (!response.ok) throw new Error(message);
  for (const { id, amount_stroops, asset_code, asset_issuer, metadata } of data.items) {
    // XLM is native, without an issuer. Anybody can issue an asset of any code: compare the issuer too.
    console.log(id, amount_stroops, asset_code, asset_issuer, metadata);
  }
  cursor = data.next_cursor;
} while (cursor);
`,
  webhook: ({
    origin,
    walletId,
  }) => `type Payload = { message: string; data: { id: string; signing_secret: string } };

const response = await fetch('${origin}/v1/wallets/${walletId}/webhooks', {
  method: 'POST',
  headers: ${jsonHeaders},
  body: JSON.stringify({ url: 'https://example.com/stellar-teller', description: 'Production' }),
});
const { data, message } = (await response.json()) as Payload;
if (!response.ok) throw new Error(message);
console.log(data.id, data.signing_secret); // store the secret: it is not shown again
`,
  verify: () => `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error('WEBHOOK_SECRET is not set');

/** Checks the raw bytes: JSON that was parsed and serialized again may differ. */
const isGenuine = (body: Buffer, signature: string): boolean => {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
};

createServer(async (request, response) => {
  const body = await buffer(request).catch(() => null); // null: the request was aborted
  if (!body || !isGenuine(body, String(request.headers['x-svc-signature']))) return response.writeHead(401).end();
  const { event, data } = JSON.parse(body.toString());
  // It can arrive twice, and webhook-id is not signed here: credit each hash, operation and event index once.
  console.log(event, data.id, data.stellar_tx_hash, data.operation_index, data.event_index);
  return response.writeHead(204).end();
}).listen(4000);
`,
  standard: () => `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error('WEBHOOK_SECRET is not set');
const key = Buffer.from(secret.replace('whsec_', ''), 'base64');

/** Checks the headers of Standard Webhooks: the time is signed too, and old secrets sign for 24 hours. */
const isGenuine = (body: Buffer, headers: Record<string, unknown>): boolean => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false;
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  return String(signatures).split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
};

createServer(async (request, response) => {
  const body = await buffer(request).catch(() => null); // null: the request was aborted
  if (!body || !isGenuine(body, request.headers)) return response.writeHead(401).end();
  const { event, data } = JSON.parse(body.toString());
  // It can arrive twice: credit each webhook-id once, and remember it in the same transaction.
  console.log(request.headers['webhook-id'], event, data.id);
  return response.writeHead(204).end();
}).listen(4000);
`,
  poll: (place) => `type Event = { id: string; sequence: number; body: string };
type Payload = { message: string; data: { items: Event[]; next_after: number } };

let after = Number(process.env.AFTER ?? 0); // next_after of the last response: store it with your bookings
for (;;) {
  const response = await fetch(\`${nextEvents(place)}\${after}\`, {
    headers: ${bearer},
  });
  const { data, message } = (await response.json()) as Payload;
  if (!response.ok) throw new Error(message);
  for (const { id, sequence, body } of data.items) {
    const { event, data: about } = JSON.parse(body);
    console.log(sequence, id, event, about.id); // credit each id once
  }
  after = data.next_after;
}
`,
  missed: (place) => `type Event = { id: string; sequence: number; body: string };
type Payload = { message: string; data: { items: Event[]; next_after: number } };

let last = 0; // next_after of the last response: store it with your bookings
for (;;) {
  const response = await fetch(\`${eventsAfter(place)}\${last}\`, {
    headers: ${bearer},
  });
  const { data, message } = (await response.json()) as Payload;
  if (!response.ok) throw new Error(message);
  if (data.items.length === 0) break;
  for (const { id, sequence, body } of data.items) {
    const { event, data: about } = JSON.parse(body);
    console.log(sequence, id, event, about.id); // id is the webhook-id of its delivery: credit each once
  }
  last = data.next_after;
}
`,
};
