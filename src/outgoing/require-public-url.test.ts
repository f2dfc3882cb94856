import { strict as assert } from 'node:assert';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { test } from 'node:test';
import { manualClock } from '../../test/support/webhooks.ts';
import { type Config, readConfig } from '../config.ts';
import { AppError } from '../lib/errors.ts';
import { requirePublicUrl } from './require-public-url.ts';
import { type Resolve, resolveWith } from './resolve-host.ts';

const clock = manualClock();
const config = readConfig({ WEBHOOK_ALLOWED_HOSTS: 'inner.example.com,10.1.0.0/16' }) as Config;
const NAME = 'https://hooks.example.com/';

const check = (url: string, resolve: Resolve) => requirePublicUrl({ config, clock }, url, resolve);
const isRefusal = (error: unknown) => error instanceof AppError && error.code === 'webhook_url_not_public';

test('a name is refused if any of its addresses is not public', async () => {
  await check(NAME, async () => ['1.1.1.1', '2606:4700::1']);
  await check(NAME, async () => ['1.1.1.1', '10.1.2.3']); // an exempted block
  for (const answer of [['10.0.0.1'], ['1.1.1.1', '169.254.169.254'], ['2606:4700::1', '::ffff:1.1.1.1']]) {
    await assert.rejects(
      check(NAME, async () => answer),
      isRefusal,
    );
  }
});

test('a name without an answer is accepted, and so is one that has none within 2 s', async () => {
  await check(NAME, async () => []);
  const accepted = check(NAME, () => new Promise(() => {}));
  clock.advance(2_000);
  await accepted;
});

test('neither an address nor an exempted host is resolved', async () => {
  const never: Resolve = async () => assert.fail('resolved');
  for (const url of ['http://1.1.1.1/', 'http://[2606:4700::1]/', 'http://inner.example.com/']) {
    await check(url, never);
  }
});

/** A name server on loopback: it has an IPv4 address for every name but `nothing.example.com`, and knows no `unknown.example.com`. */
async function startNameServer(address: string) {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const is_known = !query.includes('unknown');
    const has_answer =
      is_known && question.readUInt16BE(question.length - 4) === 1 && !query.includes('nothing');
    const code = is_known ? 0x80 : 0x83;
    const head = Buffer.from([...query.subarray(0, 2), 0x81, code, 0, 1, 0, has_answer ? 1 : 0, 0, 0, 0, 0]);
    const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)];
    socket.send(Buffer.concat([head, question, Buffer.from(has_answer ? record : [])]), port, '127.0.0.1');
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { server: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

test('name servers that are gone are asked once more, then the system’s present ones', async () => {
  const old = await startNameServer('1.1.1.1');
  const later = await startNameServer('8.8.8.8');
  let system = old.server;
  let made = 0;
  const resolve = resolveWith(() => {
    made++;
    // A server that is gone is refused at once. A short timeout could end a late answer on a busy machine.
    const resolver = new Resolver({ timeout: 60_000, tries: 1 });
    resolver.setServers([system]);
    return resolver;
  });
  assert.deepEqual(await resolve('a.example.com'), ['1.1.1.1']);
  for (const name of ['nothing', 'unknown'])
    assert.deepEqual(await resolve(`${name}.example.com`), [], `${name}: no address is an answer`);
  assert.equal(made, 1);
  system = later.server;
  old.close();
  assert.deepEqual(await resolve('b.example.com'), []);
  assert.deepEqual(await resolve('b.example.com'), ['8.8.8.8']);
  assert.equal(made, 2);
  later.close();
});
