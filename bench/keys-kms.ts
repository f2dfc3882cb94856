/** The KMS of bench/keys.ts: the same one at several distances. It ends with its standard input. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFakeKms } from '../test/support/fake-kms.ts';

const kms = await startFakeKms();
const urls: Record<number, string> = { 0: kms.url };
for (const delay_ms of [5]) {
  const server = createServer((request, response) => {
    setTimeout(() => kms.handle(request, response), delay_ms);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  urls[delay_ms] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
process.stdout.write(`${JSON.stringify({ key_id: kms.key_id, urls })}\n`);
process.stdin.resume().on('end', () => process.exit(0));
