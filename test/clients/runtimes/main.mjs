/**
 * Runs in Node, Deno and Bun, beside an installed `stellar-teller-client`: the tables of cases, then calls of the service
 * that `SERVICE` describes. Ends with code 0 when all is right.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import * as client from 'stellar-teller-client';
import { verifyWebhook } from 'stellar-teller-client/webhooks';
import { failuresOf } from './conformance.mjs';

const read = (name) => JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8'));
const failures = await failuresOf(client, { signatures: read('signatures'), integers: read('integers') });
if (verifyWebhook !== client.verifyWebhook) failures.push('the parts of the package are one');

const { base_url, token, api_key, wallet_id, destination } = JSON.parse(process.env.SERVICE ?? '{}');
const payer = new client.TellerClient({ base_url, token });
const idempotency_key = client.newIdempotencyKey();
const order = { idempotency_key, destination, amount_stroops: 1n, memo_id: 18446744073709551615n };
const paid = await payer.withdrawals.withdrawAndWait(wallet_id, order);
if (paid.status !== 'confirmed' || paid.memo_id !== order.memo_id) failures.push('a withdrawal');
const shop = new client.TellerClient({ base_url, api_key });
const refused = await shop.withdrawals.withdraw(wallet_id, order).catch((error) => error);
if (!(refused instanceof client.AuthenticationError)) failures.push('a refusal');
const closed = new client.TellerClient({ base_url: 'http://127.0.0.1:1', max_retries: 0 });
const unreachable = await closed.service.get().catch((error) => error);
if (!(unreachable instanceof client.TellerConnectionError)) failures.push('a service that is away');

for (const failure of failures) console.error(`wrong: ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1; // it ends by itself: the client leaves no timer behind
