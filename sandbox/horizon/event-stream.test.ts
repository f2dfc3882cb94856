import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Horizon, Keypair } from '@stellar/stellar-sdk';
import { built, get, horizonFor, submitted } from '../testing/horizon-client.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { fund } from '../testing/rpc-client.ts';
import { pay, START_S, UNIT } from '../testing/test-network.ts';

const HELLO = 'retry: 1000\nevent: open\ndata: "hello"\n\n';
const BYEBYE = 'retry: 10\nevent: close\ndata: "byebye"\n\n';

/** Reads the bytes of a stream step by step. */
class Listener {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #abort: AbortController;
  readonly headers: Headers;
  #text = '';

  constructor(response: Response, abort: AbortController) {
    assert.ok(response.body);
    this.#reader = response.body.getReader();
    this.#abort = abort;
    this.headers = response.headers;
  }

  /** Removes and returns everything up to and including this text. */
  async until(end: string): Promise<string> {
    while (!this.#text.includes(end)) {
      const { value, done } = await this.#reader.read();
      assert.ok(!done, `the stream has ended after ${JSON.stringify(this.#text)}`);
      this.#text += Buffer.from(value).toString();
    }
    const at = this.#text.indexOf(end) + end.length;
    const found = this.#text.slice(0, at);
    this.#text = this.#text.slice(at);
    return found;
  }

  /** The rest, after the server has ended the stream. */
  async rest(): Promise<string> {
    for (let part = await this.#reader.read(); !part.done; part = await this.#reader.read()) {
      this.#text += Buffer.from(part.value).toString();
    }
    return this.#text;
  }

  hangUp(): void {
    this.#abort.abort();
  }
}

async function listen(t: TestContext, url: string, headers: Record<string, string> = {}): Promise<Listener> {
  const abort = new AbortController();
  t.after(() => abort.abort());
  const accept = 'text/event-stream';
  return new Listener(await fetch(url, { headers: { accept, ...headers }, signal: abort.signal }), abort);
}

async function twoAccounts(t: TestContext, clock = new ManualClock(START_S)) {
  const { sandbox, horizon, url } = await horizonFor(t, { clock });
  const [from, to] = (await fund(sandbox, 2)) as [Keypair, Keypair];
  const payOnce = async (units: bigint) =>
    await submitted(sandbox, horizon, await built(horizon, from, [pay(to, units * UNIT)]));
  return { sandbox, horizon, url, from, to, payOnce, clock };
}

test('a payment reaches the SDK as soon as its ledger has closed', async (t) => {
  const { horizon, to, payOnce } = await twoAccounts(t);
  const seen: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const close = horizon
    .payments()
    .forAccount(to.publicKey())
    .cursor('0')
    .stream({
      onmessage: (record) => {
        const payment = record as unknown as Horizon.ServerApi.PaymentOperationRecord;
        seen.push(payment.amount ?? payment.type);
        if (seen.length === 3) resolve();
      },
    });
  t.after(() => close());
  await payOnce(3n);
  await payOnce(4n);
  await promise;
  assert.deepEqual(seen, ['create_account', '3.0000000', '4.0000000']);
});

test('speaks as Horizon does: hello, records with their ids, byebye after as many as asked for', async (t) => {
  const { url, to, payOnce } = await twoAccounts(t);
  await payOnce(1n);
  await payOnce(2n);
  const path = `${url}/accounts/${to.publicKey()}/payments`;
  const { records } = (await get(`${path}?limit=2`)).json._embedded;
  const stream = await listen(t, `${path}?cursor=0&limit=2`);
  const compact = records.map(
    (record: { paging_token: string }) =>
      `id: ${record.paging_token}\ndata: ${JSON.stringify(record).replaceAll('&', '\\u0026')}\n\n`,
  );
  assert.equal(await stream.rest(), `${HELLO}${compact.join('')}${BYEBYE}`);
  assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8');
});

