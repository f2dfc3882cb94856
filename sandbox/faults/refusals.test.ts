import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk/base';
import { envelopeOf, faultySandboxFor, hashOf, postForm } from '../testing/faulty-sandbox.ts';
import { call, FRIENDBOT_STROOPS } from '../testing/rpc-client.ts';

const send = (transaction: string) => ({
  jsonrpc: '2.0',
  id: 9,
  method: 'sendTransaction',
  params: { transaction },
});

async function problemOf(response: Response) {
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/);
  const problem = (await response.json()) as { type: string; status: number; extras?: object };
  return { ...problem, type: problem.type.replace('https://stellar.org/horizon-errors/', '') };
}

describe('status', () => {
  test('at RPC is the page of a gateway, which is not JSON; the transaction is not submitted', async (t) => {
    const { sandbox, faults, payment, to, balanceOf } = await faultySandboxFor(t);
    const transaction = envelopeOf(await payment());
    for (const status of [429, 500, 502, 503, 504] as const) {
      faults.add({ on: 'sendTransaction', kind: 'status', status });
      const answer = await call(sandbox, send(transaction));
      assert.equal(answer.status, status);
      assert.match(answer.text, new RegExp(`<h1>${status} `));
    }
    sandbox.closeLedger();
    assert.equal(await balanceOf(to), FRIENDBOT_STROOPS);
  });

  test('may come after the effect: exactly one payment is applied', async (t) => {
    const { sandbox, server, faults, payment, to, balanceOf } = await faultySandboxFor(t);
    const transaction = await payment(3n);
    faults.add({ on: 'sendTransaction', kind: 'status', status: 504, effect: 'before' });
    await assert.rejects(server.sendTransaction(transaction), /504/);
    assert.equal((await server.sendTransaction(transaction)).status, 'DUPLICATE');
    sandbox.closeLedger();
    sandbox.closeLedger();
    assert.equal(await balanceOf(to), FRIENDBOT_STROOPS + 3n);
  });

  test('429 says when to come again', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    faults.add([
      { on: 'horizon:payments', kind: 'status', status: 429, retry_after_seconds: 17 },
      { on: 'friendbot', kind: 'status', status: 429 },
    ]);
    const horizon = await fetch(`http://127.0.0.1:${sandbox.port}/payments`);
    assert.equal(horizon.status, 429);
    assert.equal(horizon.headers.get('retry-after'), '17');
    assert.equal(horizon.headers.get('x-ratelimit-remaining'), '0');
    assert.equal((await problemOf(horizon)).type, 'rate_limit_exceeded');
    assert.equal((await fetch(sandbox.friendbot_url)).headers.get('retry-after'), '1');
  });

  test('at Horizon is a problem with its type', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    const types = { 500: 'server_error', 503: 'stale_history', 504: 'timeout' };
    for (const [status, type] of Object.entries(types)) {
      faults.add({ on: 'horizon:fee_stats', kind: 'status', status: Number(status) as 500 });
      const problem = await problemOf(await fetch(`http://127.0.0.1:${sandbox.port}/fee_stats`));
      assert.deepEqual([problem.type, problem.status], [type, Number(status)]);
    }
  });

  for (const effect of ['never', 'before'] as const) {
    test(`504 of POST /transactions names the hash and proves nothing (effect: ${effect})`, async (t) => {
      const { sandbox, server, faults, payment, to, balanceOf } = await faultySandboxFor(t);
      const transaction = await payment(11n);
      const tx = envelopeOf(transaction);
      faults.add({ on: 'horizon:submit', kind: 'status', status: 504, effect });
      const response = await postForm(sandbox, '/transactions', { tx });
      assert.equal(response.status, 504);
      const { type, extras } = await problemOf(response);
      assert.equal(type, 'transaction_submission_timeout');
      assert.deepEqual(extras, { hash: hashOf(transaction), envelope_xdr: tx });
      assert.equal((await server.getTransaction(hashOf(transaction))).status, 'NOT_FOUND');
      sandbox.closeLedger();
      const { status } = await server.getTransaction(hashOf(transaction));
      assert.equal(status, effect === 'before' ? 'SUCCESS' : 'NOT_FOUND');
      assert.equal(await balanceOf(to), FRIENDBOT_STROOPS + (effect === 'before' ? 11n : 0n));
    });
  }

  test('504 of POST /transactions can come for text that is not a transaction', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    faults.add({ on: 'horizon:submit', kind: 'status', status: 504, effect: 'before', times: null });
    for (const tx of ['', '!!', 'AAAA']) {
      assert.equal((await postForm(sandbox, '/transactions', { tx })).status, 504);
    }
    assert.equal(sandbox.closeLedger().transaction_count, 0);
  });
});

