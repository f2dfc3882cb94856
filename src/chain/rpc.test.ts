import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Account, Asset, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { pino } from 'pino';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { createRpcChain } from './rpc.ts';

const PASSPHRASE = 'Standalone Network ; February 2017';
const log = createLog('silent', false);

/** What the node answers to a method: a result, a JSON-RPC error, or bytes as they are. */
type Reply =
  | { result: unknown }
  | { error: { code: number; message: string } }
  | { status: number; text: string };
type Script = Record<string, (params: any, call: number) => Reply>;

/** A Stellar RPC node that says what the test wants it to say, true or not. */
async function node(script: Script) {
  const calls: { method: string; params: any }[] = [];
  const network: Script = { getNetwork: () => ({ result: { passphrase: PASSPHRASE, protocolVersion: 23 } }) };
  const server = createServer(async (request, response) => {
    const { method, params, id } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    calls.push({ method, params });
    const seen = calls.filter((call) => call.method === method).length;
    const reply = (script[method] ?? network[method])?.(params, seen) ?? {
      error: { code: -32601, message: 'unknown' },
    };
    if ('text' in reply) response.writeHead(reply.status).end(reply.text);
    else response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

async function chainOf(...scripts: Script[]) {
  const nodes = await Promise.all(scripts.map(node));
  const urls = nodes.map(({ url }) => url);
  const chain = createRpcChain({ urls, passphrase: PASSPHRASE, clock: systemClock, log });
  after(() => chain.close());
  return { chain, nodes };
}

const payer = Keypair.random();

function payment(sequence: string) {
  const built = new TransactionBuilder(new Account(payer.publicKey(), sequence), {
    fee: '100',
    networkPassphrase: PASSPHRASE,
    timebounds: { minTime: 0, maxTime: 99 },
  })
    .addOperation(Operation.payment({ destination: payer.publicKey(), asset: Asset.native(), amount: '1' }))
    .build();
  built.sign(payer);
  return { hash: Buffer.from(built.hash()).toString('hex'), envelopeXdr: built.toXdr() };
}

const resultXdr = (result: xdr.TransactionResultResult) =>
  new xdr.TransactionResult({ feeCharged: 100n, result, ext: xdr.TransactionResultExt.v0() }).toXdr('base64');
const succeeded = resultXdr(xdr.TransactionResultResult.txSuccess([]));
const range = {
  latestLedger: 100,
  latestLedgerCloseTime: '5000',
  oldestLedger: 2,
  oldestLedgerCloseTime: '1',
};
const notFound = { result: { status: 'NOT_FOUND', ...range } };
const ours = payment('1');
const found = {
  result: { status: 'SUCCESS', ...range, ledger: 90, envelopeXdr: ours.envelopeXdr, resultXdr: succeeded },
};

test('an applied transaction is told with its ledger, fee and outcome', async () => {
  const { chain } = await chainOf({ getTransaction: () => found });
  assert.deepEqual(await chain.find(ours.hash), {
    found: 'applied',
    ledger: 90,
    hash: ours.hash,
    successful: true,
    fee_stroops: 100n,
    failure_code: null,
  });
});

test('another transaction’s result, garbage XDR or a status that its result denies decides nothing', async () => {
  const lies = [
    { ...found.result, envelopeXdr: payment('2').envelopeXdr },
    { ...found.result, envelopeXdr: 'AAAA' },
    { ...found.result, resultXdr: 'not base64' },
    { ...found.result, resultXdr: resultXdr(xdr.TransactionResultResult.txFailed([])) },
    { ...found.result, envelopeXdr: undefined },
    { ...found.result, ledger: undefined },
    { ...found.result, status: 'MAYBE' },
    { ...found.result, latestLedger: 'soon' },
  ];
  for (const result of lies) {
    const { chain } = await chainOf({ getTransaction: () => ({ result }) });
    assert.equal((await chain.find(ours.hash)).found, 'unknown', JSON.stringify(result).slice(0, 80));
  }
});

test('500, 429, garbage and JSON-RPC errors are "unknown", never "absent"', async () => {
  const replies: Reply[] = [
    { status: 500, text: 'oops' },
    { status: 429, text: '' },
    { status: 200, text: '<html>' },
    { status: 200, text: '{}' },
    { status: 200, text: 'null' },
    { error: { code: -32603, message: 'internal' } },
  ];
  for (const reply of replies) {
    const { chain } = await chainOf({ getTransaction: () => reply });
    assert.equal((await chain.find(ours.hash)).found, 'unknown');
  }
});

test('absence is said after a second look, and reaches only as far as the first answer did', async () => {
  const later = {
    status: 'NOT_FOUND',
    ...range,
    latestLedger: 101,
    latestLedgerCloseTime: '5005',
    oldestLedger: 3,
  };
  const { chain, nodes } = await chainOf({
    getTransaction: (_, call) => (call === 1 ? notFound : { result: later }),
  });
  assert.deepEqual(await chain.find(ours.hash), {
    found: 'absent',
    oldest_ledger: 3,
    latest_ledger: 100,
    latest_close_time: 5000n,
  });
  assert.equal(nodes[0]?.calls.filter(({ method }) => method === 'getTransaction').length, 2);
});

test('a transaction that appears between the two looks is found', async () => {
  const { chain } = await chainOf({ getTransaction: (_, call) => (call === 1 ? notFound : found) });
  assert.equal((await chain.find(ours.hash)).found, 'applied');
});

test('a source whose second answer is older than its first proves nothing', async () => {
  const older = { result: { ...notFound.result, latestLedger: 99 } };
  const { chain } = await chainOf({ getTransaction: (_, call) => (call === 1 ? notFound : older) });
  assert.equal((await chain.find(ours.hash)).found, 'unknown');
});

test('one proof never mixes two sources', async () => {
  // The first node dies between the two looks: the second one is asked for both.
  const dying = {
    getTransaction: (_: unknown, call: number) => (call === 1 ? notFound : { status: 502, text: '' }),
  };
  const { chain, nodes } = await chainOf(dying, { getTransaction: () => notFound });
  assert.equal((await chain.find(ours.hash)).found, 'absent');
  assert.equal(nodes[1]?.calls.filter(({ method }) => method === 'getTransaction').length, 2);
});

test('a source of another network is never asked about ours', async () => {
  const foreign = {
    getNetwork: () => ({ result: { passphrase: 'another', protocolVersion: 23 } }),
    getTransaction: () => notFound,
  };
  const { chain, nodes } = await chainOf(foreign);
  assert.equal((await chain.find(ours.hash)).found, 'unknown');
  assert.deepEqual(
    nodes[0]?.calls.map(({ method }) => method),
    ['getNetwork'],
  );
  await assert.rejects(chain.latestLedger(), /cannot be reached/);
});

test('whatever a node says to a submission is only a hint, and never an exception', async () => {
  const badSequence = {
    status: 'ERROR',
    hash: ours.hash,
    errorResultXdr: resultXdr(xdr.TransactionResultResult.txBadSeq()),
  };
  const answers: [Reply, RegExp][] = [
    [{ result: { status: 'PENDING' } }, /^pending null$/],
    [{ result: { status: 'TRY_AGAIN_LATER' } }, /^try_again_later null$/],
    [{ result: badSequence }, /^refused tx_bad_seq$/],
    [{ result: { status: 'ERROR', errorResultXdr: 'AAAA' } }, /^refused unreadable$/],
    [{ error: { code: -32603, message: 'FILTERED' } }, /^no_answer/],
    [{ status: 504, text: '' }, /^no_answer/],
  ];
  for (const [reply, expected] of answers) {
    const { chain } = await chainOf({ sendTransaction: () => reply });
    const { answer, code } = await chain.submit(ours.envelopeXdr);
    assert.match(`${answer} ${code}`, expected);
  }
});

// reading ledgers

const zeros = new Uint8Array(32);

/** A newest ledger that closed so many seconds ago. */
function latest(sequence: number, age_seconds = 0) {
  const closeTime = BigInt(Math.floor(Date.now() / 1000) - age_seconds);
  const ext = xdr.StellarValueExt.stellarValueBasic();
  const header = new xdr.LedgerHeader({
    ledgerVersion: 23,
    previousLedgerHash: zeros,
    scpValue: new xdr.StellarValue({ txSetHash: zeros, closeTime, upgrades: [], ext }),
    txSetResultHash: zeros,
    bucketListHash: zeros,
    ledgerSeq: sequence,
    totalCoins: 1n,
    feePool: 0n,
    inflationSeq: 0,
    idPool: 0n,
    baseFee: 100,
    baseReserve: 5_000_000,
    maxTxSetSize: 1000,
    skipList: [zeros, zeros, zeros, zeros],
    ext: xdr.LedgerHeaderExt.v0(),
  });
  return () => ({ result: { sequence, closeTime: `${closeTime}`, headerXdr: header.toXdr('base64') } });
}

/** Transactions of these ledgers; the cursor is where the reading has come to, by default the last of them. */
function page(ledgers: number[], newest: number, { oldest = 2, read_to = ledgers.at(-1) ?? newest } = {}) {
  const transactions = ledgers.map((ledger) => ({
    ledger,
    createdAt: ledger * 5,
    envelopeXdr: 'e',
    resultXdr: 'r',
  }));
  const cursor = `${(BigInt(read_to) << 32n) | BigInt(ledgers.length << 12) | 1n}`;
  const latestLedgerCloseTimestamp = newest * 5;
  return {
    result: { transactions, latestLedger: newest, latestLedgerCloseTimestamp, oldestLedger: oldest, cursor },
  };
}

const texts = (ledgers: number[]) =>
  ledgers.map((ledger) => ({ ledger, envelope_xdr: 'e', result_xdr: 'r' }));

test('a page whose cursor has come to the newest ledger reaches there', async () => {
  const { chain, nodes } = await chainOf({
    getLatestLedger: latest(20),
    getTransactions: () => page([12, 15], 21, { read_to: 21 }),
  });
  const read = await chain.readLedgersAfter(10);
  assert.deepEqual(read, {
    read: 'ledgers',
    through_ledger: 21,
    through_close_time: 105n,
    transactions: texts([12, 15]),
  });
  assert.equal(nodes[0]?.calls.at(-1)?.params.startLedger, 11);
});

test('a page that a gateway cut short is not taken for the end', async () => {
  const pages = [page([12, 12], 21), page([12, 15], 21), page([], 21)];
  const { chain } = await chainOf({
    getLatestLedger: latest(20),
    getTransactions: (_, call) => pages[call - 1] as Reply,
  });
  const first = await chain.readLedgersAfter(11);
  assert.deepEqual(first, {
    read: 'ledgers',
    through_ledger: 12,
    through_close_time: 60n,
    transactions: texts([12, 12, 12]),
  });
});

test('a full page gives only the ledgers that it holds whole', async () => {
  const full = [...Array(150).fill(12), ...Array(50).fill(13)];
  const { chain } = await chainOf({ getLatestLedger: latest(20), getTransactions: () => page(full, 20) });
  const read = await chain.readLedgersAfter(10);
  assert(read.read === 'ledgers');
  assert.equal(read.through_ledger, 12);
  assert.equal(read.transactions.length, 150);
});

test('a ledger that fills more than a page is read to its end', async () => {
  const pages = [
    page(Array(200).fill(11), 11),
    page(Array(200).fill(11), 11),
    page([11], 11),
    page([], 11),
  ].map((each, index) => numbered(each, index));
  const { chain, nodes } = await chainOf({
    getLatestLedger: latest(11),
    getTransactions: (_, call) => pages[call - 1] as Reply,
  });
  const read = await chain.readLedgersAfter(10);
  assert(read.read === 'ledgers');
  assert.equal(read.through_ledger, 11);
  assert.equal(read.transactions.length, 401);
  assert.equal(nodes[0]?.calls.at(-1)?.params.pagination.cursor, pages[2]?.result.cursor);
});

test('the newest ledger, cut in the middle by a gateway, is read to its end too', async () => {
  const pages = [page([11, 11, 11], 11), page([11, 11], 11), page([], 11)].map((each, index) =>
    numbered(each, index),
  );
  const { chain } = await chainOf({
    getLatestLedger: latest(11),
    getTransactions: (_, call) => pages[call - 1] as Reply,
  });
  assert.deepEqual(await chain.readLedgersAfter(10), {
    read: 'ledgers',
    through_ledger: 11,
    through_close_time: 55n,
    transactions: texts([11, 11, 11, 11, 11]),
  });
});

test('a node that gives the same page for ever gives no ledgers', async () => {
  const { chain } = await chainOf({ getLatestLedger: latest(11), getTransactions: () => page([11], 11) });
  await assert.rejects(chain.readLedgersAfter(10), /cannot be reached/);
});

/** The cursors of the pages of one ledger rise. */
function numbered(each: ReturnType<typeof page>, index: number): ReturnType<typeof page> {
  return { result: { ...each.result, cursor: `${BigInt(each.result.cursor) + BigInt(index << 20)}` } };
}

test('a node whose pages go backwards, or beyond their own newest ledger, gives no ledgers', async () => {
  for (const ledgers of [[15, 12], [9], [25]]) {
    const { chain } = await chainOf({
      getLatestLedger: latest(20),
      getTransactions: () => page(ledgers, 20),
    });
    await assert.rejects(chain.readLedgersAfter(10), /cannot be reached/, JSON.stringify(ledgers));
  }
});

test('nothing new, a gap and a reset are told apart, and none gives ledgers', async () => {
  const upToDate = await chainOf({ getLatestLedger: latest(10) });
  assert.deepEqual(await upToDate.chain.readLedgersAfter(10), { read: 'nothing_new' });

  const lagging = await chainOf({ getLatestLedger: latest(8) });
  assert.deepEqual(await lagging.chain.readLedgersAfter(10), { read: 'nothing_new' });

  const reset = await chainOf({ getLatestLedger: latest(3) });
  assert.deepEqual(await reset.chain.readLedgersAfter(1_000), { read: 'reset', latest_ledger: 3 });

  const refused = { error: { code: -32600, message: 'startLedger must be within the ledger range' } };
  const pruned = {
    getLatestLedger: latest(90),
    getTransactions: () => refused,
    getHealth: () => ({ result: { oldestLedger: 40 } }),
  };
  assert.deepEqual(await (await chainOf(pruned)).chain.readLedgersAfter(10), {
    read: 'gap',
    oldest_ledger: 40,
  });

  // A node that silently answers from where its history begins must not be taken at its word.
  const silent = await chainOf({
    getLatestLedger: latest(90),
    getTransactions: () => page([50], 90, { oldest: 40 }),
  });
  assert.deepEqual(await silent.chain.readLedgersAfter(10), { read: 'gap', oldest_ledger: 40 });
});

// several sources

test('a source that stands still, lags, was pruned or contradicts itself gives way to one that knows more', async () => {
  const good = {
    getLatestLedger: latest(58),
    getTransactions: () => page([40], 58, { read_to: 58 }),
    getTransaction: () => found,
  };
  const halted = { getLatestLedger: latest(8, 600), getTransaction: () => notFound };
  const lagging = {
    getLatestLedger: latest(8),
    getTransaction: () => ({ result: { ...found.result, envelopeXdr: 'AAAA' } }),
  };
  const pruned = {
    getLatestLedger: latest(58),
    getTransactions: () => page([50], 58, { oldest: 45 }),
    getTransaction: () => ({ status: 500, text: '' }),
  };
  for (const bad of [halted, lagging, pruned]) {
    const { chain } = await chainOf(bad, good);
    const read = await chain.readLedgersAfter(10);
    assert(read.read === 'ledgers');
    assert.equal(read.through_ledger, 58);
    assert.equal((await chain.find(ours.hash)).found, 'applied');
  }
  assert.equal((await (await chainOf(halted, good)).chain.latestLedger()).sequence, 58);
});

test('a source alone is believed as far as it goes, however old its newest ledger', async () => {
  const { chain } = await chainOf({ getLatestLedger: latest(8, 600) });
  assert.equal((await chain.latestLedger()).sequence, 8);
});

test('a source’s URL, which may hold an access key, reaches no log', async () => {
  const lines: string[] = [];
  const recording = pino({}, { write: (line) => lines.push(line) });
  const urls = ['http://127.0.0.1:9/v2/SECRETKEY'];
  const chain = createRpcChain({ urls, passphrase: PASSPHRASE, clock: systemClock, log: recording });
  after(() => chain.close());
  await assert.rejects(chain.latestLedger());
  assert.equal(lines.length, 1);
  assert.doesNotMatch(lines.join(), /SECRETKEY/);
});

test('a newest ledger whose header is another’s, or lies beyond any time, is no answer', async () => {
  const other = latest(20)();
  const { chain } = await chainOf({ getLatestLedger: () => ({ result: { ...other.result, sequence: 21 } }) });
  await assert.rejects(chain.latestLedger(), /cannot be reached/);
  const absurd = await chainOf({ getLatestLedger: latest(20, -1e13) });
  await assert.rejects(absurd.chain.latestLedger(), /cannot be reached/);
});
