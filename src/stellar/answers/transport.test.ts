import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { PASSPHRASE } from '../../../test/support/ledger-xdr.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { createMetrics } from '../../lib/metrics.ts';
import { createStellar } from '../sources/create-stellar.ts';
import { AnswerTooLarge, type HttpRequest, httpTransport } from './transport.ts';

async function serverFor(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function transportFor(t: TestContext) {
  const transport = httpTransport();
  t.after(() => transport.close());
  return transport;
}

const limits: Pick<HttpRequest, 'method' | 'timeout_ms' | 'max_bytes'> = {
  method: 'GET',
  timeout_ms: 5_000,
  max_bytes: 1_000,
};

test('an answer that is too long is refused while it arrives, however it is sent', async (t) => {
  const url = await serverFor(t, (request, response) => {
    if (request.url === '/fits') return void response.end('x'.repeat(1_000));
    if (request.url === '/told') return void response.end('x'.repeat(1_001));
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(500)));
    };
    response.on('drain', more);
    more(); // without end
  });
  const transport = transportFor(t);
  assert.equal((await transport.send({ ...limits, url: `${url}/fits` })).text.length, 1_000);
  await assert.rejects(transport.send({ ...limits, url: `${url}/told` }), AnswerTooLarge);
  await assert.rejects(transport.send({ ...limits, url: `${url}/endless` }), AnswerTooLarge);
});

test('an answer that does not come or does not end is given up after the timeout', async (t) => {
  const url = await serverFor(t, (request, response) => {
    if (request.url === '/begun') response.write('{');
  });
  const transport = transportFor(t);
  const short = { ...limits, timeout_ms: 50 };
  await assert.rejects(transport.send({ ...short, url: `${url}/silent` }));
  await assert.rejects(transport.send({ ...short, url: `${url}/begun` }));
});

test('a huge answer of a node decides nothing and is counted', async (t) => {
  const url = await serverFor(t, (_, response) => void response.end('x'.repeat(4 * 1024 * 1024 + 1)));
  for (const urls of [
    { rpc_urls: [url], horizon_urls: [] },
    { rpc_urls: [], horizon_urls: [url] },
  ]) {
    const metrics = createMetrics();
    const log = createLog('silent', false);
    const stellar = createStellar({ ...urls, passphrase: PASSPHRASE, clock: systemClock, log, metrics });
    t.after(() => stellar.close());
    assert.equal((await stellar.find('00'.repeat(32))).found, 'unknown');
    assert.equal((await metrics.unusable_answers.get()).values[0]?.value, 1);
  }
});
