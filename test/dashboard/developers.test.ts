import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { colouredCode, type Language } from '../../dashboard/src/pages/developers/coloured-code.ts';
import { PYTHON } from '../../dashboard/src/pages/developers/examples/python.ts';
import { SHELL } from '../../dashboard/src/pages/developers/examples/shell.ts';
import { TYPESCRIPT } from '../../dashboard/src/pages/developers/examples/typescript.ts';
import { localMinute } from '../../dashboard/src/pages/developers/local-minute.ts';
import { readDevelopersSearch, readWebhookSearch } from '../../dashboard/src/pages/developers/search.ts';
import { sampleDeposit } from '../../src/deposits/recorded/deposit-schema.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createPoster } from '../../src/outgoing/post.ts';
import { parseExemptions } from '../../src/outgoing/public-url.ts';
import { newSigningSecret, signatureHeaders, signingKeys } from '../../src/outgoing/sign.ts';
import { examine } from '../../src/webhooks/exam/examine.ts';

const place = { origin: 'https://pay.example', walletId: 'wal_1', webhookId: 'whe_1' };

test('examples use this service and wallet, and the sequence numbers of the endpoint', () => {
  for (const examples of [SHELL, TYPESCRIPT, PYTHON]) {
    for (const id of ['address', 'withdraw', 'deposits', 'poll', 'webhook', 'missed'] as const)
      assert.ok(examples[id](place).includes('https://pay.example/v1/wallets/wal_1/'), id);
    assert.match(examples.missed(place), /\/events\?webhook_id=whe_1&after=/);
    assert.match(examples.missed({ ...place, webhookId: null }), /\/events\?after=/);
  }
});

for (const id of ['verify', 'standard'] as const) {
  test(`the receiver of the example “${id}” accepts signed events and rejects changed ones`, async () => {
    const secret = newSigningSecret();
    const isGenuine = await checkOf(id, secret);
    const body = Buffer.from('{"event":"deposit.created","data":{"memo_id":18446744073709551615}}');
    const keys = { current: signingKeys(secret), old: [] };
    const now = new Date();
    const headers = lowercased(signatureHeaders(body, { id: 'evt_1', sequence: 1n, sent_at: now }, keys));
    assert.equal(isGenuine(body, headers), true);
    assert.equal(isGenuine(Buffer.concat([body, Buffer.from(' ')]), headers), false);
    assert.equal(isGenuine(body, {}), false);
    const other = { current: signingKeys(newSigningSecret()), old: [] };
    const foreign = signatureHeaders(body, { id: 'evt_1', sequence: 1n, sent_at: now }, other);
    assert.equal(isGenuine(body, lowercased(foreign)), false);
  });
}

test('the example “standard” accepts a replaced secret while it signs, and rejects old events', async () => {
  const old = newSigningSecret();
  const isGenuine = await checkOf('standard', old);
  const body = Buffer.from('{"event":"ping","data":{}}');
  const keys = { current: signingKeys(newSigningSecret()), old: [signingKeys(old)] };
  const signed = (sent_at: Date) =>
    lowercased(signatureHeaders(body, { id: 'evt_1', sequence: 1n, sent_at }, keys));
  assert.equal(isGenuine(body, signed(new Date())), true);
  assert.equal(isGenuine(body, signed(new Date(Date.now() - 600_000))), false);
});

for (const id of ['verify', 'standard'] as const) {
  test(`the receiver of the example “${id}” continues after an aborted request`, async () => {
    await using server = await start(id);
    const post = () => fetch(`http://127.0.0.1:${server.port}`, { method: 'POST', body: '{}' });
    const half = connect(server.port, '127.0.0.1');
    half.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n{}');
    await once(half, 'ready');
    assert.equal((await post()).status, 401);
    half.resetAndDestroy();
    await once(half, 'close');
    assert.equal((await post()).status, 401);
  });
}

