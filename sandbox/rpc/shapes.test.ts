import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk/base';
import { TransactionBuilder, xdr } from '@stellar/stellar-sdk/base';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { DATA, missing, read } from '../testing/recorded-ledgers.ts';
import { call, fund, sandboxFor, signed } from '../testing/rpc-client.ts';
import { pay, UNIT } from '../testing/test-network.ts';

/**
 * Fields that answers of the sandbox have or lack compared with the samples, or with another JSON type, and why.
 * Samples: the examples of stellar-rpc's OpenRPC document (2026) and the answers in java-stellar-sdk's tests (2023
 * to 2026).
 */
const DIAGNOSTIC = 'nodes that run contracts say what happened in them, and only where a setting asks for it';
const OLDER = 'these samples are older; the recorded answers of v27 have it';
const DIFFERENCES: Record<string, string> = {
  'getEvents.events[].pagingToken is missing': 'only in the oldest samples: `id` took its place',
  'getLedgerEntries.entries[].extXdr is more': OLDER,
  'getLedgerEntries.entries[].liveUntilLedgerSeq is missing': 'contract data only',
  'getTransaction(NOT_FOUND).events is more': OLDER,
  'getTransaction(SUCCESS).diagnosticEventsXdr is missing': DIAGNOSTIC,
  'getTransaction(SUCCESS).diagnosticEventsXdr[] is missing': DIAGNOSTIC,
  'getTransactions.transactions[].diagnosticEventsXdr is missing': DIAGNOSTIC,
  'getTransactions.transactions[].diagnosticEventsXdr[] is missing': DIAGNOSTIC,
  'sendTransaction(ERROR).diagnosticEventsXdr is missing': DIAGNOSTIC,
  'sendTransaction(ERROR).diagnosticEventsXdr[] is missing': DIAGNOSTIC,
};

const METHODS = [
  'getEvents',
  'getFeeStats',
  'getHealth',
  'getLatestLedger',
  'getLedgerEntries',
  'getLedgers',
  'getNetwork',
  'getTransaction',
  'getTransactions',
  'getVersionInfo',
  'sendTransaction',
];

test('every RPC answer has the fields and the JSON types of the recorded ones', {
  skip: missing(),
}, async (t) => {
  const answers = await answersOfSandbox(t);
  const differences = METHODS.flatMap((method) => {
    const ours = byStatus(answers.get(method) ?? []);
    const documented = byStatus(openRpcExamples(method));
    const sampled = byStatus(javaSamples(method));
    return [...ours].flatMap(([status, values]) =>
      compare(shapeOf(values), shapeOf(documented.get(status) ?? []), shapeOf(sampled.get(status) ?? [])).map(
        (difference) => `${method}${status}${difference}`,
      ),
    );
  });
  assert.deepEqual(differences.toSorted(), Object.keys(DIFFERENCES).toSorted());
});

test('an RPC error has the fields and the text of the recorded one', { skip: missing() }, async (t) => {
  const { sandbox } = await sandboxFor(t, { rpc_like: '27.1' });
  const recorded = JSON.parse(
    read('java-stellar-sdk/responses/sorobanrpc/soroban_rpc_error.json').toString(),
  );
  const { id } = recorded;
  const answer = await call(sandbox, { jsonrpc: '2.0', id, method: 'getEvents', params: { startLedger: 0 } });
  assert.deepEqual(answer.json, recorded);
});

type Shape = Map<string, Set<string>>;

/** The documentation is newer, so its samples count first. The others count for fields that it does not show. */
function compare(ours: Shape, documented: Shape, sampled: Shape): string[] {
  const unlike = [...ours].flatMap(([path, types]) => {
    const recorded = documented.get(path) ?? sampled.get(path);
    if (recorded === undefined) return [`${path} is more`];
    const wrong = [...types].filter((type) => !recorded.has(type));
    return wrong.map((type) => `${path} is ${type}, not ${[...recorded].join(' or ')}`);
  });
  const recordedPaths = new Set([...documented.keys(), ...sampled.keys()]);
  return [
    ...unlike,
    ...[...recordedPaths].filter((path) => !ours.has(path)).map((path) => `${path} is missing`),
  ];
}

