import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk/base';
import { Asset, Memo, StrKey, scValToNative, TransactionBuilder, xdr } from '@stellar/stellar-sdk/base';
import type { Api } from '@stellar/stellar-sdk/rpc';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { call, fund, sandboxFor, signed } from '../testing/rpc-client.ts';
import { pay, UNIT } from '../testing/test-network.ts';

const NATIVE = Asset.native().contractId(SANDBOX_PASSPHRASE);
const TRANSFER = xdr.ScVal.scvSymbol('transfer').toXdr('base64');
const FEE = xdr.ScVal.scvSymbol('fee').toXdr('base64');
const accountTopic = (key: Keypair) =>
  xdr.ScVal.scvAddress(xdr.ScAddress.scAddressTypeAccount(key.xdrAccountId())).toXdr('base64');

const rpc = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'getEvents', params });

/** Three ledgers in which two accounts pay each other, with an empty ledger after each. */
async function setUp(t: Parameters<typeof sandboxFor>[0], options: Parameters<typeof sandboxFor>[1] = {}) {
  const { sandbox, server } = await sandboxFor(t, options);
  const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
  const first = sandbox.closeLedger().sequence + 1;
  for (let round = 0; round < 3; round++) {
    await server.sendTransaction(await signed(server, from, [pay(to, 1n), pay(to, 2n)]));
    await server.sendTransaction(await signed(server, to, [pay(from, 3n)]));
    sandbox.closeLedger();
    sandbox.closeLedger();
  }
  const all = (filters: Api.EventFilter[] = []) => server.getEvents({ startLedger: first, filters });
  return { sandbox, server, from, to, first, all };
}

const idsOf = ({ events }: Api.GetEventsResponse) => events.map(({ id }) => id);

