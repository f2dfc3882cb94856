/** A backup is restored: what was paid after it is not paid again, whoever asks, and the ledger gives every outcome back. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { pino } from 'pino';
import { startSandbox } from '../../sandbox/launch.ts';
import { fromJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { openLedger } from '../support/ledger.ts';
import { createTestDatabase, takeBackup } from '../support/postgres.ts';
import { startService, type TestService, teller, temporaryDirectory } from '../support/service.ts';

const FORGOTTEN = 8;

const log = pino({ level: 'silent' });
const sandbox = await startSandbox({ port: 0, dir: null, close_ms: 100, log });
const storage = await createTestDatabase();
const data_dir = temporaryDirectory();
const env = {
  DATABASE_URL: storage.url,
  MASTER_KEY: randomBytes(32).toString('base64'),
  STELLAR_RPC_URL: sandbox.rpc_url,
  DATA_DIR: data_dir,
  WITHDRAW_VALID_SECONDS: '60', // six seconds of ours
};
let service: TestService | undefined;
after(async () => {
  await service?.stop();
  await storage.drop();
  await sandbox.stop();
});

it('every key that was paid after the backup answers as before, and nothing is paid twice', async () => {
  const ledger = await openLedger(sandbox.rpc_url);
  const payees = await Promise.all(Array.from({ length: FORGOTTEN }, () => ledger.fund()));
  const before = await Promise.all(
    payees.map(async (payee) => (await ledger.account(payee.publicKey()))?.balance),
  );
  service = await startService({ data_dir, env });
  const token = await service.login();
  const made = await service.api('POST', '/v1/wallets', { token, body: { name: 'w' } });
  const wallet = made.body.data;
  const withdraw = (at: TestService, index: number) =>
    at.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
      token,
      headers: { 'idempotency-key': `key ${index}` },
      body: { destination: payees[index]?.publicKey(), amount_stroops: 1000n + BigInt(index) },
    });
  const requests = payees.map((_, index) => index);
  await service.stop();
  const restore = await takeBackup(storage.url);

  const running = await startService({ data_dir, env });
  service = running;
  const paid = await Promise.all(requests.map((index) => withdraw(running, index)));
  for (const { status, text } of paid) assert.equal(status, 201, text);
  await running.stop();
  await restore();

  const restored = await startService({ data_dir, env });
  service = restored;
  const [lost, ...repeated] = requests;
  assert(lost !== undefined);
  const answers = await Promise.all(repeated.map((index) => withdraw(restored, index)));
  for (const [place, { status, body, text }] of answers.entries()) {
    assert.equal(status, 201, text);
    assert.equal(body.data.status, 'confirmed');
    assert.equal(body.data.stellar_tx_hash, paid[place + 1]?.body.data.stellar_tx_hash);
  }
  // One client lost its records too, and does not ask again: an operator has its list.
  const unmatched = async () => fromJson((await teller(['unmatched', '--json'], env)).output) as any;
  assert.deepEqual(
    (await unmatched()).transactions.map(({ hash, blocks }: any) => [hash, blocks]),
    [[paid[lost]?.body.data.stellar_tx_hash, 'key']],
  );
  const list = join(data_dir, 'requests');
  writeFileSync(list, requests.map((index) => `key ${index}\n`).join(''));
  const reviewed = await teller(['unmatched', 'resolve', '--from-requests', list], env);
  assert.match(reviewed.output, /1 transactions belong to a request; 0 are left/);
  assert.match(reviewed.output, /Nothing was changed/);
  const resolved = await teller(['unmatched', 'resolve', '--from-requests', list, '--yes'], env);
  assert.match(resolved.output, /Done: 1 assigned, 0 accepted/);
  assert.deepEqual((await unmatched()).transactions, []);
  const again = await withdraw(restored, lost);
  assert.equal(again.body.error.code, 'idempotency_key_reused');
  assert.equal(again.body.data.stellar_tx_hash, paid[lost]?.body.data.stellar_tx_hash);

  const balances = async () =>
    Promise.all(payees.map(async (payee) => (await ledger.account(payee.publicKey()))?.balance));
  const once = before.map((balance, index) => (balance ?? 0n) + 1000n + BigInt(index));
  assert.deepEqual(await balances(), once, 'each is paid once');
  const compared = await eventually('the books agree with the ledger', async () => {
    const { code, output } = await teller(['reconcile', wallet.id], env);
    return code === 0 && output;
  });
  assert.match(compared, /agree/);
});
