import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { createFakeToken, FAKE_PACKAGE_DIR } from '../../../test/support/fake-pkcs11.ts';
import { type KeyProvider, KeyProviderError } from './key-provider.ts';
import { openPkcs11 } from './pkcs11.ts';
import type { Pkcs11Settings } from './pkcs11-messages.ts';

process.env.NODE_PATH = FAKE_PACKAGE_DIR;

const CONTEXT = { id: 'wal_1', public_key: randomBytes(32) };

function open(context: TestContext, settings: Pkcs11Settings, call_ms?: number): KeyProvider {
  const provider = openPkcs11(settings, call_ms);
  context.after(() => provider.close());
  return provider;
}

const make = (provider: KeyProvider, context = CONTEXT) =>
  provider.makeDataKey(context, (data_key, wrapped) => ({ data_key: Buffer.from(data_key), wrapped }));
const unwrap = (provider: KeyProvider, wrapped: Buffer, context = CONTEXT) =>
  provider.unwrapDataKey(wrapped, context, (data_key) => Buffer.from(data_key));

const faulty = (fault: string, message = /./) => ({ name: KeyProviderError.name, fault, message });

test('a data key is unwrapped for its own wallet and public key, and for no other', async (context) => {
  const { settings } = createFakeToken();
  const provider = open(context, settings);
  const { data_key, wrapped } = await make(provider);
  assert.deepEqual(await unwrap(provider, wrapped), data_key);
  await assert.rejects(unwrap(provider, wrapped, { ...CONTEXT, id: 'wal_2' }), faulty('refused'));
  await assert.rejects(
    unwrap(provider, wrapped, { ...CONTEXT, public_key: randomBytes(32) }),
    faulty('refused'),
  );
  await assert.rejects(unwrap(provider, randomBytes(61)), faulty('refused'));
  for (const length of [0, 10, 62, 5_000])
    await assert.rejects(unwrap(provider, randomBytes(length)), faulty('refused'));
  assert.deepEqual(await unwrap(provider, wrapped), data_key);
});

test('the memory of a data key is wiped when its use is over', async (context) => {
  const { settings } = createFakeToken();
  const provider = open(context, settings);
  const { wrapped } = await make(provider);
  const kept = await provider.unwrapDataKey(wrapped, CONTEXT, (data_key) => {
    assert.notDeepEqual(data_key, Buffer.alloc(32));
    return data_key;
  });
  assert.deepEqual(Buffer.from(kept), Buffer.alloc(32));
});

test('many calls at once each get their own data key', async (context) => {
  const { settings } = createFakeToken();
  const provider = open(context, settings);
  const ids = Array.from({ length: 100 }, (_, index) => ({ ...CONTEXT, id: `wal_${index}` }));
  const made = await Promise.all(ids.map((each) => make(provider, each)));
  const opened = await Promise.all(made.map(({ wrapped }, index) => unwrap(provider, wrapped, ids[index])));
  assert.deepEqual(
    opened,
    made.map(({ data_key }) => data_key),
  );
});

for (const fault of ['broken', 'stale', 'crash', 'no token'] as const)
  test(`a token that is away (${fault}) is used again when it is back`, async (context) => {
    const token = createFakeToken();
    const provider = open(context, token.settings);
    const { data_key, wrapped } = await make(provider);
    token.fail(fault);
    if (fault !== 'no token') await assert.rejects(unwrap(provider, wrapped), faulty('away'));
    else
      await assert.rejects(make(open(context, token.settings)), faulty('away', /there is no token "teller"/));
    token.fail(null);
    assert.deepEqual(await unwrap(provider, wrapped), data_key);
  });

test('a module that never answers is ended, and until then stops nothing else', async (context) => {
  const token = createFakeToken();
  const provider = open(context, token.settings, 4_000); // a start of the module takes a second under load
  const { data_key, wrapped } = await make(provider);
  token.fail('hang');
  let turns = 0;
  const other = setInterval(() => turns++, 10);
  await assert.rejects(unwrap(provider, wrapped), faulty('away', /does not answer in time/));
  clearInterval(other);
  assert(turns > 50, `the event loop went on: ${turns}`);
  token.fail(null);
  assert.deepEqual(await unwrap(provider, wrapped), data_key);
});

test('the module gets its own variables, and no secret of the service', async (context) => {
  const secrets = [
    'MASTER_KEY',
    'MASTER_KEY_FILE',
    'MASTER_KEY_PREVIOUS',
    'DATABASE_URL',
    'MIGRATION_DATABASE_URL_FILE',
    'PGPASSWORD',
    'ADMIN_PASSWORD',
    'PASSWORD',
    'SMTP_URL',
    'TREASURY_SEED_FILE',
    'API_KEY',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
  ];
  const others = ['SOFTHSM2_CONF', 'PATH'];
  const before = { ...process.env };
  for (const name of [...secrets, 'SOFTHSM2_CONF']) process.env[name] = 'x';
  context.after(() => {
    process.env = before;
  });
  const token = createFakeToken();
  await make(open(context, token.settings));
  const names = token.environment();
  assert.deepEqual(
    names.filter((name) => secrets.includes(name)),
    [],
  );
  assert.deepEqual(
    others.filter((name) => !names.includes(name)),
    [],
  );
});

test('a wrong PIN is tried once', async (context) => {
  const token = createFakeToken({ pin: '9999' });
  const provider = open(context, token.settings);
  for (let i = 0; i < 3; i++) await assert.rejects(make(provider), faulty('denied', /CKR_PIN_INCORRECT/));
  await assert.rejects(Promise.all([make(provider), make(provider)]), faulty('denied'));
  assert.equal(token.logins(), 1);
});

test('a key that is missing or may not be used is reported, and so is a missing PIN file', async (context) => {
  const token = createFakeToken();
  const other = { ...token.settings, key_label: 'other' };
  await assert.rejects(make(open(context, other)), faulty('unusable', /has no AES key "other"/));
  const elsewhere = { ...token.settings, token_label: 'other' };
  await assert.rejects(make(open(context, elsewhere)), faulty('away', /no token "other"/));
  const unreadable = { ...token.settings, pin_file: '/nowhere/pin' };
  await assert.rejects(make(open(context, unreadable)), faulty('unusable', /file of the PIN/));
  const missing = { ...token.settings, module: '/nowhere/module' };
  await assert.rejects(make(open(context, missing)), faulty('unusable', /nowhere/));
  token.fail('no right');
  await assert.rejects(make(open(context, token.settings)), faulty('unusable'));
});

test('without the package, the error names it', async (context) => {
  process.env.NODE_PATH = '/nowhere';
  context.after(() => {
    process.env.NODE_PATH = FAKE_PACKAGE_DIR;
  });
  const provider = open(context, createFakeToken().settings);
  await assert.rejects(make(provider), faulty('unusable', /the package pkcs11js is not installed/));
});
