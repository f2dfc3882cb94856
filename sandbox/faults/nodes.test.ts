import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Keypair } from '@stellar/stellar-sdk/base';
import { admin, envelopeOf, faultySandboxFor, hashOf, serverAt } from '../testing/faulty-sandbox.ts';
import { call, FRIENDBOT_STROOPS, fund, signed } from '../testing/rpc-client.ts';
import { pay } from '../testing/test-network.ts';

describe('a node that lags', () => {
  test('shows entries, transactions and its latest ledger as they were', async (t) => {
    const { sandbox, server, faults, payment, to } = await faultySandboxFor(t);
    const transaction = await payment(9n);
    await server.sendTransaction(transaction);
    const { sequence } = sandbox.closeLedger();
    sandbox.closeLedger();
    faults.setNode('b', { lag_ledgers: 2 });

    const behind = serverAt(sandbox, 'b');
    assert.equal((await behind.getLatestLedger()).sequence, sequence - 1);
    assert.equal((await behind.getAccountEntry(to.publicKey())).balance, FRIENDBOT_STROOPS);
    const missing = await behind.getTransaction(hashOf(transaction));
    assert.deepEqual([missing.status, missing.latestLedger], ['NOT_FOUND', sequence - 1]);

    assert.equal((await server.getAccountEntry(to.publicKey())).balance, FRIENDBOT_STROOPS + 9n);
    assert.equal((await server.getTransaction(hashOf(transaction))).status, 'SUCCESS');
    sandbox.closeLedger();
    assert.equal((await behind.getTransaction(hashOf(transaction))).status, 'SUCCESS');
  });

  test('gives an empty page for a cursor after its latest ledger, with the cursor 0', async (t) => {
    const { sandbox, server, faults, payment } = await faultySandboxFor(t);
    await server.sendTransaction(await payment());
    const { sequence } = sandbox.closeLedger();
    const { cursor } = await server.getTransactions({ startLedger: sequence });
    faults.setNode('b', { lag_ledgers: 1 });
    const behind = serverAt(sandbox, 'b');
    const page = await behind.getTransactions({ pagination: { cursor } });
    assert.deepEqual(page.transactions, []);
    assert.deepEqual([page.latestLedger, page.cursor], [sequence - 1, '0']);
    await assert.rejects(behind.getTransactions({ startLedger: sequence }), { code: -32600 });
    await assert.rejects(behind.getTransactions({ pagination: { cursor: '0' } }), {
      code: -32602,
      message: 'database does not contain metadata for ledger: 0',
    });
  });

  test('cannot lag beyond its oldest ledger', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t, { retention_ledgers: 4 });
    faults.setNode('b', { lag_ledgers: 100 });
    const behind = serverAt(sandbox, 'b');
    const { sequence } = sandbox.closeLedger();
    const kept = await behind.getLatestLedger();
    assert.equal(kept.sequence, sequence - 3);
    faults.network.prune({ oldest_ledger: sequence });
    assert.equal((await behind.getLatestLedger()).sequence, sequence);
    assert.equal((await behind.getHealth()).oldestLedger, sequence);
    const root = await fetch(`http://127.0.0.1:${sandbox.port}/nodes/b/`);
    assert.equal(root.headers.get('latest-ledger'), `${sequence}`);
  });

  test('refuses what its state forbids, though the network would take it', async (t) => {
    const { sandbox, server, faults, payment, from, to } = await faultySandboxFor(t);
    await server.sendTransaction(await payment());
    sandbox.closeLedger();
    const [newcomer] = (await fund(sandbox, 1)) as [Keypair];
    faults.setNode('b', { lag_ledgers: 5 });
    const behind = serverAt(sandbox, 'b');

    const next = await signed(server, from, [pay(to, 1n)]);
    const sent = await behind.sendTransaction(next);
    assert.deepEqual([sent.status, sent.errorResult?.result.type], ['ERROR', 'txBadSeq']);
    const first = await behind.sendTransaction(await signed(server, newcomer, [pay(to, 1n)]));
    assert.deepEqual([first.status, first.errorResult?.result.type], ['ERROR', 'txNoAccount']);
    assert.equal((await server.sendTransaction(next)).status, 'PENDING');
  });

  test('answers PENDING for what the network has applied or refuses; nothing is applied twice', async (t) => {
    const { sandbox, server, faults, payment, to, balanceOf } = await faultySandboxFor(t);
    const transaction = await payment(4n);
    await server.sendTransaction(transaction);
    sandbox.closeLedger();
    faults.setNode('b', { lag_ledgers: 1 });
    assert.equal((await server.sendTransaction(transaction)).status, 'TRY_AGAIN_LATER');
    assert.equal((await serverAt(sandbox, 'b').sendTransaction(transaction)).status, 'PENDING');
    assert.equal(sandbox.closeLedger().transaction_count, 0);
    assert.equal(await balanceOf(to), FRIENDBOT_STROOPS + 4n);
  });

  test('forwards the transactions that it accepts', async (t) => {
    const { sandbox, server, faults, payment, to, balanceOf } = await faultySandboxFor(t);
    sandbox.closeLedger();
    faults.setNode('b', { lag_ledgers: 1 });
    const transaction = await payment(6n);
    assert.equal((await serverAt(sandbox, 'b').sendTransaction(transaction)).status, 'PENDING');
    assert.equal((await server.sendTransaction(transaction)).status, 'DUPLICATE');
    sandbox.closeLedger();
    assert.equal(await balanceOf(to), FRIENDBOT_STROOPS + 4n + 2n);
  });
});

