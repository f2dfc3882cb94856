// Runs inside the image, for run-read-only.sh: a wallet, a deposit and a withdrawal through the API of the running service.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const API = `http://127.0.0.1:${process.env.PORT}`;

/** @returns data of the answer. @throws when the status is another one. */
async function call(status, method, path, { token, body, headers = {} } = {}) {
  const answer = await fetch(API + path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  });
  const { data, ...rest } = await answer.json();
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(rest)}`);
  return data;
}

const login = JSON.parse(readFileSync('/data/demo-login', 'utf8'));
const { token } = await call(200, 'POST', '/v1/auth/login', { body: login });
const wallet = await call(201, 'POST', '/v1/wallets', { token, body: { name: 'Image' } });
const { address } = await call(201, 'POST', `/v1/wallets/${wallet.id}/addresses`, {
  token: wallet.api_key,
  body: {},
});

execFileSync(process.execPath, ['/app/bin/teller.js', 'sandbox', 'pay', address, '25.5'], {
  stdio: 'inherit',
});
let deposit;
for (const deadline = Date.now() + 30_000; deposit === undefined; ) {
  assert.ok(Date.now() < deadline, 'no deposit within 30 s');
  await setTimeout(100);
  const { items } = await call(200, 'GET', `/v1/wallets/${wallet.id}/deposits`, { token });
  deposit = items.find(({ address_id }) => address_id !== null); // friendbot's own payment names no address
}
assert.equal(deposit.amount_stroops, 255_000_000);

const withdrawal = await call(201, 'POST', `/v1/wallets/${wallet.id}/withdraw`, {
  token,
  body: { destination: deposit.source_account, amount_stroops: 150_000_000 },
  headers: { 'idempotency-key': 'image-1' },
});
assert.equal(withdrawal.status, 'confirmed');
for (const path of ['/', '/docs/', '/favicon.ico']) assert.equal((await fetch(API + path)).status, 200, path);
process.stdout.write(
  `Deposit ${deposit.id}, withdrawal ${withdrawal.id} (${withdrawal.status}); dashboard and reference answer.\n`,
);