/** Answers with a status have different fields for each status. */
function byStatus(values: unknown[]): Map<string, unknown[]> {
  const statusOf = (value: unknown) =>
    typeof value === 'object' && value !== null && 'status' in value ? `(${value.status})` : '';
  return Map.groupBy(values, statusOf);
}

async function answersOfSandbox(t: TestContext): Promise<Map<string, unknown[]>> {
  const { sandbox, server } = await sandboxFor(t, { rpc_like: '27.1' });
  const answers = new Map<string, unknown[]>();
  const ask = async (method: string, params?: unknown) => {
    const { result } = (await call(sandbox, { jsonrpc: '2.0', id: 1, method, params })).json;
    answers.set(method, [...(answers.get(method) ?? []), result]);
    return result;
  };
  const send = (transaction: { toEnvelope(): { toXdr(format: 'base64'): string } }) =>
    ask('sendTransaction', { transaction: transaction.toEnvelope().toXdr('base64') });

  const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
  const paid = await signed(server, from, [pay(to, 1n)]);
  const failed = await signed(server, to, [pay(from, 1_000_000n * UNIT)]);
  const unsigned = await signed(server, to, [pay(from, 1n)]);
  unsigned.signatures.pop();
  const { hash: paidHash } = await send(paid);
  await send(paid);
  await send(await signed(server, from, [pay(to, 2n)]));
  await send(unsigned);
  const { hash: failedHash } = await send(failed);
  sandbox.closeLedger();
  const inner = await signed(server, from, [pay(to, 1n)]);
  const bump = TransactionBuilder.buildFeeBumpTransaction(to, '100', inner, SANDBOX_PASSPHRASE);
  bump.sign(to);
  const { hash: bumpHash } = await send(bump);
  sandbox.closeLedger();
  for (const hash of [paidHash, failedHash, bumpHash, '0'.repeat(64)]) await ask('getTransaction', { hash });
  const key = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: from.xdrAccountId() })).toXdr(
    'base64',
  );
  await ask('getLedgerEntries', { keys: [key] });
  for (const method of ['getEvents', 'getTransactions', 'getLedgers']) await ask(method, { startLedger: 2 });
  for (const method of ['getFeeStats', 'getHealth', 'getLatestLedger', 'getNetwork', 'getVersionInfo'])
    await ask(method);
  return answers;
}

function openRpcExamples(method: string): unknown[] {
  const document = JSON.parse(read('stellar-docs/openrpc/stellar-rpc.openrpc.json').toString());
  const { examples } = document.methods.find(({ name }: { name: string }) => name === method);
  return examples.map((example: { result: { value: unknown } }) => example.result.value);
}

function javaSamples(method: string): unknown[] {
  const name = method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const pattern = `java-stellar-sdk/{soroban_server,responses/sorobanrpc}/${name}{,_*}.json`;
  return globSync(pattern, { cwd: DATA })
    .filter((file) => method.endsWith('s') || !file.includes(`${name}s`))
    .map((file) => JSON.parse(read(file).toString()).result);
}

/** The JSON types at each path; array elements share a path that ends in []. */
function shapeOf(values: unknown[]): Shape {
  const shape: Shape = new Map();
  const visit = (value: unknown, path: string) => {
    const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
    shape.set(path, (shape.get(path) ?? new Set()).add(type));
    if (Array.isArray(value)) for (const element of value) visit(element, `${path}[]`);
    else if (typeof value === 'object' && value !== null) {
      for (const [field, below] of Object.entries(value)) visit(below, `${path}.${field}`);
    }
  };
  for (const value of values) visit(value, '');
  return shape;
}
