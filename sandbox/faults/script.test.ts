import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import type { Sandbox } from '../launch.ts';
import { admin, faultsOf, faultySandboxFor, serverAt } from '../testing/faulty-sandbox.ts';
import { call, sandboxFor } from '../testing/rpc-client.ts';

const health = { jsonrpc: '2.0', id: 1, method: 'getHealth' };

/** The results of several requests of one kind in order: `x` = affected, `.` = not. */
async function traceOf(sandbox: Sandbox, requests: number, method = 'getHealth'): Promise<string> {
  let trace = '';
  for (let n = 0; n < requests; n++) {
    const { status } = await call(sandbox, { ...health, method });
    trace += status === 200 ? '.' : 'x';
  }
  return trace;
}

describe('the admin endpoints', () => {
  test('are not there unless asked for', async (t) => {
    const { sandbox } = await sandboxFor(t);
    assert.equal(sandbox.faults, null);
    assert.equal((await admin(sandbox, 'GET', '/faults')).status, 404);
    assert.equal((await admin(sandbox, 'POST', '/faults', { on: '*', kind: 'no_answer' })).status, 404);
    assert.equal((await admin(sandbox, 'POST', '/faults/network/reset', {})).status, 404);
    const named = await fetch(`http://127.0.0.1:${sandbox.port}/nodes/b/rpc`, { method: 'POST' });
    assert.equal(named.status, 404);
  });

  test('list every fault, how often it happened and how often it still can', async (t) => {
    const { sandbox } = await faultySandboxFor(t);
    const script = [
      { on: 'getHealth', kind: 'status', status: 503, times: 2 },
      { on: 'getTransaction', kind: 'delay', delay_ms: 50, times: null },
    ];
    const added = await admin(sandbox, 'POST', '/faults', script);
    assert.equal(added.status, 200);
    assert.deepEqual(
      added.json.faults.map(({ id }: { id: number }) => id),
      [1, 2],
    );
    await call(sandbox, health);
    const { json } = await admin(sandbox, 'GET', '/faults');
    const counts = json.faults.map(({ matched, struck, left }: Record<string, unknown>) => [
      matched,
      struck,
      left,
    ]);
    assert.deepEqual(counts, [
      [1, 1, 1],
      [0, 0, null],
    ]);
    assert.equal(json.network.halted, false);

    assert.equal((await admin(sandbox, 'DELETE', '/faults/1')).status, 200);
    assert.equal((await admin(sandbox, 'DELETE', '/faults/1')).status, 404);
    assert.equal(await traceOf(sandbox, 2), '..');
    assert.deepEqual((await admin(sandbox, 'DELETE', '/faults')).json.faults, []);
  });

  test('refuse what a web page could send', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    const body = JSON.stringify({ on: '*', kind: 'no_answer' });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      assert.equal((await admin(sandbox, 'POST', '/faults', body, type)).status, 415, type);
      assert.equal((await admin(sandbox, 'POST', '/faults/network/reset', '{}', type)).status, 415, type);
      assert.equal((await admin(sandbox, 'PUT', '/faults/nodes/b', '{}', type)).status, 415, type);
    }
    assert.equal((await admin(sandbox, 'POST', '/faults/network/halt')).status, 415);
    assert.equal((await admin(sandbox, 'POST', '/faults/release')).status, 415);
    assert.equal(await statusUnderHost(sandbox.port, 'evil.example'), 403);
    assert.deepEqual(faults.list(), []);
    assert.equal(faults.state().network.halted, false);
  });
});

function statusUnderHost(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/faults', method: 'DELETE', headers: { host } });
    sent.on('response', (response) => resolve(response.resume().statusCode));
    sent.on('error', reject).end();
  });
}

