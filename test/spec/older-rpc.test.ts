/**
 * Whole flows with the oldest stellar-rpc that the service can use. That the network's interface gives the same answers with
 * each version is shown by src/stellar/each-version*.test.ts.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { deployTestContract } from '../../sandbox/issuer-order.ts';
import { eventually } from '../support/eventually.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startReceiver } from '../support/receiver.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';
import { startRunningService, type Wallet } from '../support/running-service.ts';
import { startService, type TestService, teller, temporaryDirectory } from '../support/service.ts';

const world = await startRunningService(
  { LOG_LEVEL: 'info', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' },
  { args: ['--rpc-like', '22', '--faults'] },
);
const { ledger } = world;
const { rpc_url } = world.service;
const receiver = await startReceiver();
after(async () => {
  await receiver.close();
  await world.stop();
});

const faults = new URL('/faults', rpc_url);
const headers = { 'content-type': 'application/json' };
const json = (body: object, method = 'POST') => ({ method, headers, body: JSON.stringify(body) });
const network = async () => (await world.service.checks()).network as { ok: boolean; message: string };
const sources = (env: Record<string, string> = {}) => teller(['sources'], { ...world.environment, ...env });

describe('a stellar-rpc of version 22', () => {
  it('is enough to credit a deposit and to tell the receiver', async () => {
    const wallet = await world.newWallet();
    const hook = { token: wallet.api_key, body: { url: receiver.url } };
    assert.equal((await world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, hook)).status, 201);
    const { body } = await world.api('POST', `/v1/wallets/${wallet.id}/addresses`, { token: wallet.api_key });
    const { hash } = await ledger.pay(await ledger.fund(), body.data.address, 50n);
    const [deposit] = await world.depositsOf(wallet, hash);
    assert.deepEqual([deposit.amount_stroops, deposit.address_id], [50n, body.data.id]);
    await eventually('the event', () => receiver.requests.some((event) => event.body.includes(hash)));
    await eventually('the service is ready', async () => (await world.api('GET', '/readyz')).status === 200);
  });

  it('is enough to pay accounts and contracts, and to tell a payment that failed', async () => {
    const wallet = await world.newWallet();
    const destination = (await ledger.fund()).publicKey();
    const { contract } = await deployTestContract(rpc_url);
    const pay = async (to: string, amount_stroops: bigint) => {
      const { status, body, text } = await world.withdraw(wallet, { destination: to, amount_stroops });
      assert.equal(status, 201, text);
      assert.equal(body.data.status, 'confirmed', text);
      assert.equal((await ledger.transaction(body.data.stellar_tx_hash)).status, 'SUCCESS');
      return body.data.operation;
    };
    assert.equal(await pay(destination, 7n), 'payment');
    assert.equal(await pay(contract, 8n), 'contract_transfer');
    assert.equal((await ledger.account(destination))?.balance, 100_000_000_007n);
    const body = { destination, amount_stroops: 10n ** 15n };
    const { data } = (await world.withdraw(wallet, body)).body;
    assert.deepEqual([data.status, data.failure.code], ['failed', 'op_underfunded']);
  });

  it('is shown with its version and what it lacks, by the log and by `teller sources`', async () => {
    const { code, output } = await sources();
    assert.equal(code, 0, output);
    assert.match(output, /source 1: Stellar RPC 22\.1\.5/);
    assert.match(output, /ledgers 1 to \d+; the newest closed -?\d+ s ago/);
    assert.match(output, /no close times in getHealth/);
    assert.match(output, /no header in getLatestLedger/);
    assert.match(world.service.output(), /a source of the network is usable.*/);
  });
});

