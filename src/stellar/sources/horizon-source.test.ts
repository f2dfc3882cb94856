/** Tests against a scripted Horizon, whose answers may be false. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Keypair, xdr } from '@stellar/stellar-sdk';
import {
  appliedPayment,
  failed,
  ledgerHeader,
  ledgerTransactions,
  PASSPHRASE,
  resultXdr,
  signedPayment,
  succeeded,
} from '../../../test/support/ledger-xdr.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { createMetrics } from '../../lib/metrics.ts';
import type { HttpRequest, HttpResponse } from '../answers/transport.ts';
import { createStellar } from './create-stellar.ts';

type Script = Record<string, (call: number, request: HttpRequest) => HttpResponse | object>;

const problem = (status: number, name: string): HttpResponse => ({
  status,
  text: JSON.stringify({ type: `https://stellar.org/horizon-errors/${name}`, status }),
});
const notFound = problem(404, 'not_found');
const root = {
  network_passphrase: PASSPHRASE,
  history_latest_ledger: 100,
  history_elder_ledger: 2,
  core_latest_ledger: 104,
  _links: {},
};
const ledger = (sequence: number) => ({
  sequence,
  header_xdr: ledgerHeader(sequence, BigInt(sequence * 50)).toXdr('base64'),
});
const page = (...records: object[]) => ({ _embedded: { records } });

/** Scripts by path, of `/transactions/…` and `/accounts/…` by their first part. */
function chainOf(script: Script) {
  const calls: { path: string; query: URLSearchParams }[] = [];
  const usual: Script = {
    '/': () => root,
    '/ledgers': () => page(ledger(100)),
    '/ledgers/100': () => ledger(100),
  };
  const metrics = createMetrics();
  const stellar = createStellar({
    rpc_urls: [],
    horizon_urls: ['https://horizon.example/v2/SECRETKEY/?token=SECRET'],
    passphrase: PASSPHRASE,
    clock: systemClock,
    log: createLog('silent', false),
    metrics,
    transport: {
      async send(request) {
        const url = new URL(request.url);
        assert.ok(url.pathname.startsWith('/v2/SECRETKEY/'));
        assert.equal(url.searchParams.get('token'), 'SECRET');
        const path = url.pathname.slice('/v2/SECRETKEY'.length);
        const name = path.replace(/^(\/accounts|\/transactions)\/.+/, '$1/');
        calls.push({ path: name, query: url.searchParams });
        const answer = script[name] ?? usual[name];
        if (!answer) return notFound;
        const reply = answer(calls.filter((call) => call.path === name).length, request);
        return 'text' in reply ? (reply as HttpResponse) : { status: 200, text: JSON.stringify(reply) };
      },
      close: async () => undefined,
    },
  });
  const unusable = async () =>
    Object.fromEntries(
      (await metrics.unusable_answers.get()).values.map(({ labels, value }) => [labels.method, value]),
    );
  return { stellar, calls, unusable };
}

const ours = signedPayment(1);
const applied = appliedPayment(ours, 90);
const found = {
  hash: ours.hash,
  successful: true,
  ledger: 90,
  envelope_xdr: ours.envelope_xdr,
  result_xdr: succeeded,
};

test('an applied transaction is given with its ledger, fee and outcome, with one request', async () => {
  const { stellar, calls } = chainOf({ '/transactions/': () => found });
  await stellar.latestLedger();
  calls.length = 0;
  assert.deepEqual(await stellar.find(ours.hash), applied.found);
  assert.equal(calls.length, 1);
});

test('the transaction itself is given in bytes, with its meta and close time where Horizon has them', async () => {
  const result_meta_xdr = Buffer.alloc(8).toString('base64');
  const told = { ...found, created_at: '1970-01-01T01:22:30Z', result_meta_xdr };
  const read = await chainOf({ '/transactions/': () => told }).stellar.readTransaction(ours.hash);
  assert.deepEqual(read, { found: 'applied', close_time: 4950n, transaction: applied.transaction });
  for (const none of [null, undefined, '']) {
    const bare = chainOf({ '/transactions/': () => ({ ...found, result_meta_xdr: none }) });
    const { transaction, close_time } = (await bare.stellar.readTransaction(ours.hash)) as typeof read & {
      found: 'applied';
    };
    assert.deepEqual([transaction.meta, close_time], [null, null]);
  }
});