test('the receiver of the example “standard” passes an exam', async () => {
  await using server = await start('standard');
  const poster = createPoster({
    exemptions: parseExemptions(['127.0.0.1']),
    show_exempt_answers: true,
    resolve: async () => [],
    clock: systemClock,
  });
  const wallet_id = 'wal_sample';
  const keys = { current: signingKeys(server.secret), old: [] };
  const deposit = (at: string) => sampleDeposit(true, { wallet_id, at });
  const signer = { wallet_id, keys, deposit, place: 0n };
  const report = await examine({ clock: systemClock, poster }, `http://127.0.0.1:${server.port}/`, signer);
  await poster.close();
  assert.deepEqual(
    report?.cases.filter(({ outcome }) => outcome !== 'passed'),
    [],
  );
});

test('the URL of an endpoint’s page keeps the filter and the open delivery, and drops the rest', () => {
  const given = { status: 'failed', delivery: 'dlv_1', other: 'x' };
  assert.deepEqual(readWebhookSearch(given), { status: 'failed', delivery: 'dlv_1' });
  assert.deepEqual(readWebhookSearch({ status: 'lost', delivery: '' }), {});
});

test('the tab of the page of developers is in its address; webhooks are shown without one', () => {
  assert.deepEqual(readDevelopersSearch({ tab: 'keys' }), { tab: 'keys' });
  for (const tab of ['webhooks', 'lost', null, undefined])
    assert.deepEqual(readDevelopersSearch({ tab }), {});
});

const ALL: [Language, typeof SHELL][] = [
  ['curl', SHELL],
  ['TypeScript', TYPESCRIPT],
  ['Python', PYTHON],
];

test('the coloured parts of an example are its code to the letter, and what is copied', () => {
  for (const [language, examples] of ALL)
    for (const example of Object.values(examples)) {
      const parts = colouredCode(example(place), language);
      assert.equal(parts.map(({ text }) => text).join(''), example(place));
      assert.ok(parts.some(({ kind }) => kind === 'string'));
    }
  const parts = (code: string, language: Language) =>
    colouredCode(code, language).flatMap(({ text, kind }) => (kind ? [`${kind} ${text}`] : []));
  assert.deepEqual(parts("const url = 'https://a/'; // a 'note'", 'TypeScript'), [
    'keyword const',
    "string 'https://a/'",
    "comment // a 'note'",
  ]);
  assert.deepEqual(parts('curl "$A" $B#c # it\'s', 'curl'), [
    'keyword curl',
    'string "$A"',
    "comment # it's",
  ]);
  assert.deepEqual(parts('x = f"a # {b[\'c\']}"  # d', 'Python'), [
    'string f"a # {b[\'c\']}"',
    'comment # d',
  ]);
});

test('a replay starts at a minute of the reader’s local time', () => {
  const at = new Date(2026, 10, 21, 13, 5, 59);
  assert.equal(localMinute(at), '2026-11-21T13:05');
  assert.equal(new Date(localMinute(at)).getTime(), new Date(2026, 10, 21, 13, 5).getTime());
});

type Check = (body: Buffer, headers: Record<string, string>) => boolean;

/** What the example checks a delivery with, without its server. */
async function checkOf(id: 'verify' | 'standard', secret: string): Promise<Check> {
  const [check] = TYPESCRIPT[id](place).split('\ncreateServer(');
  const dir = await mkdtemp(join(tmpdir(), 'teller-example-'));
  try {
    const file = join(dir, 'example.mts');
    await writeFile(file, `${check}\nexport { isGenuine };\n`);
    process.env.WEBHOOK_SECRET = secret;
    const { isGenuine } = await import(file);
    return id === 'standard'
      ? isGenuine
      : (body, headers) => isGenuine(body, String(headers['x-svc-signature']));
  } finally {
    delete process.env.WEBHOOK_SECRET;
    await rm(dir, { recursive: true });
  }
}

/** The example as it stands, on a port of its own. */
async function start(id: 'verify' | 'standard') {
  const dir = await mkdtemp(join(tmpdir(), 'teller-example-'));
  const file = join(dir, 'example.mts');
  const listen = ".listen(0, '127.0.0.1', function () { console.log(this.address().port); })";
  await writeFile(file, TYPESCRIPT[id](place).replace('.listen(4000)', listen));
  const secret = newSigningSecret();
  const env = { ...process.env, WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  return {
    port: Number(port),
    secret,
    async [Symbol.asyncDispose]() {
      child.kill();
      await rm(dir, { recursive: true });
    },
  };
}

function lowercased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