describe('a service on a stellar-rpc of version 22', () => {
  const data_dir = temporaryDirectory();
  let env: Record<string, string>;
  let storage: Awaited<ReturnType<typeof createTestDatabase>>;
  let service: TestService;
  let wallet: Wallet;
  before(async () => {
    storage = await createTestDatabase();
    const MASTER_KEY = randomBytes(32).toString('base64');
    env = {
      DATA_DIR: data_dir,
      DATABASE_URL: storage.url,
      MASTER_KEY,
      STELLAR_RPC_URL: rpc_url,
      WITHDRAW_VALID_SECONDS: '200', // twenty of ours: after a gap nothing is signed for so long
    };
    service = await startService({ data_dir, env });
    const made = await service.api('POST', '/v1/wallets', {
      token: await service.login(),
      body: { name: 'w' },
    });
    assert.equal(made.status, 201, made.text);
    wallet = made.body.data;
  });
  after(async () => {
    await fetch(faults, { method: 'DELETE' });
    await service.stop();
    await storage.drop();
  });
  const withdraw = async (key: string, destination: string) =>
    service.api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
      token: await service.login(),
      headers: { 'idempotency-key': key },
      body: { destination, amount_stroops: 5 },
    });
  const depositsOf = async () =>
    (await service.api('GET', `/v1/wallets/${wallet.id}/deposits`, { token: wallet.api_key })).body.data
      .items;

  it('that is killed while its payment is submitted pays once, and tells the outcome', async () => {
    const destination = (await ledger.fund()).publicKey();
    const held = { on: 'sendTransaction', kind: 'no_answer', effect: 'before', times: null };
    await fetch(faults, json(held));
    const cut = withdraw('in flight', destination).catch(() => 'cut');
    await eventually('the payment is submitted', async () => {
      const [fault] = ((await (await fetch(faults)).json()) as any).faults;
      return fault.struck > 0;
    });
    await service.kill();
    assert.equal(await cut, 'cut');
    await fetch(faults, { method: 'DELETE' });
    const database = new pg.Client({ connectionString: storage.url });
    await database.connect();
    await database.query('update withdrawals set leased_until = now() where settled_at is null');
    await database.end();
    service = await startService({ data_dir, env });
    const settled = await eventually('the outcome', async () => {
      const { body } = await withdraw('in flight', destination);
      return body.data?.status === 'confirmed' && body.data;
    });
    assert.equal((await ledger.transaction(settled.stellar_tx_hash)).status, 'SUCCESS');
    assert.equal((await ledger.account(destination))?.balance, 100_000_000_005n);
  });

  it('that was off for longer than the history goes on after a backfill', async () => {
    await eventually('the deposit that made the account', async () => (await depositsOf()).length > 0);
    assert.equal(await service.stop(), 0);
    const payer = await ledger.fund();
    const missed = await ledger.pay(payer, wallet.account, 50n);
    await fetch(`${faults}/nodes/main`, json({ oldest_ledger: missed.ledger + 1 }, 'PUT'));
    service = await startService({ data_dir, env });
    const checks = async (): Promise<any> => service.checks();
    await eventually('both cursors stand before the gap', async () => {
      const { deposits, withdrawals } = await checks();
      return /begins at ledger/.test(deposits.message) && /begins at ledger/.test(withdrawals.message);
    });
    const archive = rpc_url.replace('/rpc', '/nodes/archive/rpc');
    const options = ['--from-ledger', '2', '--rpc-url', archive];
    const { code, output } = await teller(['backfill', ...options], env);
    assert.equal(code, 0, output);
    await eventually('the service is ready and signs', async () => {
      const { deposits, withdrawals } = await checks();
      return deposits.ok && withdrawals.ok;
    });
    const hashes = (await depositsOf()).map((deposit: any) => deposit.stellar_tx_hash);
    assert.equal(hashes.filter((hash: string) => hash === missed.hash).length, 1);
    const paid = await withdraw('after the gap', payer.publicKey());
    assert.deepEqual([paid.status, paid.body.data?.status], [201, 'confirmed'], paid.text);
  });
});

describe('a source that cannot be used', () => {
  it('makes the network not ok, with its reason in one line, until it can be used again', async () => {
    const fault = { on: 'getLedgers', kind: 'rpc_error', code: -32601, message: 'method not found' };
    await fetch(faults, json({ ...fault, times: null }));
    const told = await eventually('readiness that tells of it', async () => {
      const { ok, message } = await network();
      return ok ? null : message;
    });
    assert.equal(told, 'source 1: getLedgers: -32601 method not found');
    const { code, output } = await sources();
    assert.equal(code, 1, output);
    const [source, network_line, ...others] = output.trimEnd().split('\n');
    assert.equal(source, 'source 1: cannot be used: getLedgers: -32601 method not found');
    assert.match(network_line ?? '', /^network: protocol \d+; this version \(.*\) reads up to protocol \d+$/);
    assert.deepEqual(others, []);
    await fetch(faults, { method: 'DELETE' });
    await eventually('readiness again', async () => (await network()).ok);
    const lines = world.service.output().match(/a source of the network is not usable/g);
    assert.equal(lines?.length, 1, 'one line in the log');
  });
});

describe('`teller sources` about protocols', () => {
  const KNOWN = 30;
  const lastLines = (output: string, count: number) => output.trimEnd().split('\n').slice(-count);

  it('warns of a source that supports a newer one, and ends with an error once the network is there', async (t) => {
    const proxy = await startRpcProxy(rpc_url);
    t.after(() => proxy.close());
    const asked = { STELLAR_NETWORK: 'sandbox', STELLAR_RPC_URL: `${rpc_url},${proxy.url}` };
    const supports_next = { version: '31.0.0', protocolVersion: KNOWN + 1 };
    proxy.treat('getVersionInfo', (call) => call.result(supports_next));
    const before = await sources(asked);
    assert.equal(before.code, 0, before.output);
    assert.match(
      before.output,
      new RegExp(`^  protocol \\d+; it supports protocol ${KNOWN + 1} and below$`, 'm'),
    );
    const [network_line, warning] = lastLines(before.output, 2);
    assert.match(
      network_line ?? '',
      new RegExp(`^network: protocol \\d+; .* reads up to protocol ${KNOWN}$`),
    );
    assert.match(
      warning ?? '',
      new RegExp(`^warning: Source 2 supports protocol ${KNOWN + 1}; .*: upgrade it before`),
    );

    proxy.treat('getLatestLedger', async (call) => {
      const { result } = await call.forward();
      call.result({ ...result, headerXdr: 'AAAA' });
    });
    proxy.treat('getNetwork', async (call) => {
      const { result } = await call.forward();
      call.result({ ...result, protocolVersion: KNOWN + 1 });
    });
    const after_it = await sources({ ...asked, STELLAR_RPC_URL: proxy.url });
    assert.equal(after_it.code, 1, after_it.output);
    const [source, , error] = after_it.output.trimEnd().split('\n');
    assert.match(
      source ?? '',
      new RegExp(`^source 1: cannot be used: getLatestLedger: .* protocol ${KNOWN + 1}; this version of`),
    );
    assert.match(
      error ?? '',
      new RegExp(
        `^error: The network is at protocol ${KNOWN + 1}; .* reads up to protocol ${KNOWN}: upgrade it\\.$`,
      ),
    );
  });
});
