import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rawCall } from '../../test/support/raw-http.ts';
import { createMetrics, watchProcess } from '../lib/metrics.ts';
import { startMetricsServer } from './metrics-server.ts';

const bad = { ok: false, message: 'Ledger 7 is the last one read' };
const checks = {
  database: bad,
  network: bad,
  deposits: bad,
  protocol: { ok: true, message: '' },
  quarantine: bad,
  withdrawals: bad,
  reconciliation: bad,
  keys: bad,
  key_provider: bad,
  treasury: bad,
  contract_calls: bad,
};
const unready = async () => ({ ready: false, checks });
const HOST = { host: '127.0.0.1', metrics_port_fixed: false };

test('a port by default that is taken gives way to a free one; a chosen one is a clear error', async (t) => {
  const metrics = createMetrics();
  watchProcess(metrics);
  metrics.unusable_answers.inc({ method: 'getLedgers' });
  const first = await startMetricsServer({ ...HOST, metrics_port: 0 }, metrics, unready);
  t.after(() => first.stop());
  const metrics_port = Number(new URL(first.url).port);
  const second = await startMetricsServer({ ...HOST, metrics_port }, metrics, unready);
  t.after(() => second.stop());
  assert.notEqual(second.url, first.url);
  await assert.rejects(
    startMetricsServer({ ...HOST, metrics_port, metrics_port_fixed: true }, metrics, unready),
    /METRICS_PORT \d+ on 127\.0\.0\.1 is taken/,
  );
  for (const { url } of [first, second]) {
    const text = await (await fetch(url)).text();
    assert.match(text, /^teller_network_unusable_answers_total\{method="getLedgers"\} 1$/m);
    assert.match(text, /^process_cpu_user_seconds_total /m);
  }
  assert.equal((await fetch(new URL('/other', first.url))).status, 404);
  assert.equal((await fetch(first.url, { method: 'POST' })).status, 405);
});

test('on loopback, a page that rebinds its name to the metrics gets nothing', async (t) => {
  const server = await startMetricsServer({ ...HOST, metrics_port: 0 }, createMetrics(), unready);
  t.after(() => server.stop());
  const status = async (host: string) =>
    (await rawCall(server.url, 'GET', '/metrics', { headers: { host } })).status;
  for (const host of ['evil.example', 'localhost.evil.example:9464', '127.0.0.1.nip.io'])
    assert.equal(await status(host), 421, host);
  const alive = await rawCall(server.url, 'GET', '/healthz', { headers: { host: 'evil.example' } });
  assert.equal(alive.status, 200, 'a supervisor may ask with any Host');
  for (const host of ['localhost:9464', '127.0.0.1', '[::1]:9464'])
    assert.equal(await status(host), 200, host);
});

test('/readyz tells the operator the reasons', async (t) => {
  const server = await startMetricsServer({ ...HOST, metrics_port: 0 }, createMetrics(), unready);
  t.after(() => server.stop());
  const answer = await fetch(new URL('/readyz', server.url));
  assert.equal(answer.status, 503);
  assert.deepEqual(((await answer.json()) as { data: unknown }).data, checks);
});

test('/healthz tells that the process answers, also when it is not ready', async (t) => {
  const server = await startMetricsServer({ ...HOST, metrics_port: 0 }, createMetrics(), unready);
  t.after(() => server.stop());
  const answer = await fetch(new URL('/healthz', server.url));
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), { statusCode: 200, message: 'OK', data: {} });
});
