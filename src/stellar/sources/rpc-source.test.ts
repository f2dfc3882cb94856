import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { pino } from 'pino';
import {
  appliedPayment,
  failed,
  ledgerChain,
  ledgerHeader,
  PASSPHRASE,
  resultXdr,
  rpcLedger,
  signedPayment,
  succeeded,
} from '../../../test/support/ledger-xdr.ts';
import { chainOfNodes, type Reply } from '../../../test/support/scripted-rpc.ts';
import { systemClock } from '../../lib/clock.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { createStellar } from './create-stellar.ts';

const range = {
  latestLedger: 100,
  latestLedgerCloseTime: '5000',
  oldestLedger: 2,
  oldestLedgerCloseTime: '1',
};
const notFound = { result: { status: 'NOT_FOUND', ...range } };
const ours = signedPayment(1);
const applied = appliedPayment(ours, 90);
const found = {
  result: { status: 'SUCCESS', ...range, ledger: 90, envelopeXdr: ours.envelope_xdr, resultXdr: succeeded },
};

test('an applied transaction is given with its ledger, fee and outcome', async () => {
  const { stellar } = await chainOfNodes({ getTransaction: () => found });
  assert.deepEqual(await stellar.find(ours.hash), applied.found);
});

test('an applied transaction is given in bytes, with its meta, under its hash in the ledger', async () => {
  const resultMetaXdr = Buffer.alloc(8).toString('base64');
  const result = { ...found.result, createdAt: '4950', resultMetaXdr };
  const { stellar } = await chainOfNodes({ getTransaction: () => ({ result }) });
  assert.deepEqual(await stellar.readTransaction(ours.hash), {
    found: 'applied',
    close_time: 4950n,
    transaction: applied.transaction,
  });
  const bare = await chainOfNodes({ getTransaction: () => found });
  const read = await bare.stellar.readTransaction(ours.hash);
  assert(read.found === 'applied');
  assert.equal(read.close_time, null);
  assert.equal(read.transaction.meta, null);
});

test('another transaction’s result, garbage XDR or a status that contradicts its result decides nothing', async () => {
  const lies = [
    { ...found.result, envelopeXdr: signedPayment(2).envelope_xdr },
    { ...found.result, envelopeXdr: 'AAAA' },
    { ...found.result, resultXdr: 'not base64' },
    { ...found.result, resultXdr: failed },
    { ...found.result, envelopeXdr: undefined },
    { ...found.result, ledger: undefined },
    { ...found.result, status: 'MAYBE' },
    { ...found.result, latestLedger: 'soon' },
    { ...found.result, createdAt: 'soon' },
    { ...found.result, resultMetaXdr: 'not base64' },
  ];
  for (const result of lies) {
    const { stellar } = await chainOfNodes({ getTransaction: () => ({ result }) });
    assert.equal((await stellar.find(ours.hash)).found, 'unknown', JSON.stringify(result).slice(0, 80));
    assert.equal((await stellar.readTransaction(ours.hash)).found, 'unknown');
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
    const { stellar } = await chainOfNodes({ getTransaction: () => reply });
    assert.equal((await stellar.find(ours.hash)).found, 'unknown');
  }
});

test('"absent" comes only after a second look-up, and covers only the ledgers of the first answer', async () => {
  const later = {
    status: 'NOT_FOUND',
    ...range,
    latestLedger: 101,
    latestLedgerCloseTime: '5005',
    oldestLedger: 3,
  };
  const { stellar, nodes } = await chainOfNodes({
    getTransaction: (_, call) => (call % 2 === 1 ? notFound : { result: later }),
  });
  assert.deepEqual(await stellar.find(ours.hash), {
    found: 'absent',
    oldest_ledger: 3,
    latest_ledger: 100,
    latest_close_time: 5000n,
  });
  assert.equal((await stellar.readTransaction(ours.hash)).found, 'absent');
  assert.equal(nodes[0]?.calls.filter(({ method }) => method === 'getTransaction').length, 4, 'twice each');
});

test('a transaction that appears between the two look-ups is found', async () => {
  const { stellar } = await chainOfNodes({ getTransaction: (_, call) => (call === 1 ? notFound : found) });
  assert.equal((await stellar.find(ours.hash)).found, 'applied');
});

test('a source whose second answer is older than its first proves nothing', async () => {
  const older = { result: { ...notFound.result, latestLedger: 99 } };
  const { stellar } = await chainOfNodes({ getTransaction: (_, call) => (call === 1 ? notFound : older) });
  assert.equal((await stellar.find(ours.hash)).found, 'unknown');
});

test('one proof never mixes two sources', async () => {
  // The first node fails between the two look-ups, so both are made at the second one.
  const dying = {
    getTransaction: (_: unknown, call: number) => (call === 1 ? notFound : { status: 502, text: '' }),
  };
  const { stellar, nodes } = await chainOfNodes(dying, { getTransaction: () => notFound });
  assert.equal((await stellar.find(ours.hash)).found, 'absent');
  assert.equal(nodes[1]?.calls.filter(({ method }) => method === 'getTransaction').length, 2);
});

test('a source of another network is never asked about ours', async () => {
  const foreign = {
    getNetwork: () => ({ result: { passphrase: 'another', protocolVersion: 23 } }),
    getTransaction: () => notFound,
  };
  const { stellar, nodes } = await chainOfNodes(foreign);
  assert.equal((await stellar.find(ours.hash)).found, 'unknown');
  assert.deepEqual(
    nodes[0]?.calls.map(({ method }) => method),
    ['getNetwork'],
  );
  await assert.rejects(stellar.latestLedger(), /nothing was started/i);
});

