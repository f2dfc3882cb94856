/**
 * The receiver of the webhooks bench, in its own process. It answers 200 at once and `/hang/…` never. For a body with the
 * time of its creation (`"at":milliseconds`) it records the time of arrival.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nowMs } from './measure.ts';

export type ReceiverReady = { url: string };
/** Requests since the last question: time of creation and of arrival. */
export type Received = { came: { at_ms: number; came_ms: number }[] };

const MADE_AT = /"at":(\d+)/;

let came: Received['came'] = [];
const server = createServer((request, response) => {
  const body: Buffer[] = [];
  request.on('data', (chunk) => body.push(chunk));
  request.on('end', () => {
    if (request.url?.startsWith('/hang/')) return;
    const [, at] = MADE_AT.exec(`${Buffer.concat(body)}`) ?? [];
    if (at !== undefined) came.push({ at_ms: Number(at), came_ms: nowMs() });
    response.end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('message', () => {
  const received: Received = { came };
  process.send?.(received);
  came = [];
});
const ready: ReceiverReady = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
process.send?.(ready);
