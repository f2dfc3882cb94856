// A webhook receiver with the client, in Node from 22.13 on: `node examples/receiver-with-client.mjs SIGNING_SECRET [PORT]`.
// In this checkout build the client first: `npm run build -w stellar-teller-client`. receiver.mjs does the same without it.
//
// The client checks the signature and the time, accepts both secrets while one replaces the other, and reads amounts exactly.
// What is left to you: credit each id once. once.mjs does it, in the file DATABASE (receiver.sqlite).
// With WALLET (wal_…) and API_KEY in the environment (API_URL: http://127.0.0.1:3000) it also reads the events that it
// missed while it was away, and those that come. Then a lost delivery does no harm.
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { isEvent, TellerClient } from 'stellar-teller-client';
import { webhookHandler } from 'stellar-teller-client/webhooks/express';
import { openDatabase } from './once.mjs';

const [secret, port = '4000'] = process.argv.slice(2);
if (!secret) throw new Error('usage: node examples/receiver-with-client.mjs SIGNING_SECRET [PORT]');
const {
  API_URL: base_url = 'http://127.0.0.1:3000',
  API_KEY: api_key,
  DATABASE = 'receiver.sqlite',
  WALLET,
} = process.env;
const database = openDatabase(DATABASE);
const credit = database.prepare('insert into credits values (?, ?, ?, ?, ?, ?)');

/** `event_id` is the same, whichever way the event came. `deposit.test` and events of later versions credit nobody. */
function take(event_id, text, event) {
  const is_new = database.once(event_id, text, () => {
    if (!isEvent(event, 'deposit.created')) return;
    const { id, metadata_text, asset_code, asset_issuer, amount_stroops } = event.data;
    credit.run(id, event_id, metadata_text, asset_code, asset_issuer, amount_stroops);
  });
  if (is_new) console.log(`${event_id} ${event.event}`);
}

const receive = webhookHandler(
  { secret, onRefused: ({ reason }) => console.log(`refused: ${reason}`) },
  (delivery) => take(delivery.id, delivery.text, delivery),
);
createServer((request, answer) => {
  if (request.method === 'GET') {
    const told = database.lookUp(request.url); // for `npx teller verify-receiver`
    return answer.writeHead(told ? 200 : 405, { 'content-type': 'application/json' }).end(told);
  }
  // What `take` throws is no acknowledgement: the service sends the delivery again.
  receive(request, answer, (error) => {
    console.log(`not handled: ${error.message}`);
    answer.writeHead(500).end();
  });
}).listen(Number(port), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}`));

const PAUSE_MS = 5000;
if (api_key && WALLET) {
  const client = new TellerClient({ base_url, api_key });
  for (;;) {
    try {
      for await (const { id, sequence, body, parsed } of client.events.follow(WALLET, {
        after: database.placeIn(WALLET),
      })) {
        take(id, body, parsed);
        database.moveTo(WALLET, sequence);
      }
    } catch (error) {
      console.log(`not read: ${error.message}`); // it goes on after the last event that was handled
      await setTimeout(PAUSE_MS);
    }
  }
}