test('ends after ten records unless told otherwise, and goes on after the last that was seen', async (t) => {
  const { url, to, payOnce } = await twoAccounts(t);
  for (let nr = 1n; nr <= 12n; nr++) await payOnce(nr);
  const path = `${url}/accounts/${to.publicKey()}/payments`;
  const amountsOf = (text: string) => [...text.matchAll(/"amount":"(\d+)\./g)].map(([, units]) => units);
  const first = await (await listen(t, path)).rest();
  assert.deepEqual(amountsOf(first), ['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  assert.ok(first.endsWith(BYEBYE));
  const lastId = [...first.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? '';

  const resumed = await listen(t, `${path}?cursor=0`, { 'last-event-id': lastId });
  assert.deepEqual(amountsOf(await resumed.until('"12.0000000"')), ['10', '11', '12']);
});

test('from now on shows nothing of before, on every collection', async (t) => {
  const { sandbox, url, from, to, payOnce } = await twoAccounts(t);
  await payOnce(1n);
  const of = `accounts/${to.publicKey()}`;
  const paths = [
    'ledgers',
    'transactions',
    'operations',
    'payments',
    'effects',
    `${of}/operations`,
    `${of}/effects`,
  ];
  const streams = await Promise.all(paths.map((path) => listen(t, `${url}/${path}?cursor=now`)));
  for (const stream of streams) assert.equal(await stream.until('"hello"\n\n'), HELLO);
  const account = await listen(t, `${url}/accounts/${from.publicKey()}`);
  assert.ok((await account.until('\n\ndata: ')).startsWith(HELLO));
  const now = sandbox.closeLedger().sequence - 1;
  await payOnce(2n);
  for (const [index, stream] of streams.entries()) {
    const event = await stream.until('\n\n');
    const id = /^id: (\d+)/.exec(event)?.[1] ?? '0';
    assert.ok(BigInt(id) >> 32n > BigInt(now), `${paths[index]}: ${event}`);
  }
  await account.until('"balance":"9996.9999800"');
});

test('a ledger that changes nothing about an account sends nothing about it', async (t) => {
  const { sandbox, url, from, payOnce } = await twoAccounts(t);
  const account = await listen(t, `${url}/accounts/${from.publicKey()}`);
  await account.until('"paging_token"');
  for (let ledger = 0; ledger < 3; ledger++) sandbox.closeLedger();
  await payOnce(1n);
  const events = await account.until('"9998.9999900"');
  assert.equal(events.split('\ndata: ').length, 2);
});

test('a server that stops says goodbye to every listener and waits for none', async (t) => {
  const { sandbox, url } = await twoAccounts(t);
  const streams = await Promise.all([1, 2, 3].map(() => listen(t, `${url}/ledgers?cursor=now`)));
  await sandbox.stop();
  for (const stream of streams) assert.equal(await stream.rest(), `${HELLO}${BYEBYE}`);
});

test('ends after 55 seconds, as the real one does, so that clients come again', async (t) => {
  const { url, clock } = await twoAccounts(t);
  const stream = await listen(t, `${url}/ledgers?cursor=now`);
  await stream.until('"hello"\n\n');
  await clock.advance(55_000);
  assert.equal(await stream.rest(), BYEBYE);
});

test('a client that hangs up leaves nothing behind', async (t) => {
  const { sandbox, url, payOnce } = await twoAccounts(t);
  const streams = await Promise.all(Array.from({ length: 20 }, () => listen(t, `${url}/ledgers?cursor=now`)));
  for (const stream of streams) stream.hangUp();
  await payOnce(1n);
  assert.equal((await get(`${url}/ledgers?limit=1`)).status, 200);
  await sandbox.stop();
});

test('what cannot be streamed is refused in plain HTTP before a stream begins', async (t) => {
  const { url, to } = await twoAccounts(t);
  const accept = { accept: 'text/event-stream' };
  const statusOf = async (path: string) => (await get(url + path, accept)).status;
  assert.equal(await statusOf('/payments?cursor=abc'), 400);
  assert.equal(await statusOf(`/accounts/${'G'.repeat(56)}/payments`), 400);
  assert.equal(await statusOf(`/transactions/${'ab'.repeat(32)}/operations`), 404);
  assert.equal(await statusOf('/fee_stats'), 406);
  const head = await fetch(`${url}/accounts/${to.publicKey()}/payments`, { method: 'HEAD', headers: accept });
  assert.deepEqual([head.status, await head.text()], [200, '']);
});
