import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sandbox } from '../launch.ts';
import { fund, sandboxFor } from '../testing/rpc-client.ts';

/** Reads the events of `/live` one by one; undefined at the end of the stream. */
async function listen(sandbox: Sandbox, signal?: AbortSignal) {
  const response = await fetch(`${sandbox.url}live`, signal ? { signal } : {});
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';
  return async (): Promise<{ sequence: number; transaction_count: number } | undefined> => {
    for (;;) {
      const [, data] = /event: ledger\ndata: (.*)\n\n/.exec(text) ?? [];
      if (data !== undefined) {
        text = text.slice(text.indexOf(data) + data.length + 2);
        return JSON.parse(data);
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
}

test('a listener gets the newest ledger at once, and each ledger that closes', async (t) => {
  const { sandbox } = await sandboxFor(t);
  const next = await listen(sandbox);
  const first = await next();
  const closed = sandbox.closeLedger();
  assert.equal((await next())?.sequence, closed.sequence);
  await fund(sandbox, 1);
  let seen = await next();
  while (seen?.transaction_count === 0) seen = await next();
  assert.equal(seen?.transaction_count, 1);
  assert.ok((seen?.sequence ?? 0) > (first?.sequence ?? 0));
});

test('a stop ends the streams, and does not wait for their listeners', async (t) => {
  const { sandbox } = await sandboxFor(t);
  const next = await listen(sandbox);
  await next();
  await sandbox.stop();
  assert.equal(await next(), undefined);
});

test('a listener that disconnects does not affect the others', async (t) => {
  const { sandbox } = await sandboxFor(t);
  const leaving = new AbortController();
  const readLeaver = await listen(sandbox, leaving.signal);
  const stays = await listen(sandbox);
  await Promise.all([readLeaver(), stays()]);
  leaving.abort();
  await assert.rejects(readLeaver(), { name: 'AbortError' });
  for (let ledger = 0; ledger < 3; ledger++) {
    const { sequence } = sandbox.closeLedger();
    assert.equal((await stays())?.sequence, sequence);
  }
});