describe('getEvents', () => {
  test('gives fees first and then transfers, each with its place in the ledger', async (t) => {
    const { server, first, from, to } = await setUp(t);
    const { events } = await server.getEvents({ startLedger: first, endLedger: first + 1, filters: [] });
    assert.deepEqual(
      events.map(({ topic }) => scValToNative(topic[0] as xdr.ScVal)),
      ['fee', 'fee', 'transfer', 'transfer', 'transfer'],
    );
    const places = events.map(({ transactionIndex, operationIndex }) => [transactionIndex, operationIndex]);
    // The payer with two payments may come first or second: nobody chooses the order of application.
    const twoFirst = places[3]?.[0] === 1;
    assert.deepEqual(places.slice(0, 2).flat(), [0, 0, 0, 0]);
    assert.deepEqual(places.slice(2).flat(), twoFirst ? [1, 0, 1, 1, 2, 0] : [1, 0, 2, 0, 2, 1]);
    for (const { id, ledger, transactionIndex, operationIndex } of events) {
      const toid = (BigInt(ledger) << 32n) | (BigInt(transactionIndex) << 12n) | BigInt(operationIndex);
      assert.equal(id.split('-')[0], toid.toString().padStart(19, '0'));
      assert.equal(ledger, first);
    }
    assert.deepEqual(
      events.slice(0, 2).map(({ id }) => id.split('-')[1]),
      ['0000000000', '0000000001'],
    );
    const sent = events.find(({ topic, value }) => topic.length === 4 && scValToNative(value) === 2n);
    assert.deepEqual(
      sent?.topic.map((topic) => scValToNative(topic)),
      ['transfer', from.publicKey(), to.publicKey(), 'native'],
    );
    assert.equal(sent?.contractId?.contractId(), NATIVE);
    assert.equal(sent?.type, 'contract');
    assert.match(sent?.ledgerClosedAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.equal((await server.getTransaction(sent?.txHash ?? '')).status, 'SUCCESS');
  });

  test('gives every event once in the order of ids, however small the pages, and then what comes after', async (t) => {
    const { sandbox, server, from, to, first, all } = await setUp(t);
    const whole = idsOf(await all());
    assert.equal(whole.length, 15);
    assert.deepEqual(whole, whole.toSorted());
    const seen: string[] = [];
    let page = await server.getEvents({ startLedger: first, filters: [], limit: 4 });
    while (page.events.length > 0) {
      seen.push(...idsOf(page));
      page = await server.getEvents({ cursor: page.cursor, filters: [], limit: 4 });
    }
    assert.deepEqual(seen, whole);
    assert.equal((await server.getEvents({ cursor: page.cursor, filters: [] })).events.length, 0);
    await server.sendTransaction(await signed(server, from, [pay(to, 7n)]));
    const { sequence } = sandbox.closeLedger();
    const after = await server.getEvents({ cursor: page.cursor, filters: [] });
    assert.deepEqual(
      after.events.map(({ ledger }) => ledger),
      [sequence, sequence],
    );
  });

  test('passes what any filter passes: type, contract and topics with * and **', async (t) => {
    const { from, to, all } = await setUp(t);
    const count = async (...filters: Api.EventFilter[]) => (await all(filters)).events.length;
    const other = StrKey.encodeContract(Buffer.alloc(32, 7));
    assert.equal(await count({ type: 'contract' }), 15);
    assert.equal(await count({ type: 'system' }), 0);
    assert.equal(await count({ contractIds: [NATIVE] }), 15);
    assert.equal(await count({ contractIds: [other] }), 0);
    assert.equal(await count({ contractIds: [other] }, { contractIds: [NATIVE, other] }), 15);
    assert.equal(await count({ topics: [[TRANSFER, '*', '*', '*']] }), 9);
    assert.equal(await count({ topics: [[TRANSFER, '*', '*']] }), 0);
    assert.equal(await count({ topics: [[TRANSFER, '**']] }), 9);
    assert.equal(await count({ topics: [['**']] }), 15);
    assert.equal(await count({ topics: [['*', '*']] }), 6);
    assert.equal(await count({ topics: [[TRANSFER, accountTopic(from), '**']] }), 6);
    assert.equal(await count({ topics: [['*', '*', accountTopic(from), '**']] }), 3);
    assert.equal(
      await count({
        topics: [
          [TRANSFER, accountTopic(to), '**'],
          [FEE, accountTopic(to)],
        ],
      }),
      6,
    );
    assert.equal(await count({ type: 'system' }, { topics: [[FEE, '*']] }), 6);
  });

  test('gives a memo as to_muxed_id, and the fee event of a failed transaction', async (t) => {
    const { sandbox, server, from, to } = await setUp(t);
    const account = await server.getAccount(from.publicKey());
    const options = { fee: '100', networkPassphrase: SANDBOX_PASSPHRASE, memo: Memo.id('42') };
    const withMemo = new TransactionBuilder(account, options)
      .addOperation(pay(to, UNIT))
      .setTimeout(0)
      .build();
    withMemo.sign(from);
    await server.sendTransaction(withMemo);
    const failing = await signed(server, to, [pay(from, 1n), pay(from, 1_000_000n * UNIT)]);
    const { hash } = await server.sendTransaction(failing);
    const { sequence } = sandbox.closeLedger();
    const { events } = await server.getEvents({ startLedger: sequence, filters: [] });
    const transfers = events.filter(({ topic }) => topic.length === 4);
    assert.deepEqual(
      transfers.map(({ value }) => scValToNative(value)),
      [{ amount: UNIT, to_muxed_id: 42n }],
    );
    const ofFailed = events.filter(({ txHash }) => txHash === hash);
    assert.deepEqual(
      ofFailed.map(({ topic }) => scValToNative(topic[0] as xdr.ScVal)),
      ['fee'],
    );
  });

  test('searches at most 10,000 ledgers, and its cursor continues where it stopped', async (t) => {
    const { sandbox, server } = await sandboxFor(t);
    const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
    const start = sandbox.closeLedger().sequence + 1;
    for (let ledger = 0; ledger < 10_100; ledger++) sandbox.closeLedger();
    await server.sendTransaction(await signed(server, from, [pay(to, 1n)]));
    sandbox.closeLedger();
    const empty = await server.getEvents({ startLedger: start, filters: [] });
    assert.equal(empty.events.length, 0);
    const place = BigInt(empty.cursor.split('-')[0] ?? '0');
    assert.equal(Number(place >> 32n), start + 9_999);
    assert.equal((await server.getEvents({ cursor: empty.cursor, filters: [] })).events.length, 2);
  });

  test('refuses what stellar-rpc refuses, with its messages', async (t) => {
    const { sandbox } = await sandboxFor(t);
    const refusal = async (params: unknown) => {
      const { error } = (await call(sandbox, rpc(params))).json;
      return [error.code, error.message];
    };
    const filtered = (filter: unknown) => refusal({ startLedger: 2, filters: [filter] });
    assert.deepEqual(await refusal({}), [-32602, 'startLedger must be positive']);
    assert.deepEqual(await refusal({ startLedger: 3 }), [
      -32600,
      'startLedger must be within the ledger range: 1 - 2',
    ]);
    const cursor = '0000000012884905984-0000000000';
    assert.deepEqual(await refusal({ startLedger: 1, pagination: { cursor } }), [
      -32602,
      'ledger ranges and cursor cannot both be set',
    ]);
    assert.deepEqual(await refusal({ pagination: { cursor } }), [
      -32600,
      'startLedger must be within the ledger range: 1 - 2',
    ]);
    assert.equal((await refusal({ pagination: { cursor: 'now' } }))[0], -32602);
    assert.deepEqual(await refusal({ startLedger: 2, pagination: { limit: 10_001 } }), [
      -32602,
      'limit must not exceed 10000',
    ]);
    assert.deepEqual(await refusal({ startLedger: 2, filters: Array(6).fill({}) }), [
      -32602,
      'maximum 5 filters per request',
    ]);
    assert.deepEqual(await filtered({ type: 'diagnostic' }), [
      -32602,
      "filter 1 invalid: filter type invalid: if set, type must be either 'system' or 'contract'",
    ]);
    assert.deepEqual(await filtered({ contractIds: ['C'] }), [
      -32602,
      'filter 1 invalid: contract ID 1 invalid',
    ]);
    assert.deepEqual(await filtered({ contractIds: Array(6).fill(NATIVE) }), [
      -32602,
      'filter 1 invalid: maximum 5 contract IDs per filter',
    ]);
    assert.deepEqual(await filtered({ topics: Array(6).fill(['*']) }), [
      -32602,
      'filter 1 invalid: maximum 5 topics per filter',
    ]);
    assert.deepEqual(await filtered({ topics: [[]] }), [
      -32602,
      'filter 1 invalid: topic 1 invalid: topic must have at least 1 segment',
    ]);
    assert.deepEqual(await filtered({ topics: [Array(5).fill('*')] }), [
      -32602,
      'filter 1 invalid: topic 1 invalid: topic cannot have more than 4 segments',
    ]);
    assert.deepEqual(await filtered({ topics: [['**', '*']] }), [
      -32602,
      "filter 1 invalid: topic 1 invalid: segment 1 invalid: wildcard '**' is only allowed as the last segment",
    ]);
    assert.equal((await filtered({ topics: [['AAAA']] }))[0], -32602);
  });

  test('shows no classic payments on a node without EMIT_CLASSIC_EVENTS, and neither does meta', async (t) => {
    const { server, first, all } = await setUp(t, { emit_classic_events: false });
    assert.equal((await all()).events.length, 0);
    const { transactions } = await server.getTransactions({ startLedger: first });
    assert.equal(transactions.length, 6);
    for (const { resultMetaXdr, events } of transactions) {
      assert.ok(resultMetaXdr.type === 'v4');
      assert.equal(resultMetaXdr.value.events.length, 0);
      assert.ok(resultMetaXdr.value.operations.length > 0);
      for (const operation of resultMetaXdr.value.operations) assert.equal(operation.events.length, 0);
      assert.deepEqual(events.transactionEventsXdr, []);
      assert.deepEqual(events.contractEventsXdr.flat(), []);
    }
  });
});
