import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  Account,
  Asset,
  Keypair,
  Memo,
  MuxedAccount,
  Operation,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base';
import type { Sandbox } from '../launch.ts';
import { networkId, parseTransaction } from '../ledger/transaction.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { closeUntilAnswered, fund, sandboxFor } from '../testing/rpc-client.ts';
import { operationSentence } from './operation-sentences.ts';

const W_TRANSFER = new URL('../testing/recordings/protocol-30/transfer-to-muxed.json', import.meta.url);
const HOSTILE = '<img src=x onerror=alert(1)>';
const MUXED_ID = 2n ** 64n - 1n;

async function get(sandbox: Sandbox, path: string) {
  const response = await fetch(`${sandbox.url}explorer${path}`);
  return { status: response.status, body: (await response.json()) as any };
}

async function post(sandbox: Sandbox, path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${sandbox.url}explorer${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json().catch(() => null)) as any };
}

/** Two accounts; the first one can pay. */
async function withAccounts(t: TestContext) {
  const { sandbox, server } = await sandboxFor(t);
  const [payer, receiver] = (await fund(sandbox, 2)) as [Keypair, Keypair];
  return { sandbox, server, payer, receiver };
}

async function pay(sandbox: Sandbox, payer: Keypair, destination: string, more: Record<string, string> = {}) {
  const { status, body } = await post(sandbox, '/pay', {
    secret: payer.secret(),
    destination,
    amount: '2.5',
    ...more,
  });
  assert.equal(status, 202, JSON.stringify(body));
  sandbox.closeLedger();
  return body.hash as string;
}

test('a browser gets the page at the root, with a policy that forbids inline code and other origins', async (t) => {
  const { sandbox } = await sandboxFor(t);
  const page = await fetch(sandbox.url, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  const html = await page.text();
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:/);
  assert.doesNotMatch(html, /https?:|<style|style=|\son\w+=/);
  for (const [, path = ''] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
    const file = await fetch(new URL(path, sandbox.url));
    assert.equal(file.status, 200, path);
    assert.equal(file.headers.get('x-content-type-options'), 'nosniff');
  }
});

test('every file that the page imports is served', async (t) => {
  const { sandbox } = await sandboxFor(t);
  const files = readdirSync(join(import.meta.dirname, '..', 'page')).filter(
    (name) => !name.endsWith('.test.ts'),
  );
  assert.ok(files.includes('page.js'));
  for (const name of files) {
    assert.equal((await fetch(`${sandbox.url}explorer/page/${name}`)).status, 200, name);
  }
});

test('a client that does not ask for HTML gets Horizon at the root', async (t) => {
  const { sandbox } = await sandboxFor(t);
  for (const accept of ['application/json', '*/*', 'application/hal+json']) {
    const answer = await fetch(sandbox.url, { headers: { accept } });
    assert.doesNotMatch(answer.headers.get('content-type') ?? '', /html/, accept);
  }
});

test('funds a new account, returns its secret, and pays from it: with a memo id, and to a muxed account', async (t) => {
  const { sandbox, receiver } = await withAccounts(t);
  const funded = await closeUntilAnswered(sandbox, post(sandbox, '/fund', {}));
  assert.equal(funded.status, 200);
  const payer = Keypair.fromSecret(funded.body.secret);
  assert.equal(payer.publicKey(), funded.body.address);

  const hash = await pay(sandbox, payer, receiver.publicKey(), { memo_id: MUXED_ID.toString() });
  const { body } = await get(sandbox, `/transactions/${hash}`);
  assert.equal(body.successful, true);
  assert.deepEqual(body.memo, { type: 'id', value: MUXED_ID.toString() });
  assert.deepEqual(body.operations[0].words, [
    { account: payer.publicKey() },
    ' ',
    'pays ',
    { amount: '2.5', asset: 'XLM', issuer: null },
    ' to ',
    { account: receiver.publicKey() },
  ]);

  const muxed = new MuxedAccount(new Account(receiver.publicKey(), '0'), MUXED_ID.toString()).accountId();
  await pay(sandbox, payer, muxed);
  const account = await get(sandbox, `/accounts/${muxed}`);
  assert.equal(account.body.address, receiver.publicKey());
  assert.equal(account.body.balance, '10005');
});