describe('nodes by name', () => {
  test('each have their own condition, and are sound when none was set', async (t) => {
    const { sandbox, server } = await faultySandboxFor(t);
    for (let ledger = 0; ledger < 4; ledger++) sandbox.closeLedger();
    const latest = (await server.getLatestLedger()).sequence;
    await admin(sandbox, 'PUT', '/faults/nodes/b', { lag_ledgers: 3 });
    const { json } = await admin(sandbox, 'PUT', '/faults/nodes/c', { oldest_ledger: latest - 1 });
    assert.deepEqual(json.nodes, {
      b: { lag_ledgers: 3, oldest_ledger: 1, rpc_like: null },
      c: { lag_ledgers: 0, oldest_ledger: latest - 1, rpc_like: null },
    });
    const seen = async (name: string) => {
      const { latestLedger, oldestLedger } = await serverAt(sandbox, name).getHealth();
      return [oldestLedger, latestLedger];
    };
    assert.deepEqual(await seen('a'), [1, latest]);
    assert.deepEqual(await seen('b'), [1, latest - 3]);
    assert.deepEqual(await seen('c'), [latest - 1, latest]);
    await admin(sandbox, 'PUT', '/faults/nodes/main', { lag_ledgers: 1 });
    assert.equal((await server.getLatestLedger()).sequence, latest - 1);
    await admin(sandbox, 'DELETE', '/faults');
    assert.deepEqual([await seen('b'), await seen('main')], [await seen('a'), await seen('a')]);
  });

  test('answer like a version of stellar-rpc: one node for good, or one request by a fault', async (t) => {
    const { sandbox, server } = await faultySandboxFor(t);
    const tells = async (name: string) =>
      'latestLedgerCloseTime' in (await serverAt(sandbox, name).getHealth());
    await admin(sandbox, 'PUT', '/faults/nodes/b', { rpc_like: '27.0' });
    assert.deepEqual([await tells('a'), await tells('b')], [true, false]);
    await admin(sandbox, 'POST', '/faults', { on: 'getHealth', kind: 'rpc_like', version: '22' });
    assert.deepEqual([await tells('a'), await tells('a')], [false, true]);
    assert.match((await server.getVersionInfo()).version, /^30\./);
    const refused = await admin(sandbox, 'PUT', '/faults/nodes/b', { rpc_like: '21' });
    assert.equal(refused.status, 400);
  });

  test('are one network: a transaction that one accepts is visible at all', async (t) => {
    const { sandbox, payment } = await faultySandboxFor(t);
    const transaction = await payment();
    assert.equal((await serverAt(sandbox, 'a').sendTransaction(transaction)).status, 'PENDING');
    sandbox.closeLedger();
    for (const name of ['a', 'b', 'main']) {
      assert.equal((await serverAt(sandbox, name).getTransaction(hashOf(transaction))).status, 'SUCCESS');
    }
    const friendbot = `http://127.0.0.1:${sandbox.port}/nodes/b/friendbot?addr=nonsense`;
    assert.equal((await fetch(friendbot)).status, 400);
  });

  test('have short names; other names are not nodes', async (t) => {
    const { sandbox } = await faultySandboxFor(t);
    for (const name of ['B', 'a_b', 'x'.repeat(33), '']) {
      const response = await fetch(`http://127.0.0.1:${sandbox.port}/nodes/${name}/rpc`, { method: 'POST' });
      assert.equal(response.status, 404, name);
    }
  });
});

