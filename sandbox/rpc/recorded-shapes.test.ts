import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { Asset, Keypair, TransactionBuilder, xdr } from '@stellar/stellar-sdk/base';
import type { Sandbox } from '../launch.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { missing, read } from '../testing/recorded-ledgers.ts';
import { fund, sandboxFor, signed } from '../testing/rpc-client.ts';
import { pay, UNIT } from '../testing/test-network.ts';

/** Field paths with their types, the HTTP status, and `error`: code and message of an error. */
type Shape = Record<string, string>;

const RECORDED = 'real-27/rpc-shapes.json';

/** Field paths that differ, and why. */
const DIFFERENCES: string[] = [];

test('52 requests to stellar-rpc 27 get answers of the same fields, types, codes and texts here', {
  skip: missing(),
}, async (t) => {
  const recorded: Record<string, Shape> = JSON.parse(read(RECORDED).toString());
  const { sandbox, requests } = await requestsFor(t);
  assert.deepEqual([...requests.keys()].sort(), Object.keys(recorded).sort());
  const differences: string[] = [];
  for (const [name, request] of requests) {
    const ours = await shapeOfAnswer(sandbox, request);
    const theirs = recorded[name] as Shape;
    for (const path of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      if (path === 'type' || path === 'body' || sameType(ours[path], theirs[path])) continue;
      differences.push(`${name} ${path}: ${ours[path]}, recorded ${theirs[path]}`);
    }
    if (name.startsWith('raw: not') || name === 'raw: text/plain') {
      assert.deepEqual([ours.type, ours.body], [theirs.type, theirs.body], name);
    }
  }
  assert.deepEqual(differences, DIFFERENCES);
});

type Request = { body: string | object; type?: string };

