// A webhook receiver in plain Node: `node examples/receiver.mjs SIGNING_SECRET [PORT]`.
//
// 1. It accepts a delivery only if both HMACs over the exact bytes that arrived are right: X-Svc-Signature, and
//    webhook-signature, which also covers webhook-id and the time, so that an old delivery cannot pass for a new one.
// 2. It handles each event once: a delivery may come twice, and webhook-id is the same each time.
// 3. It notices missed deliveries: webhook-sequence counts its deliveries without a gap. With WEBHOOK (whe_…),
//    WALLET (wal_…) and API_KEY in the environment (API_URL: http://127.0.0.1:3000) it fetches them, also at its start.
//
// `handled` and `complete` are in memory here. Keep yours in your database, in the transaction that credits.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const [secret, port = '4000'] = process.argv.slice(2);
if (!secret) throw new Error('usage: node examples/receiver.mjs SIGNING_SECRET [PORT]');
const { API_URL = 'http://127.0.0.1:3000', API_KEY, WALLET, WEBHOOK } = process.env;

/** webhook-id → webhook-sequence of deliveries handled beyond `complete`. Up to `complete` none is missing. */
const handled = new Map();
let complete = 0;

const TOLERANCE_SECONDS = 300;

/** Compares bytes: a header may contain any characters, and timingSafeEqual needs equal lengths. */
function isSame(given = '', expected) {
  const [theirs, ours] = [Buffer.from(given), Buffer.from(expected)];
  return theirs.length === ours.length && timingSafeEqual(theirs, ours);
}

function isGenuine(bytes, headers) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const standard = createHmac('sha256', key).update(`${id}.${time}.`).update(bytes).digest('base64');
  return (
    isSame(headers['x-svc-signature'], createHmac('sha256', secret).update(bytes).digest('hex')) &&
    signatures.split(' ').some((signature) => isSame(signature, `v1,${standard}`)) && // one for each secret that signs
    Math.abs(Date.now() / 1000 - Number(time)) < TOLERANCE_SECONDS
  );
}

/** Handles a delivery or a fetched event. False when the service did not sign it. */
function take(bytes, headers) {
  if (!isGenuine(bytes, headers)) return false;
  const sequence = Number(headers['webhook-sequence']);
  if (sequence <= complete || handled.has(headers['webhook-id'])) return true;
  handled.set(headers['webhook-id'], sequence);
  console.log(bytes.toString()); // credit your customer here
  return true;
}

/** Moves `complete` up to the next gap; true when a delivery before the newest one is missing. */
function hasGap() {
  for (const [id, sequence] of [...handled].sort((a, b) => a[1] - b[1])) {
    if (sequence !== complete + 1) return true;
    complete = sequence;
    handled.delete(id);
  }
  return false;
}

/** Everything after `complete`, oldest first. */
async function fetchMissed() {
  for (;;) {
    const url = `${API_URL}/v1/wallets/${WALLET}/events?webhook_id=${WEBHOOK}&after=${complete}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${API_KEY}` } });
    const { data, message } = await answer.json();
    if (!answer.ok) throw new Error(message);
    for (const { body, headers } of data.items) {
      const lowercase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
      if (!take(Buffer.from(body), Object.fromEntries(lowercase))) throw new Error('the signature is wrong');
    }
    hasGap();
    if (data.items.length === 0) return;
  }
}

let fetching = Promise.resolve();
function catchUp() {
  if (!API_KEY || !WALLET || !WEBHOOK) return;
  fetching = fetching.then(fetchMissed).catch((error) => console.log(`not fetched: ${error.message}`));
}

createServer(async (request, response) => {
  const bytes = await buffer(request).catch(() => null); // the raw bytes, never a parsed and re-serialised object
  if (!bytes) return; // the request broke off: the sender repeats it
  if (!take(bytes, request.headers)) {
    console.log('refused: the signature is wrong');
    return response.writeHead(401).end();
  }
  response.writeHead(200).end();
  if (hasGap()) catchUp();
}).listen(Number(port), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${port}`);
  catchUp();
});
