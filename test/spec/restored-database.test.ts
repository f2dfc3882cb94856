/** A backup is restored: what was paid after it is not paid again, whoever asks, and the ledger gives every outcome back. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { pino } from 'pino';
import { startSandbox } from '../../sandbox/launch.ts';
import { fromJson } from '../support/api.ts';
import { tellerStartedOnce } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { openLedger } from '../support/ledger.ts';
import { createTestDatabase, takeBackup } from '../support/postgres.ts';
import {
  SHORT_VALIDITY,
  startService,
  type TestService,
  teller,
  temporaryDirectory,
} from '../support/service.ts';

const FORGOTTEN = 8;

const log = pino({ level: 'silent' });
const sandbox = await startSandbox({ port: 0, dir: null, close_ms: 100, step_ms: 1000, log });
const storage = await createTestDatabase();
const data_dir = temporaryDirectory();
const env = {
  DATABASE_URL: storage.url,
  MASTER_KEY: randomBytes(32).toString('base64'),
  STELLAR_RPC_URL: sandbox.rpc_url,
  DATA_DIR: data_dir,
  ...SHORT_VALIDITY,
  CHANNELS_MAX: '0', // else a busy wallet makes channel accounts, before the backup or after it
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
  const unmatched = async () =>
    fromJson((await tellerStartedOnce(['unmatched', '--json'], env)).output) as any;
  // Its transaction may be in a later ledger than those that gave the others their outcomes.
  const transactions: any[] = await eventually('the forgotten payment', async () => {
    const found = (await unmatched()).transactions;
    return found.length > 0 && found;
  });
  assert.deepEqual(
    transactions.map(({ hash, blocks }) => [hash, blocks]),
    [[paid[lost]?.body.data.stellar_tx_hash, 'key']],
  );
  const list = join(data_dir, 'requests');
  writeFileSync(list, requests.map((index) => `key ${index}\n`).join(''));
  const reviewed = await tellerStartedOnce(['unmatched', 'resolve', '--from-requests', list], env);
  assert.match(reviewed.output, /1 transactions belong to a request; 0 are left/);
  assert.match(reviewed.output, /Nothing was changed/);
  const resolved = await tellerStartedOnce(['unmatched', 'resolve', '--from-requests', list, '--yes'], env);
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
    const { code, output } = await tellerStartedOnce(['reconcile', wallet.id], env);
    return code === 0 && output;
  });
  assert.match(compared, /agree/);
});

it('a wallet that was made after the backup comes back from the key journal with its deposits, and pays no key again; channel accounts come back too', async () => {
  const KEY_JOURNAL = join(temporaryDirectory(), 'keys');
  const journaling = { ...env, KEY_JOURNAL };
  const ledger = await openLedger(sandbox.rpc_url);
  await service?.stop();
  service = undefined;
  const restore = await takeBackup(storage.url);

  const running = await startService({ data_dir, env: journaling });
  service = running;
  const token = await running.login();
  const channels = await teller(['channels', 'create', '2'], { ...journaling, CHANNELS_MAX: '2' });
  assert.equal(channels.code, 0, channels.output);
  const made = await running.api('POST', '/v1/wallets', { token, body: { name: 'made after the backup' } });
  assert.equal(made.status, 201, made.text);
  const { id, account } = made.body.data;
  const payer = await ledger.fund();
  const { hash } = await ledger.pay(payer, account, 777n);
  const pay = (at: TestService, of: string) =>
    at.api('POST', `/v1/wallets/${id}/withdraw`, {
      token: of,
      headers: { 'idempotency-key': 'paid after the backup' },
      body: { destination: payer.publicKey(), amount_stroops: 5n },
    });
  const first = await pay(running, token);
  assert.equal(first.body.data.status, 'confirmed', first.text);
  await running.stop();
  await restore();

  // Somebody starts the service before the keys are back: it reads ledgers without the wallet.
  const early = await startService({ data_dir, env: journaling });
  service = early;
  const newest = (await ledger.server.getLatestLedger()).sequence;
  await eventually('the ledgers are read', async () => {
    const { deposits } = (await early.checks()) as any;
    return Number(/ledger (\d+)/.exec(deposits.message)?.[1]) > newest;
  });
  const { body: warned } = await early.api('GET', '/readyz');
  assert.match(warned.data.keys.message, /lacks keys of the key journal/);
  assert.match((await teller(['keys', 'recover'], journaling)).output, /Stop every process/);
  await early.stop();
  const refused = await teller(['keys', 'recover'], journaling);
  assert.equal(refused.code, 1, refused.output);
  const to_ledger = /teller rewind --to-ledger (\d+)/.exec(refused.output)?.[1] ?? '';
  const rewound = await teller(['rewind', '--to-ledger', to_ledger], journaling);
  assert.equal(rewound.code, 0, rewound.output);

  const lacking = await teller(['keys'], journaling);
  assert.equal(lacking.code, 1, lacking.output);
  assert.match(lacking.output, new RegExp(`wallet ${id}: ${account}`));
  const KEY_JOURNAL_FILE = join(temporaryDirectory(), 'path-of-the-journal');
  writeFileSync(KEY_JOURNAL_FILE, KEY_JOURNAL);
  const recovered = await teller(['keys', 'recover'], { ...env, KEY_JOURNAL_FILE });
  assert.match(recovered.output, /Recovered: 1 wallets, 2 channel accounts, 1 treasuries/);
  const complete = await teller(['keys'], journaling);
  assert.equal(complete.code, 0, complete.output);

  const again = await startService({ data_dir, env: journaling });
  service = again;
  const renewed = await again.login(); // the session is lost too
  const { body } = await again.api('GET', '/readyz');
  assert.deepEqual(body.data.keys, { ok: true, message: 'the database has every key of the key journal' });
  const shown = await again.api('GET', `/v1/wallets/${id}`, { token: renewed });
  assert.equal(shown.body.data.name, 'made after the backup');
  await eventually('the deposit that came before the restore', async () => {
    const deposits = await again.api('GET', `/v1/wallets/${id}/deposits`, { token: renewed });
    return deposits.body.data.items.some(({ stellar_tx_hash }: any) => stellar_tx_hash === hash);
  });
  const paid = await pay(again, renewed);
  assert.equal(paid.status, 201, paid.text);
  assert.equal(paid.body.data.stellar_tx_hash, first.body.data.stellar_tx_hash, 'not paid again');

  // Keys whose rows were never committed: one that nobody has, and one whose account is there.
  const line = readFileSync(KEY_JOURNAL, 'utf8')
    .split('\n')
    .find((each) => each.includes(id));
  const phantom = (phantom_id: string, of: string) =>
    `${JSON.stringify({ ...JSON.parse(line ?? ''), id: phantom_id, account: of })}\n`;
  const nobody = Keypair.random().publicKey();
  appendFileSync(KEY_JOURNAL, phantom('wal_nobody', nobody) + phantom('wal_somebody', payer.publicKey()));
  const dismiss = (of: string) =>
    teller(['keys', 'dismiss', of, '--reason', 'the disk was full'], journaling);
  assert.match((await dismiss('wal_nobody')).output, /Stop every process/);
  await again.stop();
  service = undefined;
  assert.match((await dismiss(id)).output, /is not among the keys that the database lacks/);
  assert.match((await dismiss('wal_somebody')).output, /is on the network and may hold money/);
  assert.match((await dismiss('wal_nobody')).output, /Dismissed: wal_nobody/);
  const left = await teller(['keys'], journaling);
  assert.match(left.output, /wal_somebody/);
  assert.doesNotMatch(left.output, /wal_nobody/);
});
