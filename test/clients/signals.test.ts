/** A signal ends calls of the TypeScript client, and leaves no error behind that nobody awaits: it would end the process. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { TellerClient } from '../../clients/typescript/src/index.ts';

const enough = new RangeError('enough');
const service_user = { client_id: 'usr_1', client_secret: 's' };

/** node:test blames the test that runs when an error comes that nobody awaits. */
async function untilAllHasEnded(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await setImmediate();
}

suite('a signal', () => {
  test('that has ended before a call begins nothing, not even the exchange of a token', async () => {
    let requests = 0;
    const fetch = async () => {
      requests++;
      throw new TypeError('the service is away');
    };
    const client = new TellerClient({ ...service_user, fetch, max_retries: 0 });
    await assert.rejects(client.auth.me({ signal: AbortSignal.abort(enough) }), enough);
    await untilAllHasEnded();
    assert.equal(requests, 0);
  });

  test('that ends during the exchange of a token ends the call, and the exchange may fail later', async () => {
    const answer = Promise.withResolvers<Response>();
    const client = new TellerClient({ ...service_user, fetch: () => answer.promise, max_retries: 0 });
    const stop = new AbortController();
    const calling = client.auth.me({ signal: stop.signal });
    stop.abort(enough);
    await assert.rejects(calling, enough);
    answer.reject(new TypeError('the service is away'));
    await untilAllHasEnded();
  });

  test('that ends between two parts of a CSV ends the reading', async () => {
    const stop = new AbortController();
    const client = new TellerClient({ token: 't', fetch: async (_, init) => endlessCsv(init?.signal) });
    const read: string[] = [];
    const reading = async () => {
      for await (const part of client.audit.csv({}, { signal: stop.signal })) {
        read.push(part);
        stop.abort(enough);
      }
    };
    await assert.rejects(reading(), enough);
    await untilAllHasEnded();
    assert.deepEqual(read, ['a,b\r\n']);
  });
});

/** One part, and no end: as `fetch` does, the signal of the request breaks it. */
function endlessCsv(signal: AbortSignal | null | undefined): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from('a,b\r\n'));
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/csv' } });
}
