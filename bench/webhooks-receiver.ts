/**
 * The receivers of the webhooks bench, a process of its own: as little as HTTP takes, 200 at once. Requests to `/hang/…`
 * never get an answer. Of a body that tells when it was committed (`"at":milliseconds`) it keeps how long it took.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceiverReady = { url: string };
/** What came since the last question, and how long each took. */
export type Received = { count: number; waits_ms: number[] };

const COMMITTED_AT = /"at":(\d+)/;

let count = 0;
let waits_ms: number[] = [];
const server = createServer((request, response) => {
  const body: Buffer[] = [];
  request.on('data', (chunk) => body.push(chunk));
  request.on('end', () => {
    if (request.url?.startsWith('/hang/')) return;
    count++;
    const [, at] = COMMITTED_AT.exec(`${Buffer.concat(body)}`) ?? [];
    if (at !== undefined) waits_ms.push(Date.now() - Number(at));
    response.end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('message', () => {
  const received: Received = { count, waits_ms };
  process.send?.(received);
  [count, waits_ms] = [0, []];
});
const ready: ReceiverReady = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
process.send?.(ready);
