// A webhook receiver with the client: `node examples/receiver-with-client.mjs SIGNING_SECRET [PORT]`.
// In this checkout build the client first: `npm run build -w stellar-teller-client`. receiver.mjs does the same without it.
//
// The client checks the signature and the time, and reads amounts exactly. What is left to you: handle each id once.
// With WALLET (wal_…) and API_KEY in the environment (API_URL: http://127.0.0.1:3000) it also reads the events that it
// missed while it was away, and those that come. Then a lost delivery does no harm.
//
// `handled` is in memory here. Keep yours in your database, in the transaction that credits.
import { createServer } from 'node:http';
import { isEvent, TellerClient } from 'stellar-teller-client';
import { webhookHandler } from 'stellar-teller-client/webhooks/express';

const [secret, port = '4000'] = process.argv.slice(2);
if (!secret) throw new Error('usage: node examples/receiver-with-client.mjs SIGNING_SECRET [PORT]');
const { API_URL: base_url = 'http://127.0.0.1:3000', API_KEY: api_key, WALLET } = process.env;

const handled = new Set();

/** `id` is that of the event, whichever way it came. `deposit.test` and events of later versions credit nobody. */
function take(id, event) {
  if (handled.has(id)) return;
  handled.add(id);
  if (!isEvent(event, 'deposit.created')) return;
  const { amount_stroops, asset_code, metadata_text } = event.data;
  console.log(`credit ${amount_stroops} stroops of ${asset_code} to ${metadata_text}`); // credit your customer here
}

const receive = webhookHandler(
  { secret, onRefused: ({ reason }) => console.log(`refused: ${reason}`) },
  (delivery) => take(delivery.id, delivery),
);
createServer((request, answer) => {
  // What `take` throws is no acknowledgement: the service sends the delivery again.
  receive(request, answer, (error) => {
    console.log(error.message);
    answer.writeHead(500).end();
  });
}).listen(Number(port), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}`));

if (api_key && WALLET) {
  const client = new TellerClient({ base_url, api_key });
  // Yours begins after the last number that your database has.
  for await (const { id, parsed } of client.events.follow(WALLET, { after: 0n })) take(id, parsed);
}
