import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk/base';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { Network } from '../network.ts';
import { StellarNode } from '../node.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { LedgerStore } from '../store/ledger-store.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { manifest, recorded, recordedLedgers, recordedText } from '../testing/recorded-horizon.ts';
import { START_S } from '../testing/test-network.ts';
import { transactionFailed } from './problem.ts';
import { transactionCode } from './result-codes.ts';
import { registerHorizon } from './routes.ts';

/** Intended differences to the answers of Horizon 2.26.1: the field, and why. */
const DIFFERENCES = new Map([
  ['valid_after', 'not in Horizon since 22: the preconditions say it'],
  ['valid_before', 'not in Horizon since 22: the preconditions say it'],
  ['result_meta_xdr', 'the recording is of protocol 19; this network writes TransactionMeta v4'],
]);

/** The server of the recorded answers, by the name in the request. */
const HOST = '127.0.0.1:8000';

/** A Horizon over the recorded ledgers. */
function serverFor(t: TestContext) {
  const store = new LedgerStore(null, SANDBOX_PASSPHRASE);
  for (const ledger of recordedLedgers()) store.append(ledger, 0);
  const options = { passphrase: SANDBOX_PASSPHRASE, close_seconds: 1, retention_ledgers: 1000 };
  const network = new Network(store, { ...options, clock: new ManualClock(START_S) });
  const server = fastify();
  const node = new StellarNode(network);
  registerHorizon(server, { nodeOf: () => node, network, log: pino({ level: 'silent' }) });
  t.after(() => server.close());
  return server;
}

async function ask(server: ReturnType<typeof fastify>, path: string) {
  const { statusCode, headers, payload } = await server.inject({ url: path, headers: { host: HOST } });
  return { status: statusCode, type: headers['content-type'], text: payload };
}

/** The answer without the intended differences. */
function common(text: string): unknown {
  return JSON.parse(text, (field, value) => (DIFFERENCES.has(field) ? undefined : value));
}

describe('over the ledgers that were recorded', () => {
  const exact = [
    'account_B.json',
    'payments_B.json',
    'payments_page1.json',
    'payments_page_end.json',
    'account_invalid.json',
    'account_muxed_address.json',
    'account_missing.json',
    'tx_invalid_hash.json',
    'tx_missing.json',
    'payments_bad_cursor.json',
    'payments_bad_limit.json',
  ];
  for (const file of exact) {
    test(`${file} comes out byte for byte`, async (t) => {
      const asked = manifest().files.find((one) => one.file === file);
      assert.ok(asked);
      const { status, type, text } = await ask(serverFor(t), asked.path);
      assert.equal(text, recordedText(file).trimEnd());
      assert.deepEqual([status, type], [asked.status, asked.contentType]);
    });
  }

  for (const file of ['transactions_B.json', 'tx_by_fee_bump_hash.json']) {
    test(`${file} comes out the same in all but what differs on purpose`, async (t) => {
      const asked = manifest().files.find((one) => one.file === file);
      const { text } = await ask(serverFor(t), asked?.path ?? '');
      assert.deepEqual(common(text), common(recordedText(file)));
    });
  }

  test('every transaction that was submitted comes out as its submission was answered', async (t) => {
    const server = serverFor(t);
    const files = manifest().files.filter(({ file }) => file.startsWith('submit_ok_'));
    assert.ok(files.length >= 10, `${files.length}`);
    for (const { file } of files) {
      const { text } = await ask(server, `/transactions/${recorded(file).hash}`);
      assert.deepEqual(common(text), common(recordedText(file)), file);
    }
  });

  test('ledgers.json comes out the same, but for a transaction that was not recorded', async (t) => {
    const { text } = await ask(serverFor(t), '/ledgers?limit=5&order=desc');
    const counts = { successful_transaction_count: 1, operation_count: 1, tx_set_operation_count: 1 };
    const ours = JSON.parse(text);
    Object.assign(ours._embedded.records[4], counts);
    assert.deepEqual(ours, recorded('ledgers.json'));
  });

  test('the stream of an account comes out byte for byte', async (t) => {
    const { accounts } = manifest();
    const { payload } = await serverFor(t).inject({
      url: `/accounts/${accounts.B}/payments?cursor=1228360650753`,
      headers: { host: HOST, accept: 'text/event-stream' },
    });
    assert.equal(payload, recordedText('sse_account_payments.txt'));
  });
});

describe('what cannot come out the same has the same fields and types', () => {
  for (const [file, path] of [
    ['root.json', '/'],
    ['fee_stats.json', '/fee_stats'],
  ] as const) {
    test(file, async (t) => {
      const { text } = await ask(serverFor(t), path);
      assert.deepEqual(shapeOf(JSON.parse(text)), shapeOf(recorded(file)));
    });
  }

  test('problems of refused and failed transactions', () => {
    const files = manifest().files.filter(({ file }) => /^submit_(err|fail)_/.test(file));
    assert.ok(files.length >= 10, `${files.length}`);
    for (const { file } of files) {
      const { extras, ...problem } = recorded<{ extras: Failure }>(file);
      if (extras.result_xdr === undefined) continue;
      const result = xdr.TransactionResult.schema.decode(Buffer.from(extras.result_xdr, 'base64'));
      const ours = transactionFailed({ ...extras, result_codes: transactionCode(result) }).body();
      assert.deepEqual(ours, { ...problem, extras }, file);
    }
  });

  for (const [file, tx] of [
    ['submit_err_malformed.json', 'AAAA'],
    ['submit_err_missing.json', ''],
  ] as const) {
    test(`${file} comes out byte for byte`, async (t) => {
      const payload = new URLSearchParams(tx === '' ? {} : { tx }).toString();
      const headers = { host: HOST, 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await serverFor(t).inject({ method: 'POST', url: '/transactions', headers, payload });
      assert.equal(answer.payload, recordedText(file).trimEnd());
    });
  }
});

type Failure = Parameters<typeof transactionFailed>[0];

/** Names and JSON types, all the way down. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]));
}
