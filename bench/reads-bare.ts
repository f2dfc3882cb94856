/** A bare `node:http` server in its own process, which answers each path with the bytes that it got for it: the ceiling of the reads. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type BareAnswer = { path: string; headers: Record<string, string>; body: string };

const answers = new Map<string, BareAnswer>();
const server = createServer(({ url = '' }, response) => {
  const { headers, body } = answers.get(url) ?? { headers: {}, body: '' };
  response.writeHead(200, headers).end(body);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('message', (answer: BareAnswer) => {
  answers.set(answer.path, answer);
  process.send?.('kept');
});
process.once('disconnect', () => process.exit());
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