test('whatever a node says to a submission is only a hint, and never an exception', async () => {
  const { hash } = ours;
  const error = (result: xdr.TransactionResultResult, fee = 100n) => ({
    result: { status: 'ERROR', hash, errorResultXdr: resultXdr(result, fee) },
  });
  const answers: [Reply, RegExp][] = [
    [{ result: { status: 'PENDING', hash } }, /^pending null null$/],
    [{ result: { status: 'DUPLICATE', hash } }, /^duplicate null null$/],
    [{ result: { status: 'TRY_AGAIN_LATER', hash } }, /^try_again_later null null$/],
    [error(xdr.TransactionResultResult.txBadSeq()), /^refused tx_bad_seq null$/],
    [error(xdr.TransactionResultResult.txInsufficientFee(), 2_000n), /^refused tx_insufficient_fee 2000$/],
    [{ result: { status: 'ERROR', hash, errorResultXdr: 'AAAA' } }, /^refused unreadable null$/],
    [{ result: { status: 'ERROR', hash } }, /^refused unreadable null$/],
    [{ result: { status: 'NEWS', hash } }, /^no_answer NEWS null$/],
    [{ result: { status: 'PENDING', hash: signedPayment(2).hash } }, /^no_answer .* an answer about/],
    [{ result: { status: 'PENDING' } }, /^no_answer/],
    [{ error: { code: -32603, message: 'FILTERED' } }, /^no_answer .*FILTERED null$/],
    [{ status: 504, text: '' }, /^no_answer .*HTTP 504 null$/],
  ];
  for (const [reply, expected] of answers) {
    const { stellar } = await chainOfNodes({ sendTransaction: () => reply });
    const hint = await stellar.submit(ours.envelope_xdr);
    assert.match(`${hint.answer} ${hint.code} ${hint.fee_needed_stroops}`, expected);
  }
});

test('an envelope that one node refuses is sent to the next', async () => {
  const taking = { sendTransaction: () => ({ result: { status: 'PENDING', hash: ours.hash } }) };
  const full = { sendTransaction: () => ({ result: { status: 'TRY_AGAIN_LATER', hash: ours.hash } }) };
  const { stellar, nodes } = await chainOfNodes(full, taking);
  assert.equal((await stellar.submit(ours.envelope_xdr)).answer, 'pending');
  assert.deepEqual(
    nodes.map(({ calls }) => calls.at(-1)?.params.transaction),
    [ours.envelope_xdr, ours.envelope_xdr],
  );
});

/** An empty newest ledger that closed this many seconds ago. */
function latest(sequence: number, age_seconds = 0) {
  const closeTime = BigInt(Math.floor(Date.now() / 1000) - age_seconds);
  const headerXdr = ledgerHeader(sequence, closeTime).toXdr('base64');
  return () => ({ result: { sequence, closeTime: `${closeTime}`, headerXdr } });
}

/** The answer of a node whose newest ledger is this one, closed just now. */
function healthy(latestLedger: number, oldestLedger = 2) {
  const latestLedgerCloseTime = `${Math.floor(Date.now() / 1000)}`;
  return () => ({ result: { status: 'healthy', latestLedger, latestLedgerCloseTime, oldestLedger } });
}

// several sources

test('a stale, lagging, pruned or contradictory source is replaced by one that knows more', async () => {
  const ledgers = [...ledgerChain(58).values()].map(rpcLedger);
  const good = {
    getHealth: healthy(58),
    getLatestLedger: latest(58),
    getLedgers: ({ startLedger }: any) => ({
      result: { ...range, latestLedger: 58, ledgers: ledgers.slice(startLedger - 1) },
    }),
    getTransaction: () => found,
  };
  const halted = { getLatestLedger: latest(8, 600), getTransaction: () => notFound };
  const lagging = {
    getHealth: healthy(8),
    getTransaction: () => ({ result: { ...found.result, envelopeXdr: 'AAAA' } }),
  };
  const pruned = { getHealth: healthy(58, 45), getTransaction: () => ({ status: 500, text: '' }) };
  for (const bad of [halted, lagging, pruned]) {
    const { stellar } = await chainOfNodes(bad, good);
    const read = await stellar.readLedgersAfter(10, null);
    assert(read.read === 'ledgers');
    assert.equal(read.through_ledger, 58);
    assert.equal((await stellar.find(ours.hash)).found, 'applied');
  }
  assert.equal((await (await chainOfNodes(halted, good)).stellar.latestLedger()).sequence, 58);
});

test('the only source is used, however old its newest ledger is', async () => {
  const { stellar } = await chainOfNodes({ getLatestLedger: latest(8, 600) });
  assert.equal((await stellar.latestLedger()).sequence, 8);
});

test('a source’s URL, which may hold an access key, reaches no log', async () => {
  const lines: string[] = [];
  const recording = pino({}, { write: (line) => lines.push(line) });
  const rpc_urls = ['http://127.0.0.1:9/v2/SECRETKEY'];
  const stellar = createStellar({
    rpc_urls,
    horizon_urls: [],
    passphrase: PASSPHRASE,
    clock: systemClock,
    log: recording,
    metrics: createMetrics(),
  });
  after(() => stellar.close());
  await assert.rejects(stellar.latestLedger());
  assert.equal(lines.length, 1);
  assert.doesNotMatch(lines.join(), /SECRETKEY/);
});

test('a newest ledger with the header of another, or with an impossible time, is no answer', async () => {
  const other = latest(20)();
  const { stellar } = await chainOfNodes({
    getLatestLedger: () => ({ result: { ...other.result, sequence: 21 } }),
  });
  await assert.rejects(stellar.latestLedger(), /nothing was started/i);
  const absurd = await chainOfNodes({ getLatestLedger: latest(20, -1e13) });
  await assert.rejects(absurd.stellar.latestLedger(), /nothing was started/i);
});
