import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { faultsOf, faultySandboxFor } from '../testing/faulty-sandbox.ts';
import { TestNetwork } from '../testing/test-network.ts';
import { FaultControl } from './fault-control.ts';
import { FaultHooks } from './fault-hooks.ts';
import type { FaultInput } from './script.ts';

/** Reads until the connection breaks or this many bytes have come. */
async function read(
  response: Response,
  enough = Number.POSITIVE_INFINITY,
): Promise<{ text: string; broke: boolean }> {
  let text = '';
  try {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.length >= enough) return { text, broke: false };
    }
    return { text, broke: false };
  } catch {
    return { text, broke: true };
  }
}

const EVENTS = [
  'retry: 1000\nevent: open\ndata: "hello"\n\n',
  'id: 1\ndata: {"n":1}\n\n',
  'id: 2\ndata: {"n":2}\n\n',
];

/** A stream of two records with faults. The test decides what each write contains. */
async function streamFor(t: TestContext, writes: string[], fault: FaultInput): Promise<Response> {
  const { network } = new TestNetwork();
  const control = new FaultControl(network, 1);
  const server = fastify();
  new FaultHooks(control, network, pino({ level: 'silent' })).register(server);
  server.get('/payments', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const text of writes) reply.raw.write(text);
    reply.raw.end('retry: 10\nevent: close\ndata: "byebye"\n\n');
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  control.add(fault);
  const { port } = server.server.address() as AddressInfo;
  return await fetch(`http://127.0.0.1:${port}/payments`, { headers: { accept: 'text/event-stream' } });
}

describe('stream_cut', () => {
  test('ends the connection in the middle of a record, after the scripted number of complete ones', async (t) => {
    const [hello, first, second] = EVENTS as [string, string, string];
    const whole = ['', first];
    for (const after_records of [0, 1]) {
      const cut = { on: 'horizon:stream', kind: 'stream_cut', after_records } as const;
      const half = (after_records === 0 ? first : second).slice(0, first.length / 2);
      for (const writes of [EVENTS, [EVENTS.join('')]]) {
        const { text, broke } = await read(await streamFor(t, writes, cut));
        assert.equal(text, hello + whole[after_records] + half);
        assert.equal(broke, true);
      }
    }
  });

  test('leaves a stream with fewer records alone', async (t) => {
    const cut = { on: 'horizon:stream', kind: 'stream_cut', after_records: 2 } as const;
    const { text, broke } = await read(await streamFor(t, EVENTS, cut));
    assert.ok(text.startsWith(EVENTS.join('')) && text.includes('byebye'));
    assert.equal(broke, false);
  });
});

describe('stalled_stream', () => {
  test('greets, and then says nothing until it is released', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    faults.add({ on: 'horizon:stream', kind: 'stalled_stream' });
    const url = `http://127.0.0.1:${sandbox.port}/payments?cursor=now`;
    const response = await fetch(url, { headers: { accept: 'text/event-stream' } });
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    const [hello] = EVENTS as [string];
    const all = read(response);
    for (let ledger = 0; ledger < 3; ledger++) sandbox.closeLedger();
    faultsOf(sandbox).release();
    assert.deepEqual(await all, { text: hello, broke: true });
  });

  test('of a plain request sends its head, and then nothing', async (t) => {
    const { sandbox, faults } = await faultySandboxFor(t);
    faults.add({ on: 'getHealth', kind: 'stalled_stream' });
    const response = await fetch(sandbox.rpc_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"getHealth"}',
    });
    assert.equal(response.status, 200);
    const all = read(response);
    assert.equal(faults.release(), 1);
    assert.deepEqual(await all, { text: '', broke: true });
  });
});