test("a contract's transfer is shown with its destination: a muxed contract by its W… address", () => {
  const { envelope_xdr } = JSON.parse(readFileSync(W_TRANSFER, 'utf8'));
  const { tx } = parseTransaction(Buffer.from(envelope_xdr, 'base64'), networkId(SANDBOX_PASSPHRASE));
  const [operation] = tx.operations;
  assert.ok(operation);
  assert.deepEqual(operationSentence(operation, tx.sourceAccount).slice(2), [
    'calls ',
    { text: 'transfer' },
    ' of the contract ',
    { id: 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC' },
    ': 1234.56789 to ',
    { id: 'WA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUABAAAAAAAAAAH5B6' },
  ]);
});

test('a payment to an address without an account creates it', async (t) => {
  const { sandbox, payer } = await withAccounts(t);
  const stranger = Keypair.random().publicKey();
  await pay(sandbox, payer, stranger);
  assert.equal((await get(sandbox, `/accounts/${stranger}`)).body.balance, '2.5');
});

test('a payment that is impossible is refused in words, with the result code', async (t) => {
  const { sandbox, payer, receiver } = await withAccounts(t);
  const order = { secret: payer.secret(), destination: receiver.publicKey(), amount: '1' };
  const refused = async (change: Record<string, string>, status: number, code: string, words: RegExp) => {
    const answer = await post(sandbox, '/pay', { ...order, ...change });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.equal(answer.body.error.code, code);
    assert.match(answer.body.error.message, words);
  };
  await refused({ secret: Keypair.random().secret() }, 422, 'txNO_ACCOUNT', /Fund it first/);
  await refused({ secret: 'SABC' }, 400, 'bad_request', /S… secret key/);
  await refused({ destination: HOSTILE }, 400, 'bad_request', /not a G… or M… address/);
  for (const amount of ['0', '-1', '1e3', '0.00000001', '922337203686', ''])
    await refused({ amount }, 400, 'bad_request', /amount/);
  await refused({ memo_id: (MUXED_ID + 1n).toString() }, 400, 'bad_request', /memo id/);
  await refused({ more: 'x' }, 400, 'bad_request', /./);

  await post(sandbox, '/pay', order);
  await refused({ amount: '2' }, 409, 'TRY_AGAIN_LATER', /waiting/);
  const again = await post(sandbox, '/fund', { address: payer.publicKey() });
  assert.deepEqual([again.status, again.body.error.code], [409, 'already_exists']);
});

test('a payment that fails in its ledger is answered with the reason', async (t) => {
  const { sandbox, payer, receiver } = await withAccounts(t);
  const hash = await pay(sandbox, payer, receiver.publicKey(), { amount: '99999' });
  const { body } = await get(sandbox, `/transactions/${hash}`);
  assert.equal(body.successful, false);
  assert.equal(body.result.code, 'txFAILED');
  assert.deepEqual(body.operations[0].result, {
    code: 'PAYMENT_UNDERFUNDED',
    words: 'the account has less than that to spend',
  });
});

test('only JSON from the page’s own origin under a local host name may fund or pay', async (t) => {
  const { sandbox, payer, receiver } = await withAccounts(t);
  const order = JSON.stringify({ secret: payer.secret(), destination: receiver.publicKey(), amount: '1' });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    assert.equal((await post(sandbox, '/pay', order, { 'content-type': type })).status, 415, type);
  }
  assert.equal((await post(sandbox, '/pay', order, { origin: 'https://evil.example' })).status, 403);
  assert.equal((await post(sandbox, '/pay', order, { origin: 'null' })).status, 403);
  assert.equal(await statusUnderHost(sandbox, 'evil.example', order), 403);
  assert.equal((await post(sandbox, '/pay', '{')).body.error.code, 'invalid_json');

  const before = (await get(sandbox, `/accounts/${receiver.publicKey()}`)).body.balance;
  sandbox.closeLedger();
  assert.equal((await get(sandbox, `/accounts/${receiver.publicKey()}`)).body.balance, before);
  assert.equal((await post(sandbox, '/pay', order, { origin: sandbox.url.slice(0, -1) })).status, 202);
});