test('another transaction’s result, garbage XDR or impossible numbers decide nothing, and are counted', async () => {
  const lies: (HttpResponse | object)[] = [
    { ...found, envelope_xdr: signedPayment(2).envelope_xdr },
    { ...found, envelope_xdr: 'AAAA' },
    { ...found, result_xdr: 'not base64' },
    { ...found, result_xdr: failed },
    { ...found, result_xdr: resultXdr(xdr.TransactionResultResult.txSuccess([])) },
    { ...found, successful: false },
    { ...found, ledger: 'soon' },
    { ...found, ledger: 1.5 },
    { ...found, created_at: 'yesterday' },
    { ...found, created_at: '2026-08-04T10:00:00.5Z' },
    { ...found, result_meta_xdr: 'not base64' },
    { ...found, result_xdr: undefined },
    { status: 200, text: '<html>' },
    { status: 200, text: 'null' },
    { status: 200, text: '' },
  ];
  for (const lie of lies) {
    const { stellar, unusable } = chainOf({ '/transactions/': () => lie });
    assert.equal((await stellar.find(ours.hash)).found, 'unknown', JSON.stringify(lie).slice(0, 80));
    assert.deepEqual(await unusable(), { 'horizon:transaction': 1 });
  }
});

test('"absent" comes only after a second look-up, and covers only the history that was read before it', async () => {
  const later = { ...root, history_latest_ledger: 102, history_elder_ledger: 3 };
  const { stellar, calls } = chainOf({ '/': (call) => (call === 1 ? root : later) });
  await stellar.latestLedger(); // knows the network from here on
  calls.length = 0;
  assert.deepEqual(await stellar.find(ours.hash), {
    found: 'absent',
    oldest_ledger: 3,
    latest_ledger: 100,
    latest_close_time: 5000n,
  });
  assert.deepEqual(
    calls.map(({ path }) => path),
    ['/transactions/', '/', '/ledgers/100', '/transactions/', '/'],
  );
});

test('a transaction that appears between the two look-ups is found', async () => {
  const { stellar } = chainOf({ '/transactions/': (call) => (call === 1 ? notFound : found) });
  assert.equal((await stellar.find(ours.hash)).found, 'applied');
});

test('a gateway’s 404, an error or a source that contradicts itself never gives "absent"', async () => {
  const scripts: Script[] = [
    { '/transactions/': () => ({ status: 404, text: '<h1>404</h1>' }) },
    { '/transactions/': () => ({ status: 404, text: '{"status":404}' }) },
    { '/transactions/': () => problem(410, 'before_history') },
    { '/transactions/': () => problem(503, 'stale_history') },
    { '/transactions/': () => ({ status: 429, text: '' }) },
    { '/transactions/': (call) => (call === 1 ? notFound : problem(500, 'server_error')) },
    { '/': (call) => (call <= 2 ? root : { ...root, history_latest_ledger: 99 }) },
    { '/': (call) => (call <= 2 ? root : { ...root, network_passphrase: 'another' }) },
    { '/': (call) => (call === 1 ? root : { ...root, history_elder_ledger: undefined }) },
    { '/ledgers/100': () => ledger(101) },
    { '/ledgers/100': () => ({ ...ledger(100), header_xdr: ledger(101).header_xdr }) },
    { '/ledgers/100': () => notFound },
  ];
  for (const [index, script] of scripts.entries()) {
    const { stellar } = chainOf(script);
    assert.equal((await stellar.find(ours.hash)).found, 'unknown', `${index}`);
  }
});