describe('a bad script', () => {
  const sound = { on: 'getHealth', kind: 'status', status: 503 };
  const bad: [field: string, fault: object][] = [
    ['faults.1.on', { on: 'getHelth', kind: 'no_answer' }],
    ['faults.1.kind', { on: 'getHealth', kind: 'explode' }],
    ['faults.1.times', { on: 'getHealth', kind: 'no_answer', times: 0 }],
    ['faults.1.skip', { on: 'getHealth', kind: 'no_answer', skip: -1 }],
    ['faults.1.probability', { on: 'getHealth', kind: 'no_answer', probability: 1.5 }],
    ['faults.1.node', { on: 'getHealth', kind: 'no_answer', node: 'B/..' }],
    ['faults.1.tims', { on: 'getHealth', kind: 'no_answer', tims: 1 }],
    ['faults.1.delay_ms', { on: 'getHealth', kind: 'delay' }],
    ['faults.1.status', { on: 'getHealth', kind: 'status', status: 418 }],
    ['faults.1.oldest_ledger', { on: 'getHealth', kind: 'pruned' }],
    ['faults.1.on', { on: 'friendbot', kind: 'rpc_error', code: -32603, message: 'x' }],
    ['faults.1.on', { on: 'getHealth', kind: 'duplicate_page' }],
    ['faults.1.on', { on: 'getTransaction', kind: 'try_again_later' }],
    ['faults.1.on', { on: 'horizon:stream', kind: 'truncated' }],
    ['faults.1.on', { on: 'horizon:payments', kind: 'stream_cut' }],
  ];

  test('is refused whole, with the name of the field', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    for (const [field, fault] of bad) {
      const { status, json } = await admin(sandbox, 'POST', '/faults', [sound, fault]);
      assert.equal(status, 400, field);
      assert.deepEqual(
        json.errors.map((error: { field: string }) => error.field),
        [field],
        JSON.stringify(json),
      );
      assert.ok(json.errors[0].message.length > 5);
    }
    assert.deepEqual(faults.list(), []);
    assert.equal(await traceOf(sandbox, 3), '...');
    for (const body of ['{', '""', 'null', '[]', '{"faults":[]}', '{"seed":1.5,"faults":[]}']) {
      assert.equal((await admin(sandbox, 'POST', '/faults', body)).status, 400, body);
    }
    const lag = await admin(sandbox, 'PUT', '/faults/nodes/b', { lag_ledgers: 101 });
    assert.deepEqual([lag.status, lag.json.errors[0].field], [400, 'lag_ledgers']);
    assert.equal((await admin(sandbox, 'PUT', '/faults/nodes/Not_a_name', {})).status, 400);
    const skew = await admin(sandbox, 'POST', '/faults/network/clock_skew', { seconds: 61 });
    assert.deepEqual([skew.status, skew.json.errors[0].field], [400, 'seconds']);
    assert.equal((await admin(sandbox, 'POST', '/faults/network/explode', {})).status, 404);
  });

  test('throws when it comes from code', async (t) => {
    const { faults } = await faultySandboxFor(t);
    assert.throws(() => faults.add({ on: 'friendbot', kind: 'lost_page' }), {
      message: 'faults.0.on: lost_page cannot happen to friendbot',
    });
  });
});

describe('a fault happens', () => {
  test('as often as scripted, after the skipped requests, and only to matching ones', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    faults.add({ on: 'getHealth', kind: 'status', status: 503, skip: 2, times: 3 });
    assert.equal(await traceOf(sandbox, 4, 'getNetwork'), '....');
    assert.equal(await traceOf(sandbox, 8), '..xxx...');
  });

  test('without end when times is null, and everything when on is *', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    faults.add({ on: '*', kind: 'status', status: 502, times: null });
    assert.equal(await traceOf(sandbox, 5), 'xxxxx');
    assert.equal((await call(sandbox, [health])).status, 502);
    assert.equal((await fetch(sandbox.friendbot_url)).status, 502);
    assert.equal((await admin(sandbox, 'GET', '/faults')).json.faults[0].struck, 7);
    faults.clear();
    assert.equal(await traceOf(sandbox, 2), '..');
  });

  test('only at its node', async (t) => {
    const { sandbox, server, faults } = await faultySandboxFor(t);
    faults.add({ on: '*', kind: 'rpc_error', code: 7, message: 'only b', node: 'b', times: null });
    await assert.rejects(serverAt(sandbox, 'b').getHealth(), { code: 7, message: 'only b' });
    assert.equal((await serverAt(sandbox, 'a').getHealth()).status, 'healthy');
    assert.equal((await server.getHealth()).status, 'healthy');
  });

  test('together with others, in the order added, until one ends the request', async (t) => {
    const { sandbox, faults, clock } = await faultySandboxFor(t);
    faults.add([
      { on: 'getHealth', kind: 'delay', delay_ms: 5_000 },
      { on: 'getHealth', kind: 'rpc_error', code: 1, message: 'first' },
      { on: 'getHealth', kind: 'rpc_error', code: 2, message: 'second' },
    ]);
    const first = call(sandbox, health);
    for (let turn = 0; turn < 10_000 && faults.list()[0]?.struck === 0; turn++) await clock.advance(0);
    await clock.advance(5_000);
    assert.equal((await first).json.error.message, 'first');
    assert.equal((await call(sandbox, health)).json.error.message, 'second');
    assert.equal((await call(sandbox, health)).json.result.status, 'healthy');
  });
});

describe('a seed', () => {
  const half = { on: 'getHealth', kind: 'status', status: 503, times: null, probability: 0.5 } as const;

  test('gives the same faults to the same requests, and another seed gives others', async (t) => {
    const run = async (seed: number) => {
      const { sandbox } = await sandboxFor(t, { faults: true, seed });
      faultsOf(sandbox).add(half);
      return await traceOf(sandbox, 40);
    };
    const trace = await run(7);
    assert.match(trace, /x/);
    assert.match(trace, /\./);
    assert.equal(await run(7), trace);
    assert.notEqual(await run(8), trace);
  });

  test('may come with the script, and a script that is given again starts again', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    faults.add({ seed: 99, faults: [half] });
    const trace = await traceOf(sandbox, 30);
    faults.clear();
    faults.add({ seed: 99, faults: [half] });
    assert.equal(await traceOf(sandbox, 30), trace);
  });

  test('draws for each fault separately: other requests do not change its draws', async (t) => {
    const run = async (disturb: boolean) => {
      const { sandbox } = await sandboxFor(t, { faults: true, seed: 5 });
      faultsOf(sandbox).add([half, { ...half, on: 'getNetwork' }]);
      let trace = '';
      for (let n = 0; n < 20; n++) {
        if (disturb) await traceOf(sandbox, 1, 'getNetwork');
        trace += await traceOf(sandbox, 1);
      }
      return trace;
    };
    assert.equal(await run(true), await run(false));
  });
});
