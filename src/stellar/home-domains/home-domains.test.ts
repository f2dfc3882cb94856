/**
 * What domains of issuers say. 127.0.0.2, in an exempt block, plays a public address; 127.0.0.1 plays a private one, to
 * which nothing may connect.
 */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { eventually } from '../../../test/support/eventually.ts';
import {
  answering,
  BROKEN,
  ENDLESS,
  GARBAGE,
  type HostileReceiver,
  type Misbehaving,
  SLOW,
  startHostileReceiver,
} from '../../../test/support/hostile-receivers.ts';
import { TEST_CERTIFICATE, WILDCARD_CERTIFICATE } from '../../../test/support/test-certificate.ts';
import { type ManualClock, manualClock } from '../../../test/support/webhooks.ts';
import { createLog } from '../../lib/log.ts';
import { parseExemptions } from '../../outgoing/public-url.ts';
import type { Resolve } from '../../outgoing/resolve-host.ts';
import { createHomeDomains, type HomeDomains, LOOKUP_TIMEOUT_MS, NO_LOOKUPS } from './home-domains.ts';
import { FILE_MAX_BYTES } from './toml-connection.ts';

const OUTSIDE = '127.0.0.2';
const INSIDE = '127.0.0.1';
const USDC = { code: 'USDC', issuer: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' };
const EURC = { code: 'EURC', issuer: 'GDHU6WRG4IEQXM5NZ4BMPKOXHW76MZM4Y2IEMFDVXBSDP6SJY4ITNPP2' };
const TOML = '/.well-known/stellar.toml';

const naming = ({ code, issuer }: typeof USDC) => `code = "${code}"\nissuer = "${issuer}"\n`;
const FILE = `[[CURRENCIES]]\n${naming(USDC)}`;

const closers: (() => unknown)[] = [];
after(() => Promise.all(closers.map((close) => close())));

type Site = { port: number; requests: string[]; files: Record<string, string | Buffer>; server: Server };

/** Answers GET with its files, and remembers each request as `host path`. */
async function site(files: Site['files'], host = OUTSIDE, certificate = WILDCARD_CERTIFICATE): Promise<Site> {
  const requests: string[] = [];
  const server = createServer(certificate, (request, response) => {
    const [name] = (request.headers.host ?? '').split(':');
    requests.push(`${name} ${request.url}`);
    const body = made.files[`${name} ${request.url}`] ?? made.files[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  server.listen(0, host);
  await once(server, 'listening');
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const made = { port: (server.address() as AddressInfo).port, requests, files, server };
  return made;
}

async function hostile(misbehave: Misbehaving, host = OUTSIDE, port?: number): Promise<HostileReceiver> {
  const receiver = await startHostileReceiver(misbehave, { host, port, tls: WILDCARD_CERTIFICATE });
  closers.push(receiver.close);
  return receiver;
}

function lookingUp(port: number, { resolve = async () => [OUTSIDE] }: { resolve?: Resolve } = {}) {
  const clock = manualClock();
  const exemptions = parseExemptions([`${OUTSIDE}/32`]);
  const log = createLog('silent', false);
  const ca = `${WILDCARD_CERTIFICATE.cert}${TEST_CERTIFICATE.cert}`;
  const domains = createHomeDomains({ clock, log, resolve, exemptions, port, ca });
  closers.push(domains.close);
  return { clock, domains, check: (domain = 'example.com', asset = USDC) => domains.check(domain, asset) };
}

const closed = (receiver: HostileReceiver) =>
  eventually('the connection is closed', () => receiver.connections.open.size === 0);

describe('the check of a home domain', () => {
  it('confirmed when the file names code and issuer, not_confirmed when it does not or there is none', async () => {
    const { port, requests } = await site({ [`example.com ${TOML}`]: FILE });
    const { check } = lookingUp(port);
    assert.equal(await check(), 'confirmed');
    assert.equal(await check('example.com', { ...USDC, issuer: EURC.issuer }), 'not_confirmed');
    assert.equal(await check('example.com', EURC), 'not_confirmed');
    assert.equal(await check('EXAMPLE.com'), 'confirmed');
    assert.equal(await check('other.example.com'), 'not_confirmed', '404');
    assert.deepEqual(requests, [`example.com ${TOML}`, `other.example.com ${TOML}`]);
  });

  it('where look-ups are off nothing is asked', async () => {
    assert.equal(await NO_LOOKUPS.check('example.com', USDC), null);
  });

  it('files that the entries link to are read from the same host, ten at most', async () => {
    const link = (url: string) => `[[CURRENCIES]]\ntoml = "${url}"\n`;
    const here = 'https://example.com/.well-known';
    const elsewhere = await site({ '/EURC.toml': naming(EURC) });
    const made = await site({
      [TOML]: [
        `http://example.com/a`,
        `https://other.example.com/EURC.toml`,
        `https://example.com:${elsewhere.port}/EURC.toml`,
        'https://example.com.evil.example/b',
        'file:///etc/passwd',
        '//example.com/c',
        'EURC.toml',
        `${here}/USDC.toml?v=1`,
      ]
        .map(link)
        .join(''),
      '/.well-known/USDC.toml?v=1': naming(USDC),
    });
    const { check } = lookingUp(made.port);
    assert.equal(await check(), 'confirmed');
    assert.equal(await check('example.com', EURC), 'not_confirmed');
    assert.deepEqual(made.requests, [`example.com ${TOML}`, 'example.com /.well-known/USDC.toml?v=1']);
    assert.deepEqual(elsewhere.requests, []);

    const many = await site({
      [TOML]: Array.from({ length: 50 }, (_, at) => link(`${here}/${at}`)).join(''),
      '/.well-known/9': naming(USDC),
      '/.well-known/10': naming(EURC),
    });
    const second = lookingUp(many.port);
    assert.equal(await second.check(), 'confirmed');
    assert.equal(await second.check('example.com', EURC), 'unreachable', 'nobody has read the rest');
    assert.equal(many.requests.length, 11);
  });

  it('a linked file that cannot be read hides its own asset only', async () => {
    const link = (name: string) => `[[CURRENCIES]]\ntoml = "https://example.com/${name}"\n`;
    const { port } = await site({
      [TOML]: `${link('bad')}${link('good')}`,
      '/bad': '<html>',
      '/good': naming(USDC),
    });
    const { check } = lookingUp(port);
    assert.equal(await check(), 'confirmed');
    assert.equal(await check('example.com', EURC), 'unreachable');
  });
});

describe('a look-up connects to nothing but a checked address of a public host', () => {
  it('text that is not the name of a public host is neither resolved nor connected to', async () => {
    const inside = await site({ [TOML]: FILE }, INSIDE);
    const { check } = lookingUp(inside.port, { resolve: async () => assert.fail('resolved') });
    for (const text of [
      '',
      ' ',
      '.',
      'com',
      'localhost',
      'a.localhost',
      'example.com.',
      '.example.com',
      'a..example.com',
      'example.com:443',
      'example.com/',
      'example.com/x',
      'example.com?x',
      'example.com#x',
      'a@example.com',
      'https://example.com',
      ' example.com',
      'example.com ',
      'example.com\n',
      'example\0.com',
      'exam\\ple.com',
      '127.0.0.1',
      '127.0.0.2',
      '8.8.8.8',
      '[::1]',
      '::1',
      '0x7f.1',
      '127.1',
      '2130706433',
      '0177.0.0.1',
      '1.1',
      '①②⑦.⓪.⓪.①',
      'ｅxample.com',
      'münchen.de',
      'example。com',
      'xn--.com',
      'a_b.example.com',
      '*.example.com',
      '%65xample.com',
      'service.internal',
      'printer.local',
      'a.home.arpa',
      'issuer.test',
      'x.onion',
      `${'a'.repeat(64)}.com`,
    ])
      assert.equal(await check(text), 'unreachable', JSON.stringify(text));
    assert.deepEqual(inside.requests, []);
  });

  it('addresses that are not public are refused, alone and among others', async () => {
    const inside = await hostile(answering(''), INSIDE);
    for (const addresses of [
      [INSIDE],
      ['::1'],
      ['169.254.169.254'],
      ['10.0.0.1'],
      ['::ffff:127.0.0.1'],
      ['fd00::1'],
      [OUTSIDE, INSIDE],
      [INSIDE, OUTSIDE],
      [],
    ]) {
      const { check } = lookingUp(inside.port, { resolve: async () => addresses });
      assert.equal(await check(), 'unreachable', addresses.join());
    }
    assert.equal(inside.connections.total, 0);
  });

  it('a name that is bound to a private address after the check is not connected to (rebinding)', async () => {
    const outside = await site({ [TOML]: FILE });
    const answers = [[OUTSIDE], [INSIDE]];
    const { check, clock } = lookingUp(outside.port, {
      resolve: async () => answers.shift() ?? assert.fail('asked again'),
    });
    assert.equal(await check(), 'confirmed');
    clock.advance(3_600_000);
    assert.equal(await check(), 'unreachable');
    assert.equal(outside.requests.length, 1);
  });

  it('a redirect is not followed, whatever its status', async () => {
    const other = await site({ [TOML]: FILE });
    for (const status of [300, 301, 302, 303, 304, 305, 307, 308]) {
      const location = `https://other.example.com:${other.port}${TOML}`;
      const head = `HTTP/1.1 ${status} Go\r\nlocation: ${location}\r\ncontent-length: ${FILE.length}\r\n\r\n`;
      const { port } = await hostile(answering(`${head}${FILE}`));
      assert.equal(await lookingUp(port).check(), 'unreachable', `${status}`);
    }
    assert.deepEqual(other.requests, []);
  });

  it('the certificate must be trusted and name the domain', async () => {
    const foreign = await site({ [TOML]: FILE }, OUTSIDE, TEST_CERTIFICATE);
    assert.equal(await lookingUp(foreign.port).check(), 'unreachable', 'of hooks.example.com');
    assert.equal(await lookingUp(foreign.port).check('hooks.example.com'), 'confirmed');
    const untrusted = createHomeDomains({
      clock: manualClock(),
      log: createLog('silent', false),
      port: foreign.port,
      resolve: async () => [OUTSIDE],
      exemptions: parseExemptions([`${OUTSIDE}/32`]),
    });
    assert.equal(await untrusted.check('hooks.example.com', USDC), 'unreachable');
    assert.deepEqual(foreign.requests, [`hooks.example.com ${TOML}`]);
  });

  it('without https there is no answer', async () => {
    const answers: Misbehaving[] = [
      (socket) => void socket.end(`HTTP/1.1 200 OK\r\n\r\n${FILE}`),
      (socket) => void socket.resetAndDestroy(),
      (socket) => void socket.end(),
    ];
    for (const answer of answers) {
      const plain = await startHostileReceiver(answer, { host: OUTSIDE });
      closers.push(plain.close);
      assert.equal(await lookingUp(plain.port).check(), 'unreachable');
    }
  });
});

/** Such a server does not see that the connection is closed. */
const UNREAD = 'a request that is never read';
assert(UNREAD in SLOW);
/** A TLS socket cannot be reset. */
const CLOSED = Object.fromEntries(Object.entries(BROKEN).filter(([name]) => name.startsWith('closed')));

describe('a hostile server costs little', () => {
  for (const [name, { misbehave }] of Object.entries(ENDLESS))
    it(`endless: ${name} is unreachable, and the connection is closed`, async () => {
      const server = await hostile(misbehave);
      const { check } = lookingUp(server.port);
      // An answer that is whole before it goes on without end is an answer: without a file.
      assert.notEqual(await check(), 'confirmed');
      await closed(server);
    });

  for (const [name, { misbehave }] of Object.entries(SLOW))
    it(`slow: ${name} is unreachable after 5 s, and the connection is closed`, async () => {
      const server = await hostile(misbehave);
      const { check, clock } = lookingUp(server.port);
      const checked = check();
      await eventually('it is connected', () => server.connections.total === 1);
      clock.advance(LOOKUP_TIMEOUT_MS);
      assert.equal(await checked, 'unreachable');
      if (name !== UNREAD) await closed(server);
    });

  for (const [name, { misbehave }] of Object.entries({
    ...CLOSED,
    ...Object.fromEntries(
      Object.entries(GARBAGE).map(([what, text]) => [what, { misbehave: answering(text) }]),
    ),
  }))
    it(`broken: ${name} is unreachable`, async () => {
      const server = await hostile(misbehave);
      assert.equal(await lookingUp(server.port).check(), 'unreachable');
      await closed(server);
    });

  it('a file of 100 KiB is read, and one with a byte more is not', async () => {
    const padded = (bytes: number) => `${FILE}#`.padEnd(bytes, 'x');
    const { port } = await site({
      [`example.com ${TOML}`]: padded(FILE_MAX_BYTES),
      [`more.example.com ${TOML}`]: padded(FILE_MAX_BYTES + 1),
    });
    const { check } = lookingUp(port);
    assert.equal(await check(), 'confirmed');
    assert.equal(await check('more.example.com'), 'unreachable');
  });

  it('a compressed file, other bytes than UTF-8, no TOML, and extreme nesting are unreachable', async () => {
    const zipped = gzipSync(FILE);
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${zipped.length}\r\n\r\n`;
    const compressed = await hostile(async (socket, request) => {
      await request;
      socket.end(Buffer.concat([Buffer.from(head), zipped]));
    });
    assert.equal(await lookingUp(compressed.port).check(), 'unreachable');
    const made = await site({});
    for (const body of [
      Buffer.from([...Buffer.from(`${FILE}#`), 0xff]),
      '<!doctype html><title>Welcome</title>',
      `${FILE}x = ${'['.repeat(90_000)}`,
      `${FILE}x = ${'{a='.repeat(30_000)}`,
    ]) {
      made.files[TOML] = body;
      assert.equal(await lookingUp(made.port).check(), 'unreachable');
    }
  });

  it('a name that no server answers for is unreachable after 5 s', async () => {
    const { check, clock } = lookingUp(1, { resolve: () => new Promise(() => undefined) });
    const checked = check();
    await eventually('it waits', () => clock.asleep(LOOKUP_TIMEOUT_MS) === 1);
    clock.advance(LOOKUP_TIMEOUT_MS);
    assert.equal(await checked, 'unreachable');
  });
});

describe('what a domain said is remembered', () => {
  const advance = (clock: ManualClock, minutes: number) => clock.advance(minutes * 60_000);

  it('a confirmation for an hour, anything else for five minutes', async () => {
    const made = await site({ [TOML]: FILE });
    const { check, clock } = lookingUp(made.port);
    assert.deepEqual([await check(), await check('example.com', EURC)], ['confirmed', 'not_confirmed']);
    made.files[TOML] = `[[CURRENCIES]]\n${naming(EURC)}`;
    advance(clock, 4);
    assert.deepEqual([await check(), await check('example.com', EURC)], ['confirmed', 'not_confirmed']);
    assert.equal(made.requests.length, 1);
    advance(clock, 2);
    assert.equal(await check('example.com', EURC), 'confirmed');
    assert.equal(await check(), 'not_confirmed', 'the newest file counts for all');
    assert.equal(made.requests.length, 2);
    advance(clock, 59);
    assert.equal(await check('example.com', EURC), 'confirmed');
    assert.equal(made.requests.length, 2);
    advance(clock, 2);
    assert.equal(await check('example.com', EURC), 'confirmed');
    assert.equal(made.requests.length, 3);
  });

  it('that a domain was unreachable, for five minutes', async () => {
    const made = await site({ [TOML]: FILE });
    let addresses = [INSIDE];
    const { check, clock } = lookingUp(made.port, { resolve: async () => addresses });
    assert.equal(await check(), 'unreachable');
    addresses = [OUTSIDE];
    advance(clock, 4);
    assert.equal(await check(), 'unreachable');
    advance(clock, 2);
    assert.equal(await check(), 'confirmed');
  });

  it('many checks of a domain at once share one look-up', async () => {
    const made = await site({ [TOML]: FILE });
    const { check } = lookingUp(made.port);
    const checks = await Promise.all(
      Array.from({ length: 50 }, (_, at) => check('example.com', at % 2 ? USDC : EURC)),
    );
    assert.deepEqual(new Set(checks), new Set(['confirmed', 'not_confirmed']));
    assert.equal(made.requests.length, 1);
  });

  it('of 200 domains at most: the oldest is forgotten first', async () => {
    let resolved: string[] = [];
    const { check } = lookingUp(1, {
      resolve: async (name) => {
        resolved.push(name);
        return [];
      },
    });
    for (let at = 0; at <= 200; at++) await check(`d${at}.example.com`);
    resolved = [];
    await check('d1.example.com');
    await check('d200.example.com');
    assert.deepEqual(resolved, []);
    await check('d0.example.com');
    assert.deepEqual(resolved, ['d0.example.com']);
  });

  it('more than 32 look-ups at once: the rest is unreachable at once, and asked again the next time', async () => {
    let answer: (addresses: string[]) => void = () => undefined;
    const made = await site({ [TOML]: FILE });
    const waiting = new Promise<string[]>((resolve) => {
      answer = resolve;
    });
    const { check } = lookingUp(made.port, { resolve: () => waiting });
    const first = Array.from({ length: 32 }, (_, at) => check(`d${at}.example.com`));
    assert.equal(await check('late.example.com'), 'unreachable');
    answer([OUTSIDE]);
    assert.deepEqual(new Set(await Promise.all(first)), new Set(['confirmed']));
    assert.equal(await check('late.example.com'), 'confirmed');
  });

  it('close ends the look-ups under way, and no other begins', async () => {
    const server = await hostile(() => undefined);
    const { check, domains }: { check: () => Promise<unknown>; domains: HomeDomains } = lookingUp(
      server.port,
    );
    const checked = check();
    await eventually('it is connected', () => server.connections.total === 1);
    domains.close();
    assert.equal(await checked, 'unreachable');
    await closed(server);
    assert.equal(await domains.check('other.example.com', USDC), 'unreachable');
    assert.equal(server.connections.total, 1);
  });
});