test('every answer of Horizon to a submission is only a hint, and never an exception', async () => {
  const { hash } = ours;
  const badSequence = resultXdr(xdr.TransactionResultResult.txBadSeq());
  const json = (status: number, body: object) => ({ status, text: JSON.stringify(body) });
  const answers: [HttpResponse, RegExp][] = [
    [json(201, { tx_status: 'PENDING', hash }), /^pending null$/],
    [json(409, { tx_status: 'DUPLICATE', hash }), /^duplicate null$/],
    [json(503, { tx_status: 'TRY_AGAIN_LATER', hash }), /^try_again_later null$/],
    [json(400, { tx_status: 'ERROR', hash, error_result_xdr: badSequence }), /^refused tx_bad_seq$/],
    [json(400, { tx_status: 'ERROR', hash, error_result_xdr: 'AAAA' }), /^refused unreadable$/],
    [json(201, { tx_status: 'PENDING', hash: signedPayment(2).hash }), /^no_answer .*an answer about/],
    [problem(400, 'transaction_malformed'), /^no_answer .*HTTP 400/],
    [problem(500, 'server_error'), /^no_answer .*HTTP 500/],
    [notFound, /^no_answer .*HTTP 404/],
    [{ status: 502, text: '<html>' }, /^no_answer .*HTTP 502/],
  ];
  for (const [answer, expected] of answers) {
    const { stellar } = chainOf({ '/transactions_async': () => answer });
    const hint = await stellar.submit(ours.envelope_xdr);
    assert.match(`${hint.answer} ${hint.code}`, expected);
  }
  let sent = '';
  const { stellar } = chainOf({
    '/transactions_async': (_, { body }) => {
      sent = new URLSearchParams(body?.text).get('tx') ?? '';
      return json(201, { tx_status: 'PENDING', hash });
    },
  });
  await stellar.submit(ours.envelope_xdr);
  assert.equal(sent, ours.envelope_xdr);
});

test('another account, one without a native balance or with impossible numbers is no answer', async () => {
  const account_id = Keypair.random().publicKey();
  const native = { asset_type: 'native', balance: '12.3456789', selling_liabilities: '1.0000000' };
  const asset = { code: 'USDC', issuer: Keypair.random().publicKey() };
  const issued = {
    asset_type: 'credit_alphanum4',
    asset_code: asset.code,
    asset_issuer: asset.issuer,
    balance: '922337203685.4775807',
    limit: '922337203685.4775807',
    buying_liabilities: '0.0000002',
    selling_liabilities: '0.0000003',
    is_authorized: false,
    is_authorized_to_maintain_liabilities: true,
    is_clawback_enabled: true,
  };
  const account = {
    account_id,
    sequence: '9007199254740993',
    subentry_count: 1,
    num_sponsoring: 2,
    num_sponsored: 1,
    balances: [{ asset_type: 'liquidity_pool_shares', balance: '1.0000000' }, issued, native],
    flags: { auth_required: true, auth_revocable: false, auth_immutable: false, auth_clawback_enabled: true },
    home_domain: 'example.com',
    data: { 'config.memo_required': 'MQ==' },
  };
  const good = chainOf({ '/accounts/': () => account }).stellar;
  assert.deepEqual((await good.readAccounts([account_id])).accounts.get(account_id), {
    sequence: 9007199254740993n,
    balance_stroops: 123_456_789n,
    reserve_stroops: 4n * 5_000_000n,
    spendable_stroops: 123_456_789n - 4n * 5_000_000n - 10_000_000n,
    memo_required: true,
    flags: { auth_required: true, auth_revocable: false, auth_immutable: false, clawback_enabled: true },
    home_domain: 'example.com',
  });
  const names = [
    { account: account_id, asset },
    { account: account_id, asset: { ...asset, code: 'EURC' } },
  ];
  assert.deepEqual(
    (await good.readAccounts([], names)).lines,
    new Map([
      [
        `${account_id} USDC:${asset.issuer}`,
        {
          balance_stroops: 2n ** 63n - 1n,
          limit_stroops: 2n ** 63n - 1n,
          buying_liabilities_stroops: 2n,
          selling_liabilities_stroops: 3n,
          authorization: 'maintain_liabilities',
          clawback_enabled: true,
        },
      ],
    ]),
  );
  const lies = [
    { ...account, account_id: Keypair.random().publicKey() },
    { ...account, balances: [] },
    { ...account, balances: [{ ...native, balance: '-1.0000000' }] },
    { ...account, balances: [{ ...native, balance: '1' }] },
    { ...account, balances: [native, { ...issued, limit: '1' }] },
    { ...account, balances: [native, { ...issued, is_authorized: undefined }] },
    { ...account, balances: [native, { ...issued, asset_type: 'credit' }] },
    { ...account, flags: {} },
    { ...account, sequence: -1 },
    { ...account, num_sponsored: '1' },
  ];
  for (const lie of lies) {
    const { stellar, unusable } = chainOf({ '/accounts/': () => lie });
    await assert.rejects(stellar.readAccounts([account_id]), /nothing was started/i, JSON.stringify(lie));
    assert.deepEqual(await unusable(), { 'horizon:account': 1 });
  }
  const gateway = chainOf({ '/accounts/': () => ({ status: 404, text: 'Not FoundAtSource' }) }).stellar;
  await assert.rejects(gateway.readAccounts([account_id]), /nothing was started/i);
  const missing = chainOf({}).stellar;
  assert.equal((await missing.readAccounts([account_id])).accounts.size, 0);
});

