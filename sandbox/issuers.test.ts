import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Account, Asset, Keypair, MuxedAccount, Operation, StrKey } from '@stellar/stellar-sdk/base';
import type { Server } from '@stellar/stellar-sdk/rpc';
import { pino } from 'pino';
import type { Sandbox } from './launch.ts';
import { startSandbox } from './launch.ts';
import { rootKeypair } from './ledger/genesis.ts';
import { SANDBOX_PASSPHRASE } from './passphrase.ts';
import { issuerKeypair, testAssets } from './test-assets.ts';
import { contractWallet, prepareTransfer } from './testing/contract-wallet.ts';
import { closeUntilAnswered, fund, sandboxFor, signed } from './testing/rpc-client.ts';
import { UNIT } from './testing/test-network.ts';

const MAX_ID = 2n ** 64n - 1n;

const issuerOf = (code: string) => issuerKeypair(SANDBOX_PASSPHRASE, code).publicKey();
const assetOf = (code: string) => new Asset(code, issuerOf(code));

/** One order to the issuers over HTTP; ledgers close until it is answered. */
async function order(sandbox: Sandbox, action: string, body: object, headers: Record<string, string> = {}) {
  const request = fetch(`${sandbox.url}test-assets/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const response = await closeUntilAnswered(sandbox, request);
  return { status: response.status, body: (await response.json()) as any };
}

async function must(
  sandbox: Sandbox,
  action: string,
  body: object,
): Promise<{ hash: string; ledger: number }> {
  const { status, body: answer } = await order(sandbox, action, body);
  assert.equal(status, 200, JSON.stringify(answer));
  return answer;
}

async function refused(sandbox: Sandbox, action: string, body: object, code: string, words: RegExp) {
  const { status, body: answer } = await order(sandbox, action, body);
  assert.deepEqual([status, answer.error?.code], [code === 'bad_request' ? 400 : 422, code]);
  assert.match(answer.error.message, words);
}

async function trust(
  at: { sandbox: Sandbox; server: Server },
  holder: Keypair,
  code: string,
  limit?: string,
) {
  const line = { asset: assetOf(code), ...(limit === undefined ? {} : { limit }) };
  await at.server.sendTransaction(await signed(at.server, holder, [Operation.changeTrust(line)]));
  at.sandbox.closeLedger();
}

async function withIssuers(t: Parameters<typeof sandboxFor>[0]) {
  const at = await sandboxFor(t);
  await closeUntilAnswered(at.sandbox, at.sandbox.issuers.make());
  const [holder] = (await fund(at.sandbox, 1)) as [Keypair];
  const held = async (code: string) =>
    (await at.server.getTrustline(holder.publicKey(), assetOf(code))).balance;
  const flags = async (code: string) =>
    (await at.server.getTrustline(holder.publicKey(), assetOf(code))).flags;
  return { ...at, holder, held, flags };
}

test('the test assets are the same on every sandbox, and none of them is on a ledger before it is needed', async (t) => {
  const { sandbox, server } = await sandboxFor(t);
  const { records } = (await (await fetch(`${sandbox.url}test-assets/`)).json()) as any;
  assert.deepEqual(records, testAssets(SANDBOX_PASSPHRASE));
  assert.deepEqual(
    records.map(({ asset_code, asset_issuer }: any) => `${asset_code}:${asset_issuer}`),
    [
      'USDC:GC4QBVP6LYJ2PS6UPWI5QF6ZHFTO3YMBNW6XPIT77ALQLDWLQZO2IVWB',
      'AUTHUSD:GAQGHMZBZLXQ5XS6AVZQICD2MJUO63SSECTTY6JCDSAXC77CIJ3CWTSH',
      'CLAWUSD:GANZPWULN5W3DZAQKWQ4C2OKN776QKSWEXQH7M2W4RIAOIK2EY2UTFVU',
    ],
  );
  for (let ledger = 0; ledger < 5; ledger++) sandbox.closeLedger();
  const { transactions } = await server.getTransactions({ startLedger: 1 });
  assert.equal(transactions.length, 0);
});

test('a network started for people makes the issuers by itself, with their flags and a home domain, once', async (t) => {
  const { sandbox, server } = await sandboxFor(t, { test_assets: true });
  await closeUntilAnswered(sandbox, sandbox.issuers.make());
  const flags = new Map([
    ['USDC', 0],
    ['AUTHUSD', 1 | 2],
    ['CLAWUSD', 2 | 8],
  ]);
  for (const [code, expected] of flags) {
    const account = await server.getAccountEntry(issuerOf(code));
    assert.deepEqual([account.flags, String(account.homeDomain)], [expected, 'sandbox.invalid'], code);
  }
  const count = async () => (await server.getTransactions({ startLedger: 1 })).transactions.length;
  const before = await count();
  for (let ledger = 0; ledger < 5; ledger++) sandbox.closeLedger();
  assert.equal(await count(), before);
});

test('a network that goes on gets the issuers, and one that was reset gets them again', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'sandbox-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const log = pino({ level: 'silent' });
  await (await startSandbox({ port: 0, dir, close_ms: 0, log })).stop();

  const { sandbox, server } = await sandboxFor(t, { dir, test_assets: true, faults: true });
  const exists = () => server.getAccountEntry(issuerOf('USDC')).catch(() => null);
  const appear = async () => {
    for (let ledger = 0; ledger < 6; ledger++) {
      sandbox.closeLedger();
      await new Promise((resolve) => setImmediate(resolve)); // what waits for the ledger goes on
    }
    assert.equal(String((await exists())?.homeDomain), 'sandbox.invalid');
  };
  await appear();
  sandbox.faults?.network.reset();
  assert.equal(await exists(), null);
  await appear();
});

test('USDC is paid to an account, to a muxed account and with a memo id', async (t) => {
  const { sandbox, server, holder, held } = await withIssuers(t);
  await trust({ sandbox, server }, holder, 'USDC');
  const destination = holder.publicKey();
  const muxed = new MuxedAccount(new Account(destination, '0'), MAX_ID.toString()).accountId();
  const asset = `USDC:${issuerOf('USDC')}`;
  const memo_id = MAX_ID.toString();
  const first = await must(sandbox, 'pay', { asset, destination, amount: '0.0000001', memo_id });
  await must(sandbox, 'pay', { asset: 'USDC', destination: muxed, amount: '25' });
  assert.equal(await held('USDC'), 25n * UNIT + 1n);

  const found = await server.getTransaction(first.hash);
  assert.ok(found.status === 'SUCCESS' && found.envelopeXdr.type === 'envelopeTypeTx');
  const { memo } = found.envelopeXdr.value.tx;
  assert.equal(memo.type === 'memoId' && memo.value, MAX_ID);
  assert.equal(found.ledger, first.ledger);
});

test('many payments of an asset at once are all made in one ledger', async (t) => {
  const { sandbox, server, holder, held } = await withIssuers(t);
  await trust({ sandbox, server }, holder, 'USDC');
  const [asset] = testAssets(SANDBOX_PASSPHRASE);
  assert.ok(asset);
  const payment = { asset, destination: holder.publicKey(), amount_stroops: 2n };
  const payments = Array.from({ length: 30 }, () => sandbox.issuers.pay(payment));
  const paid = await closeUntilAnswered(sandbox, Promise.all(payments));
  assert.equal(new Set(paid.map(({ hash }) => hash)).size, 30);
  assert.equal(new Set(paid.map(({ ledger }) => ledger)).size, 1);
  assert.equal(await held('USDC'), 60n);
});

test('a payment that the network refuses is answered with its reason, and nothing is paid', async (t) => {
  const { sandbox, server, holder, held } = await withIssuers(t);
  const destination = holder.publicKey();
  const pay = { asset: 'USDC', destination, amount: '11' };
  await refused(sandbox, 'pay', pay, 'PAYMENT_NO_TRUST', /the receiver has no trust line for the asset/);
  await trust({ sandbox, server }, holder, 'USDC', '10');
  await refused(sandbox, 'pay', pay, 'PAYMENT_LINE_FULL', /no room for that much/);
  const stranger = { ...pay, destination: Keypair.random().publicKey() };
  await refused(sandbox, 'pay', stranger, 'PAYMENT_NO_DESTINATION', /does not exist/);
  assert.equal(await held('USDC'), 0n);

  await refused(sandbox, 'pay', { ...pay, asset: 'EURC' }, 'bad_request', /There are USDC, AUTHUSD, CLAWUSD/);
  await refused(
    sandbox,
    'pay',
    { ...pay, asset: `USDC:${destination}` },
    'bad_request',
    /no such test asset/,
  );
  await refused(sandbox, 'pay', { ...pay, amount: '0' }, 'bad_request', /above 0/);
  await refused(sandbox, 'pay', { ...pay, destination: 'GABC' }, 'bad_request', /G… or M… address/);
  await refused(sandbox, 'authorize', { asset: 'USDC' }, 'bad_request', /./);
});

test('AUTHUSD can be held only once its issuer has authorized the trust line, and until it revokes that', async (t) => {
  const { sandbox, server, holder, held, flags } = await withIssuers(t);
  const [asset, account] = ['AUTHUSD', holder.publicKey()];
  const pay = { asset, destination: account, amount: '5' };
  await refused(
    sandbox,
    'authorize',
    { asset, account },
    'SET_TRUST_LINE_FLAGS_NO_TRUST_LINE',
    /no trust line/,
  );
  await trust({ sandbox, server }, holder, asset);
  await refused(sandbox, 'pay', pay, 'PAYMENT_NOT_AUTHORIZED', /not authorized to hold/);
  await must(sandbox, 'authorize', { asset, account });
  await must(sandbox, 'pay', pay);
  await must(sandbox, 'revoke', { asset, account });
  assert.equal(await flags(asset), 0);
  await refused(sandbox, 'pay', pay, 'PAYMENT_NOT_AUTHORIZED', /not authorized to hold/);
  assert.equal(await held(asset), 5n * UNIT);
});

test('CLAWUSD can be clawed back, also by the muxed address of its holder; the other assets cannot', async (t) => {
  const { sandbox, server, holder, held } = await withIssuers(t);
  const account = new MuxedAccount(new Account(holder.publicKey(), '0'), '7').accountId();
  for (const asset of ['CLAWUSD', 'USDC']) {
    await trust({ sandbox, server }, holder, asset);
    await must(sandbox, 'pay', { asset, destination: account, amount: '5' });
  }
  await must(sandbox, 'claw-back', { asset: 'CLAWUSD', account, amount: '2' });
  assert.equal(await held('CLAWUSD'), 3n * UNIT);
  const more = { asset: 'CLAWUSD', account, amount: '4' };
  await refused(sandbox, 'claw-back', more, 'CLAWBACK_UNDERFUNDED', /less than that/);
  const other = { ...more, asset: 'USDC' };
  await refused(sandbox, 'claw-back', other, 'CLAWBACK_NOT_CLAWBACK_ENABLED', /does not allow/);
  await refused(sandbox, 'revoke', { asset: 'USDC', account }, 'SET_TRUST_LINE_FLAGS_CANT_REVOKE', /revoke/);
  await must(sandbox, 'revoke', { asset: 'CLAWUSD', account });
});

test('the contract of a test asset pays to contracts, even when its first holder is one', async (t) => {
  const { sandbox, server, holder } = await withIssuers(t);
  const issuer = issuerKeypair(SANDBOX_PASSPHRASE, 'USDC');
  const to = contractWallet(holder).address;
  const asset = assetOf('USDC');
  const transaction = await prepareTransfer(server, issuer, {
    asset,
    from: issuer.publicKey(),
    to,
    amount: 3n,
  });
  transaction.sign(issuer);
  await server.sendTransaction(transaction);
  sandbox.closeLedger();
  assert.ok(StrKey.isValidContract(to));
  const { balanceEntry } = await server.getSACBalance(to, asset, SANDBOX_PASSPHRASE);
  assert.equal(balanceEntry?.amount, '3');
});

test('web pages of other origins cannot order anything', async (t) => {
  const { sandbox } = await sandboxFor(t);
  const body = { asset: 'USDC', account: Keypair.random().publicKey() };
  assert.equal((await order(sandbox, 'revoke', body, { origin: 'http://localhost:1' })).status, 403);
  assert.equal((await order(sandbox, 'revoke', body, { 'content-type': 'text/plain' })).status, 415);
});

test('a network with room for two operations in a ledger makes the issuers one after the other', async (t) => {
  const { sandbox, server } = await sandboxFor(t, { max_operations: 2 });
  await closeUntilAnswered(sandbox, sandbox.issuers.make());
  assert.equal((await server.getAccountEntry(issuerOf('CLAWUSD'))).flags, 2 | 8);
});

test('an issuer whose account somebody has created already gets its flags all the same', async (t) => {
  const { sandbox, server } = await sandboxFor(t);
  const addr = issuerOf('AUTHUSD');
  await closeUntilAnswered(sandbox, fetch(`${sandbox.friendbot_url}?addr=${addr}`));
  await closeUntilAnswered(sandbox, sandbox.issuers.make());
  assert.equal((await server.getAccountEntry(addr)).flags, 1 | 2);
});

test('when the root account cannot create accounts, an order says so', async (t) => {
  const { sandbox, server } = await sandboxFor(t);
  const root = rootKeypair(SANDBOX_PASSPHRASE);
  await server.sendTransaction(await signed(server, root, [Operation.setOptions({ masterWeight: 0 })]));
  sandbox.closeLedger();
  const body = { asset: 'USDC', account: root.publicKey() };
  const { status, body: answer } = await order(sandbox, 'authorize', body);
  assert.deepEqual([status, answer.error.code], [503, 'failed']);
});

test('an order that still waits when the network stops is answered so', async () => {
  const log = pino({ level: 'silent' });
  const sandbox = await startSandbox({ port: 0, dir: null, close_ms: 0, log });
  const making = sandbox.issuers.make();
  making.catch(() => {}); // it is read below
  await sandbox.stop();
  await assert.rejects(making, /stopping/);
});