async function requestsFor(t: TestContext): Promise<{ sandbox: Sandbox; requests: Map<string, Request> }> {
  const { sandbox, server } = await sandboxFor(t, { rpc_like: '27.1' });
  const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
  const text = (transaction: { toEnvelope(): { toXdr(format: 'base64'): string } }) =>
    transaction.toEnvelope().toXdr('base64');

  const paid = await signed(server, from, [pay(to, 1n)]);
  const failing = await signed(server, to, [pay(from, 1_000_000n * UNIT)]);
  const { hash: paidHash } = await server.sendTransaction(paid);
  const { hash: failedHash } = await server.sendTransaction(failing);
  sandbox.closeLedger();
  const inner = await signed(server, from, [pay(to, 1n)]);
  const bump = TransactionBuilder.buildFeeBumpTransaction(to, '100', inner, SANDBOX_PASSPHRASE);
  bump.sign(to);
  const { hash: bumpHash } = await server.sendTransaction(bump);
  const { sequence: newest } = sandbox.closeLedger();
  const pending = await signed(server, from, [pay(to, 1n)]);
  const unsigned = await signed(server, to, [pay(from, 1n)]);
  unsigned.signatures.pop();

  const keyOf = (account: Keypair) =>
    xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: account.xdrAccountId() })).toXdr('base64');
  const key = keyOf(from);
  const absentKeys = Array.from({ length: 201 }, () => keyOf(Keypair.random()));

  const rpc = (method: string, params?: unknown): Request => ({
    body: { jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) },
  });
  const of = (method: string, cases: Record<string, unknown>): [string, Request][] =>
    Object.entries(cases).map(([name, params]) => [
      name === '' ? method : `${method} ${name}`,
      rpc(method, params),
    ]);
  const raw = (body: string, type = 'application/json') => ({ body, type });
  const future = { startLedger: newest + 1_000, pagination: { limit: 5 } };

  const requests = new Map<string, Request>([
    ...of('getHealth', { '': undefined, 'with {}': {} }),
    ...of('getNetwork', { '': undefined }),
    ...of('getVersionInfo', { '': undefined }),
    ...of('getLatestLedger', { '': undefined }),
    ...of('getFeeStats', { '': undefined }),
    ...of('getTransaction', {
      success: { hash: paidHash },
      failed: { hash: failedHash },
      'fee bump outer': { hash: bumpHash },
      'fee bump inner': { hash: Buffer.from(inner.hash()).toString('hex') },
      absent: { hash: '0'.repeat(64) },
      'short hash': { hash: 'abc' },
      capitals: { hash: paidHash.toUpperCase() },
      'not hex': { hash: 'z'.repeat(64) },
      'without hash': {},
      'without params': undefined,
    }),
    ...of('getTransactions', {
      '': { startLedger: newest, pagination: { limit: 5 } },
      'from the future': future,
      'limit 201': { startLedger: newest, pagination: { limit: 201 } },
      'bad cursor': { pagination: { cursor: 'abc', limit: 5 } },
      'cursor and start': { startLedger: 5, pagination: { cursor: '12884905985' } },
    }),
    ...of('getLedgers', {
      '': { startLedger: newest, pagination: { limit: 5 } },
      'from the future': future,
      'next one': { startLedger: newest + 1, pagination: { limit: 5 } },
      'from 0': { startLedger: 0, pagination: { limit: 5 } },
      'limit 201': { startLedger: newest, pagination: { limit: 201 } },
      'without pagination': { startLedger: newest },
      'bad cursor': { pagination: { cursor: 'x', limit: 5 } },
      cursor: { pagination: { cursor: `${newest - 1}`, limit: 5 } },
      'without params': undefined,
    }),
    ...of('getLedgerEntries', {
      account: { keys: [key] },
      absent: { keys: [absentKeys[0]] },
      'two of which one absent': { keys: [key, absentKeys[0]] },
      none: { keys: [] },
      'bad key': { keys: ['!!'] },
      'same key twice': { keys: [key, key] },
      '200 keys': { keys: absentKeys.slice(0, 200) },
      '201 keys': { keys: absentKeys },
    }),
    ...of('getEvents', {
      '': { startLedger: newest, filters: [] },
      'of the native contract': {
        startLedger: newest,
        filters: [{ type: 'contract', contractIds: [Asset.native().contractId(SANDBOX_PASSPHRASE)] }],
      },
    }),
    ...of('sendTransaction', {
      pending: { transaction: text(pending) },
      error: { transaction: text(unsigned) },
      'not XDR': { transaction: 'AAAA' },
      'not base64': { transaction: '!!' },
      'without params': undefined,
      'with xdrFormat base64': { transaction: 'AAAA', xdrFormat: 'base64' },
    }),
    ['unknown method', rpc('getNothing')],
    ['raw: not JSON', raw('{')],
    [
      'raw: array of two',
      raw(JSON.stringify([1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'getHealth' })))),
    ],
    ['raw: without jsonrpc', raw('{"id":1,"method":"getHealth"}')],
    ['raw: id a string', raw('{"jsonrpc":"2.0","id":"x","method":"getNothing"}')],
    ['raw: text/plain', raw('{"jsonrpc":"2.0","id":1,"method":"getHealth"}', 'text/plain')],
  ]);
  return { sandbox, requests };
}

async function shapeOfAnswer(sandbox: Sandbox, { body, type }: Request): Promise<Shape> {
  const response = await fetch(sandbox.rpc_url, {
    method: 'POST',
    headers: { 'content-type': type ?? 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const shape: Shape = {
    HTTP: `${response.status}`,
    type: response.headers.get('content-type') ?? '',
    body: text,
  };
  if (typeof body === 'string') return shape;
  const answer = JSON.parse(text);
  if (answer.error) {
    const { code, message, data } = answer.error;
    const more = data === undefined ? '' : ` data ${JSON.stringify(data)}`;
    shape.error = `${code} ${message}${more}`;
  }
  addPaths(shape, answer, '');
  return shape;
}

function addPaths(shape: Shape, value: unknown, path: string): void {
  shape[path] = Array.isArray(value) ? 'array' : typeof value;
  if (Array.isArray(value)) for (const item of value) addPaths(shape, item, `${path}[]`);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value)) addPaths(shape, field, `${path}.${name}`);
  }
}

/** In a recorded text, a number is `N`. In a recorded type, a hint at the content of a string follows in brackets. */
function sameType(ours: string | undefined, theirs: string | undefined): boolean {
  if (ours === undefined || theirs === undefined) return ours === theirs;
  const type = theirs.replace(/\(.*\)$/, '').replace('integer', 'number');
  return ours === theirs || ours === type || ours.replaceAll(/\d+/g, 'N') === theirs.replaceAll(/\d+/g, 'N');
}
