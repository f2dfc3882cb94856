import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { call, sandboxFor } from '../testing/rpc-client.ts';

const health = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' });

function statusWithHost(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json' };
    const sent = request({ host: '127.0.0.1', port, path: '/rpc', method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(health);
  });
}

test('answers only under a local host name (DNS rebinding)', async (t) => {
  const { sandbox } = await sandboxFor(t);
  for (const host of [
    '127.0.0.1',
    `127.0.0.1:${sandbox.port}`,
    'localhost:8000',
    '[::1]:8000',
    'LOCALHOST',
  ]) {
    assert.equal(await statusWithHost(sandbox.port, host), 200, host);
  }
  for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80', '192.168.1.5']) {
    assert.equal(await statusWithHost(sandbox.port, host), 403, host);
  }
});

test('refuses other content types, so that no web page can post without asking (CSRF)', async (t) => {
  const { sandbox } = await sandboxFor(t);
  assert.equal((await call(sandbox, health, 'text/plain')).status, 415);
  assert.equal((await call(sandbox, health, 'application/x-www-form-urlencoded')).status, 415);
  assert.equal((await call(sandbox, health, 'application/json; charset=utf-8')).status, 200);
});

test('accepts only POST at /rpc: 405, as stellar-rpc', async (t) => {
  const { sandbox } = await sandboxFor(t);
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
    const { status, headers } = await fetch(sandbox.rpc_url, { method });
    assert.deepEqual([status, headers.get('allow')], [405, 'POST'], method);
  }
});

test('refuses forms from web pages of other origins, which browsers send without asking (CSRF)', async (t) => {
  const { sandbox } = await sandboxFor(t);
  const statusFrom = async (origin: string, path: string) => {
    const body = new URLSearchParams({ tx: 'AAAA', addr: 'G' });
    return (await fetch(new URL(path, sandbox.url), { method: 'POST', headers: { origin }, body })).status;
  };
  for (const path of ['transactions', 'transactions_async', 'friendbot', 'rpc', 'nodes/b/transactions']) {
    assert.equal(await statusFrom('https://evil.example', path), 403, path);
    assert.equal(await statusFrom('http://localhost.evil.example', path), 403, path);
    assert.equal(await statusFrom('null', path), 403, path);
  }
  for (const path of ['transactions', 'transactions_async', 'friendbot']) {
    assert.equal(await statusFrom('http://localhost:5173', path), 400, path);
  }
});

test('refuses a body above 512 KiB', async (t) => {
  const { sandbox } = await sandboxFor(t);
  assert.equal((await call(sandbox, `"${'x'.repeat(512 * 1024)}"`)).status, 413);
  assert.equal((await call(sandbox, health)).status, 200);
});

test('a port in use rejects with the error of the system, and the folder is free again', async (t) => {
  const { sandbox } = await sandboxFor(t);
  await assert.rejects(sandboxFor(t, { port: sandbox.port }), { code: 'EADDRINUSE' });
});

test('a connection without a request does not delay the stop', async (t) => {
  const { sandbox } = await sandboxFor(t);
  const silent = connect(sandbox.port, '127.0.0.1');
  await once(silent, 'connect');
  const closed = once(silent, 'close');
  await sandbox.stop();
  await closed;
});