test('rpc_error is an error of JSON-RPC with the id of the call; the transaction is not submitted', async (t) => {
  const { sandbox, faults, payment, to, balanceOf } = await faultySandboxFor(t);
  faults.add({ on: 'sendTransaction', kind: 'rpc_error', code: -32603, message: 'could not submit' });
  const { status, json } = await call(sandbox, send(envelopeOf(await payment())));
  assert.equal(status, 200);
  assert.deepEqual(json, { jsonrpc: '2.0', id: 9, error: { code: -32603, message: 'could not submit' } });
  sandbox.closeLedger();
  assert.equal(await balanceOf(to), FRIENDBOT_STROOPS);
});

test('core_busy refuses the first requests for entries after each ledger; a node says nothing of it', async (t) => {
  const { sandbox, server, faults, to } = await faultySandboxFor(t);
  const key = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: to.xdrAccountId() }));
  faults.add({ on: 'getLedgerEntries', kind: 'core_busy', requests: 2, times: null });
  for (let ledgers = 0; ledgers < 2; ledgers++) {
    for (let requests = 0; requests < 2; requests++)
      await assert.rejects(server.getLedgerEntries(key), {
        code: -32603,
        message: 'could not query captive core',
      });
    assert.equal((await server.getHealth()).status, 'healthy');
    assert.ok(await server.getLedgerEntries(key));
    sandbox.closeLedger();
  }
});

describe('filtered (Q14)', () => {
  test('is an internal error of RPC, and nothing is queued', async (t) => {
    const { sandbox, server, faults, payment } = await faultySandboxFor(t);
    const transaction = await payment();
    faults.add({ on: 'sendTransaction', kind: 'filtered' });
    await assert.rejects(server.sendTransaction(transaction), {
      code: -32603,
      message: 'invalid status from stellar-core',
    });
    assert.equal(sandbox.closeLedger().transaction_count, 0);
    assert.equal((await server.sendTransaction(transaction)).status, 'PENDING');
  });

  test('is a 500 of Horizon, whose asynchronous form says invalid status', async (t) => {
    const { sandbox, faults, payment } = await faultySandboxFor(t);
    const tx = envelopeOf(await payment());
    faults.add([
      { on: 'horizon:submit', kind: 'filtered' },
      { on: 'horizon:submit_async', kind: 'filtered' },
    ]);
    const waited = await problemOf(await postForm(sandbox, '/transactions', { tx }));
    assert.deepEqual([waited.type, waited.status], ['server_error', 500]);
    const at_once = await problemOf(await postForm(sandbox, '/transactions_async', { tx }));
    assert.deepEqual([at_once.type, at_once.status], ['transaction_submission_invalid_status', 500]);
    assert.equal(sandbox.closeLedger().transaction_count, 0);
  });
});

describe('try_again_later', () => {
  test('without accepting it: no ledger has the transaction until it is sent again', async (t) => {
    const { sandbox, server, faults, payment } = await faultySandboxFor(t);
    const transaction = await payment();
    faults.add({ on: 'sendTransaction', kind: 'try_again_later' });
    const { status, hash } = await server.sendTransaction(transaction);
    assert.deepEqual([status, hash], ['TRY_AGAIN_LATER', hashOf(transaction)]);
    assert.equal(sandbox.closeLedger().transaction_count, 0);
    assert.equal((await server.sendTransaction(transaction)).status, 'PENDING');
  });

  test('and accepting it: looks like a banned hash (Q8), and exactly one payment is applied', async (t) => {
    const { sandbox, server, faults, payment, to, balanceOf } = await faultySandboxFor(t);
    const transaction = await payment(2n);
    faults.add({ on: 'sendTransaction', kind: 'try_again_later', taken: true });
    assert.equal((await server.sendTransaction(transaction)).status, 'TRY_AGAIN_LATER');
    sandbox.closeLedger();
    assert.equal((await server.getTransaction(hashOf(transaction))).status, 'SUCCESS');
    assert.equal((await server.sendTransaction(transaction)).status, 'TRY_AGAIN_LATER');
    sandbox.closeLedger();
    assert.equal(await balanceOf(to), FRIENDBOT_STROOPS + 2n);
  });

  test('still refuses text that is not a transaction', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    faults.add({ on: 'sendTransaction', kind: 'try_again_later', times: null });
    assert.equal((await call(sandbox, send('AAAA'))).json.error.message, 'invalid_xdr');
  });
});