function statusUnderHost(sandbox: Sandbox, host: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json' };
    const sent = request(`${sandbox.url}explorer/pay`, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test('texts from the ledger are sent as data, with invisible characters written out', async (t) => {
  const { sandbox, server, payer } = await withAccounts(t);
  const { seqNum } = await server.getAccountEntry(payer.publicKey());
  const account = new Account(payer.publicKey(), seqNum.toString());
  const transaction = new TransactionBuilder(account, { fee: '100', networkPassphrase: SANDBOX_PASSPHRASE })
    .addOperation(Operation.manageData({ name: HOSTILE, value: 'a\u202eb\n' }))
    .addMemo(Memo.text(Buffer.from([0xff, 0x3c, 0x00])))
    .setTimeout(0)
    .build();
  transaction.sign(payer);
  await server.sendTransaction(transaction);
  sandbox.closeLedger();

  const { body } = await get(sandbox, `/transactions/${Buffer.from(transaction.hash()).toString('hex')}`);
  assert.deepEqual(body.operations[0].words.slice(2), [
    'sets its data ',
    { text: HOSTILE },
    ' to ',
    { text: 'a\\u{202e}b\\u{a}' },
  ]);
  assert.deepEqual(body.memo, { type: 'text', value: '\ufffd<\\u{0}', bytes: 'ff3c00' });
  const { data } = (await get(sandbox, `/accounts/${payer.publicKey()}`)).body;
  assert.deepEqual(data, [
    { name: HOSTILE, value: Buffer.from('a\u202eb\n').toString('base64'), text: 'a\\u{202e}b\\u{a}' },
  ]);
});

test('an account view has its reserve, signers and thresholds', async (t) => {
  const { sandbox, server, payer } = await withAccounts(t);
  const signer = Keypair.random().publicKey();
  const { seqNum } = await server.getAccountEntry(payer.publicKey());
  const builder = new TransactionBuilder(new Account(payer.publicKey(), seqNum.toString()), {
    fee: '100',
    networkPassphrase: SANDBOX_PASSPHRASE,
  });
  const options = {
    highThreshold: 2,
    homeDomain: 'example.com',
    signer: { ed25519PublicKey: signer, weight: 1 },
  };
  const transaction = builder.addOperation(Operation.setOptions(options)).setTimeout(0).build();
  transaction.sign(payer);
  await server.sendTransaction(transaction);
  sandbox.closeLedger();

  const { body } = await get(sandbox, `/accounts/${payer.publicKey()}`);
  assert.equal(body.reserve, '1.5');
  assert.equal(body.home_domain, 'example.com');
  assert.deepEqual(body.thresholds, { low: 0, medium: 0, high: 2 });
  assert.deepEqual(body.signers, [
    { key: payer.publicKey(), weight: 1 },
    { key: signer, weight: 1 },
  ]);
});

test('lists are newest first, and their cursors give every record once', async (t) => {
  const { sandbox, payer, receiver } = await withAccounts(t);
  const hashes: string[] = [];
  for (let payment = 0; payment < 5; payment++) {
    hashes.unshift(await pay(sandbox, payer, receiver.publicKey()));
    sandbox.closeLedger();
  }
  const walk = async (path: string) => {
    const records: any[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const { body } = await get(sandbox, `${path}limit=2${next && `&cursor=${next}`}`);
      assert.ok(body.records.length <= 2);
      records.push(...body.records);
      next = body.next;
    }
    return records;
  };
  const transactions = await walk('/transactions?');
  assert.deepEqual(
    transactions.slice(0, 5).map(({ hash }) => hash),
    hashes,
  );
  const own = (await walk(`/transactions?account=${payer.publicKey()}&`)).map(({ hash }) => hash);
  assert.deepEqual(own.slice(0, 5), hashes);
  assert.equal(own.length, 6, 'the five payments, and what created the account');
  const none = await walk(`/transactions?account=${Keypair.random().publicKey()}&`);
  assert.deepEqual(none, []);

  const ledgers = (await walk('/ledgers?')).map(({ sequence }) => sequence);
  assert.deepEqual(
    ledgers,
    Array.from(ledgers, (_, index) => ledgers.length - index),
  );
  const full = transactions[0].ledger;
  const [one] = await walk(`/transactions?ledger=${full}&`);
  assert.equal(one.hash, hashes[0]);
  assert.deepEqual(await walk(`/transactions?ledger=${full + 1}&`), []);

  const accounts = (await walk('/accounts?')).map(({ address }) => address);
  assert.deepEqual(new Set(accounts.slice(0, 2)), new Set([payer.publicKey(), receiver.publicKey()]));
});

test('the accounts that a ledger wrote last come first', async (t) => {
  const { sandbox, payer, receiver } = await withAccounts(t);
  const [third] = (await fund(sandbox, 1)) as [Keypair];
  await pay(sandbox, payer, receiver.publicKey());
  const { body } = await get(sandbox, '/accounts');
  const order = body.records.map(({ address }: { address: string }) => address);
  assert.ok(
    order.indexOf(third.publicKey()) >
      Math.max(order.indexOf(payer.publicKey()), order.indexOf(receiver.publicKey())),
  );
});

test('an absent record or a malformed request is answered in words', async (t) => {
  const { sandbox } = await sandboxFor(t);
  const answers: [path: string, status: number][] = [
    ['/ledgers/999999', 404],
    ['/ledgers/0', 404],
    ['/ledgers/x', 400],
    [`/transactions/${'0'.repeat(64)}`, 404],
    ['/transactions/abc', 400],
    [`/accounts/${Keypair.random().publicKey()}`, 404],
    ['/accounts/GABC', 400],
    ['/transactions?cursor=1', 400],
    ['/transactions?account=x', 400],
    ['/ledgers?limit=0', 400],
    ['/ledgers?limit=101', 400],
  ];
  for (const [path, status] of answers) {
    const answer = await get(sandbox, path);
    assert.equal(answer.status, status, path);
    assert.equal(typeof answer.body.error.message, 'string', path);
  }
});

test('every payment of an asset names the asset and its issuer', async () => {
  const { operationSentence } = await import('./operation-sentences.ts');
  const [payer, issuer] = [Keypair.random(), Keypair.random().publicKey()];
  const operation = Operation.payment({
    destination: issuer,
    asset: new Asset('USD', issuer),
    amount: '0.1',
  });
  const source = { type: 0, ed25519: payer.rawPublicKey() } as const;
  assert.deepEqual(operationSentence(operation.toXdrObject(), source).slice(2), [
    'pays ',
    { amount: '0.1', asset: 'USD', issuer },
    ' to ',
    { account: issuer },
  ]);
});