describe('for one request', () => {
  const rpc = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });

  test('stale: the answer comes from a node that is behind', async (t) => {
    const { sandbox, server, faults, payment } = await faultySandboxFor(t);
    const transaction = await payment();
    await server.sendTransaction(transaction);
    const { sequence } = sandbox.closeLedger();
    faults.add({ on: 'getTransaction', kind: 'stale', lag_ledgers: 1 });
    const missing = await server.getTransaction(hashOf(transaction));
    assert.deepEqual([missing.status, missing.latestLedger], ['NOT_FOUND', sequence - 1]);
    assert.equal((await server.getTransaction(hashOf(transaction))).status, 'SUCCESS');
  });

  test('stale: a submission may be told txBAD_SEQ for the right number', async (t) => {
    const { sandbox, server, faults, payment } = await faultySandboxFor(t);
    await server.sendTransaction(await payment());
    sandbox.closeLedger();
    const transaction = envelopeOf(await payment());
    faults.add({ on: 'sendTransaction', kind: 'stale', lag_ledgers: 1 });
    const send = async () =>
      (await call(sandbox, rpc('sendTransaction', { transaction }))).json.result.status;
    assert.deepEqual([await send(), await send()], ['ERROR', 'PENDING']);
  });

  test('pruned: history starts at a ledger, or holds the last few', async (t) => {
    const { sandbox, server, faults, payment } = await faultySandboxFor(t);
    const transaction = await payment();
    await server.sendTransaction(transaction);
    const { sequence } = sandbox.closeLedger();
    for (let ledger = 0; ledger < 3; ledger++) sandbox.closeLedger();
    const conditions = [{ oldest_ledger: sequence + 1 }, { last_ledgers: 3 }];
    for (const condition of conditions) {
      faults.add({ on: 'getTransaction', kind: 'pruned', ...condition });
      const missing = await server.getTransaction(hashOf(transaction));
      assert.deepEqual([missing.status, missing.oldestLedger], ['NOT_FOUND', sequence + 1]);
    }
    faults.add({ on: 'getTransactions', kind: 'pruned', last_ledgers: 3 });
    await assert.rejects(server.getTransactions({ startLedger: sequence }), { code: -32600 });
    assert.equal((await server.getTransaction(hashOf(transaction))).status, 'SUCCESS');
  });

  test('wrong_network: the node reports another passphrase, and checks submissions as before', async (t) => {
    const { server, faults, payment } = await faultySandboxFor(t);
    faults.add({ on: 'getNetwork', kind: 'wrong_network' });
    assert.match((await server.getNetwork()).passphrase, /^Public Global/);
    assert.match((await server.getNetwork()).passphrase, /^Standalone/);
    assert.equal((await server.sendTransaction(await payment())).status, 'PENDING');
  });
});
