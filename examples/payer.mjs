// Pays orders from a file, each once, however often it is started: `node examples/payer.mjs WALLET_ID orders.jsonl`.
// In this checkout build the client first: `npm run build -w stellar-teller-client`.
//
// CLIENT_ID and CLIENT_SECRET (API_URL: http://127.0.0.1:3000) are those of a service user that may withdraw.
// Each line of the file is an order: {"destination":"G…","amount_stroops":150000000,"memo_id":7}.
//
// The key of each order is written beside the file before the order is sent. When this program dies, the next start sends
// the same keys again, and the service answers with what became of them. Lines must not move: append only.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import {
  NotKnownYetError,
  NotPossibleError,
  newIdempotencyKey,
  parseExact,
  TellerClient,
} from 'stellar-teller-client';

const [wallet_id, file] = process.argv.slice(2);
if (!file) throw new Error('usage: node examples/payer.mjs WALLET_ID orders.jsonl');
const { API_URL: base_url = 'http://127.0.0.1:3000', CLIENT_ID, CLIENT_SECRET } = process.env;
if (!CLIENT_ID || !CLIENT_SECRET) throw new Error('CLIENT_ID and CLIENT_SECRET must be set');
const client = new TellerClient({ base_url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET });

const linesOf = (path) => readFileSync(path, 'utf8').split('\n').filter(Boolean);
const orders = linesOf(file).map(parseExact);
const keys_file = `${file}.keys`;
const keys = existsSync(keys_file) ? linesOf(keys_file) : [];
for (let at = keys.length; at < orders.length; at++) {
  const key = newIdempotencyKey();
  appendFileSync(keys_file, `${key}\n`, { flush: true }); // on the disk before anything is sent
  keys.push(key);
}

/** All at the same time: many withdrawals of a wallet fit into one ledger. */
const DEADLINE_MS = 10 * 60_000;
await Promise.all(
  orders.map(async (order, at) => {
    const idempotency_key = keys[at];
    try {
      const paid = await client.withdrawals.withdrawAndWait(
        wallet_id,
        { ...order, idempotency_key },
        { deadline_ms: DEADLINE_MS },
      );
      console.log(`${at + 1} ${paid.status} ${paid.failure?.code ?? paid.stellar_tx_hash}`);
    } catch (error) {
      process.exitCode = 1;
      if (error instanceof NotPossibleError) console.log(`${at + 1} refused ${error.code}`);
      else if (error instanceof NotKnownYetError) console.log(`${at + 1} not known yet: start again later`);
      else console.log(`${at + 1} ${error.name}: ${error.message}`);
    }
  }),
);
