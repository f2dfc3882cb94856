// A webhook receiver in plain Node, from 22.13 on: `node examples/receiver.mjs SIGNING_SECRET [PORT]`.
//
// 1. It accepts a delivery only if `webhook-signature` is right over the exact bytes that arrived. This signature covers
//    webhook-id and the time too, so an old delivery cannot pass for a new one. While a secret is replaced there is one of
//    each secret, so the receiver goes on with either. X-Svc-Signature covers neither, and the new secret alone makes it.
// 2. It credits each webhook-id once: see once.mjs. The database is the file DATABASE (receiver.sqlite).
// 3. It notices missed deliveries: webhook-sequence counts its deliveries without a gap. With WEBHOOK (whe_…),
//    WALLET (wal_…) and API_KEY in the environment (API_URL: http://127.0.0.1:3000) it fetches them, also at its start.
//    No signature covers webhook-sequence. So it is only a reason to ask the service, whose answer says what is missing.
// 4. It offers the look-up `GET …?handled=evt_…`: with it, `npx teller verify-receiver` sees that each event is handled once.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { openDatabase } from './once.mjs';

const [secret, port = '4000'] = process.argv.slice(2);
if (!secret) throw new Error('usage: node examples/receiver.mjs SIGNING_SECRET [PORT]');
const {
  API_URL = 'http://127.0.0.1:3000',
  API_KEY,
  DATABASE = 'receiver.sqlite',
  WALLET,
  WEBHOOK,
} = process.env;
const database = openDatabase(DATABASE);

const TOLERANCE_SECONDS = 300;

/** Compares bytes: a header may contain any characters, and timingSafeEqual needs equal lengths. */
function isSame(given, expected) {
  const [theirs, ours] = [Buffer.from(given), Buffer.from(expected)];
  return theirs.length === ours.length && timingSafeEqual(theirs, ours);
}

function isGenuine(bytes, headers) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(bytes).digest('base64');
  return (
    signatures.split(' ').some((signature) => isSame(signature, `v1,${expected}`)) &&
    Math.abs(Date.now() / 1000 - Number(time)) < TOLERANCE_SECONDS
  );
}

/** SQLite reads the amount from the text that was signed, exactly; JSON.parse would round it beyond 2^53. */
const credit = database.prepare(`
  insert into credits
  select body ->> '$.data.id', event_id, body -> '$.data.metadata', body ->> '$.data.asset_code',
    body ->> '$.data.asset_issuer', body ->> '$.data.amount_stroops'
  from (select ? as event_id, ? as body)
`);

/** Handles a delivery or a fetched event. Returns false when the service did not sign it; throws when it is not handled. */
function take(bytes, headers) {
  if (!isGenuine(bytes, headers)) return false;
  const body = bytes.toString();
  const event_id = headers['webhook-id'];
  const is_new = database.once(event_id, body, () => {
    if (JSON.parse(body).event === 'deposit.created') credit.run(event_id, body); // tests and later types credit nobody
  });
  if (is_new) console.log(body);
  return true;
}

/** Handles all events after the last one that was fetched, oldest first. Most of them are known from their deliveries. */
async function fetchMissed() {
  for (;;) {
    const url = `${API_URL}/v1/wallets/${WALLET}/events?webhook_id=${WEBHOOK}&after=${database.placeIn(WEBHOOK)}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${API_KEY}` } });
    const { data, message } = await answer.json();
    if (!answer.ok) throw new Error(message);
    for (const { body, headers } of data.items) {
      const lowercase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
      if (!take(Buffer.from(body), Object.fromEntries(lowercase))) throw new Error('the signature is wrong');
    }
    if (data.items.length === 0) return;
    database.moveTo(WEBHOOK, data.next_after);
  }
}

/** The webhook-sequence of the delivery before. */
let latest = 0;
let fetching = Promise.resolve();
function catchUp() {
  if (!API_KEY || !WALLET || !WEBHOOK) return;
  fetching = fetching.then(fetchMissed).catch((error) => {
    console.log(`not fetched: ${error.message}`);
    latest = Number.NaN; // the next delivery makes another try
  });
}

createServer(async (request, response) => {
  if (request.method === 'GET') {
    const told = database.lookUp(request.url);
    return response.writeHead(told ? 200 : 405, { 'content-type': 'application/json' }).end(told);
  }
  const bytes = await buffer(request).catch(() => null); // the raw bytes, never a parsed and re-serialised object
  if (!bytes) return; // the request broke off: the sender repeats it
  try {
    if (!take(bytes, request.headers)) {
      console.log('refused: the signature is wrong');
      return response.writeHead(401).end();
    }
  } catch (error) {
    console.log(`not handled: ${error.message}`);
    return response.writeHead(500).end(); // no acknowledgement: the service sends the delivery again
  }
  response.writeHead(200).end();
  const sequence = Number(request.headers['webhook-sequence']);
  if (sequence !== latest + 1) catchUp();
  latest = sequence;
}).listen(Number(port), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${port}`);
  catchUp();
});