test('the fee is the 90th percentile, at least the ledger’s base fee and the network’s minimum', async () => {
  const stats = (p90: string, last_ledger_base_fee = '100') => ({
    last_ledger_base_fee,
    fee_charged: { p90 },
  });
  for (const [answer, expected] of [
    [stats('2500'), 2500n],
    [stats('100', '200'), 200n],
    [stats('1', '1'), 100n],
  ] as const) {
    assert.equal(await chainOf({ '/fee_stats': () => answer }).stellar.feePerOperation(), expected);
  }
  for (const lie of [stats('-1'), stats('many'), {}]) {
    await assert.rejects(
      chainOf({ '/fee_stats': () => lie }).stellar.feePerOperation(),
      /nothing was started/i,
    );
  }
});

test('Horizon’s newest ledger is that of its history, not of the core behind it; ledgers are read whole or not at all', async () => {
  const transactions = ledgerTransactions(100, 3);
  const header_xdr = ledgerHeader(100, 5000n, transactions).toXdr('base64');
  const records = transactions.map(({ envelope, result, ...transaction }, index) => ({
    ...transaction,
    envelope_xdr: envelope.toString('base64'),
    result_xdr: result.toString('base64'),
    paging_token: `${(100n << 32n) | (BigInt(index + 1) << 12n)}`,
  }));
  const pages = (...all: object[][]): Script => ({
    '/ledgers': () => page({ sequence: 100, header_xdr }),
    '/transactions': (call) => page(...(all[call - 1] ?? [])),
  });
  const { stellar, calls } = chainOf(pages(records.slice(0, 2), records.slice(2)));
  const range = await stellar.readLedgersAfter(99, null);
  assert.equal(range.read === 'ledgers' && range.transactions.length, 3);
  assert.equal(range.read === 'ledgers' && range.through_close_time, 5000n);
  const [first, second] = calls.filter(({ path }) => path === '/transactions');
  assert.equal(first?.query.get('include_failed'), 'true');
  assert.equal(first?.query.get('cursor'), `${100n << 32n}`);
  assert.equal(second?.query.get('cursor'), records[1]?.paging_token);
  assert.deepEqual(await stellar.readLedgersAfter(100, null), { read: 'nothing_new' });
  assert.deepEqual(await stellar.readLedgersAfter(104, null), { read: 'nothing_new' });
  const cut = chainOf(pages(records.slice(0, 2)));
  await assert.rejects(cut.stellar.readLedgersAfter(99, null), /nothing was started/i);
  assert.deepEqual(await cut.unusable(), { 'horizon:transactions': 1 });
});
