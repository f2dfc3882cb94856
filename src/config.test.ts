import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError, readClientConfig, readConfig, readSandboxConfig } from './config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

test('with nothing set it is the sandbox on loopback with the embedded database', () => {
  const config = readConfig({});
  assert.equal(config.network, 'sandbox');
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.database_url, undefined);
  assert.equal(config.api_key_prefix, 'svc_sk_test_');
  assert.deepEqual([config.withdraw_valid_seconds, config.withdraw_wait_seconds], [30, 45]);
  assert.equal(config.policy_delay_seconds, 0);
  assert.equal(config.webhook_retry_seconds.length, 11);
});

test('the network fixes passphrase, key prefix and times', () => {
  const config = readConfig({
    STELLAR_NETWORK: 'public',
    STELLAR_RPC_URL: 'https://rpc.example.com',
    MASTER_KEY: KEY,
  });
  assert.equal(config.passphrase, 'Public Global Stellar Network ; September 2015');
  assert.equal(config.api_key_prefix, 'svc_sk_live_');
  assert.deepEqual([config.withdraw_valid_seconds, config.withdraw_wait_seconds], [90, 120]);
  assert.equal(config.policy_delay_seconds, 86_400);
});

test('hosts that webhooks may go to are read before anything starts, and a wildcard is no host', () => {
  const read = (text: string) => readConfig({ WEBHOOK_ALLOWED_HOSTS: text }).webhook_allowed_hosts;
  const right = [
    'localhost',
    'hook.internal:4000',
    '127.0.0.1:4000',
    '::1',
    '[::1]:4000',
    '10.0.0.0/8',
    'fd00::/8',
  ];
  assert.deepEqual(read(right.join(', ')), right);
  const wrong = [
    '*',
    '*.internal',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '[fd00::]/8',
    'localhost/8',
    'localhost:70000',
  ];
  for (const text of [...wrong, 'localhost:', 'http://localhost', 'fe80::1%eth0', 'user@localhost']) {
    assert.throws(() => read(`localhost,${text}`), /WEBHOOK_ALLOWED_HOSTS must be hosts/, text);
  }
});

test('PUBLIC_URL is an origin: by default localhost with the port', () => {
  const read = (PUBLIC_URL: string, PORT = '') => readConfig({ PUBLIC_URL, PORT }).public_url;
  assert.equal(read(''), 'http://localhost:3000');
  assert.equal(read('', '4811'), 'http://localhost:4811');
  assert.equal(read('https://Teller.example.com/'), 'https://teller.example.com');
  assert.equal(read('https://teller.example.com:443'), 'https://teller.example.com');
  assert.equal(read('http://10.0.0.1:8080'), 'http://10.0.0.1:8080');
  for (const text of [
    'teller.example.com',
    'ftp://teller.example.com',
    'https://a.example/teller',
    'https://a@b.example',
    'https://b.example?x',
    '*',
  ])
    assert.throws(() => read(text), /PUBLIC_URL must be an http\(s\) URL without path/, text);
});

test('a mail server is named with the sender of its mails, or not at all', () => {
  const read = (SMTP_URL: string, MAIL_FROM = 'teller@example.com') =>
    readConfig({ SMTP_URL, MAIL_FROM }).mail;
  assert.equal(read('', ''), null);
  const smtp_url = 'smtps://teller:s%40cret@mail.example.com:465';
  assert.deepEqual(read(smtp_url), { smtp_url, from: 'teller@example.com' });
  assert.ok(read('smtp://[::1]:25'));
  for (const text of [
    'mail.example.com',
    'https://mail.example.com',
    'smtp://',
    'smtp://a:%zz@mail.example.com',
  ])
    assert.throws(() => read(text), /SMTP_URL must be a URL like/, text);
  for (const from of ['teller', 'a@b.example\r\nBcc: c@d.example', 'a@b.example, c@d.example'])
    assert.throws(() => read(smtp_url, from), /MAIL_FROM must be an e-mail address/, from);
  assert.throws(() => read(smtp_url, ''), /must be set together/);
  assert.throws(() => read(''), /must be set together/);
});

test('proxies are trusted by address or block, none unless named, and never all addresses', () => {
  const read = (TRUSTED_PROXIES: string) => readConfig({ TRUSTED_PROXIES }).trusted_proxies;
  assert.deepEqual(read(''), []);
  const shown = read('10.0.0.0/8, 127.0.0.1,fd00::/8').map(([base, bits]) => `${base}/${bits}`);
  assert.deepEqual(shown, ['10.0.0.0/8', '127.0.0.1/32', 'fd00::/8']);
  for (const text of ['localhost', '10.0.0.0/33', '10.0.0.1:80', '*', 'fe80::1%eth0', 'true', '1'])
    assert.throws(() => read(`127.0.0.1,${text}`), /TRUSTED_PROXIES must be addresses or CIDR blocks/, text);
  for (const text of ['0.0.0.0/0', '::/0', '::ffff:0:0/96'])
    assert.throws(() => read(text), /TRUSTED_PROXIES must not trust every address/, text);
});

test('TREASURY_PAYS names what the treasury pays; another word, or too low a fee, is a fault', () => {
  const read = (TREASURY_PAYS: string, FEE_MAX_STROOPS = '') =>
    readConfig({ TREASURY_PAYS, FEE_MAX_STROOPS }).treasury_pays;
  assert.deepEqual(read(''), { fees: false, reserves: false });
  assert.deepEqual(read('fees'), { fees: true, reserves: false });
  assert.deepEqual(read(' reserves , fees,fees'), { fees: true, reserves: true });
  for (const text of ['fee', 'true', 'fees reserves', 'fees;reserves', 'Fees', 'fees,channels'])
    assert.throws(() => read(text), /TREASURY_PAYS must be fees, reserves, or both/, text);
  assert.deepEqual(read('fees', '300'), { fees: true, reserves: false });
  assert.throws(() => read('reserves', '399'), /FEE_MAX_STROOPS must be at least 400/);
  assert.deepEqual(read('reserves', '400'), { fees: false, reserves: true });
});

test('every fault is named in one message', () => {
  const faulty = {
    PORT: '70000',
    STELLAR_NETWORK: 'mainnet',
    JWT_TTL_SECONDS: 'soon',
    MASTER_KEY: 'short',
    WEBHOOK_ALLOWED_HOSTS: 'ok.example,not a host',
    WEBHOOK_RETRY_SECONDS: '5,x',
    DATABASE_URL: 'mysql://x',
  };
  assert.throws(
    () => readConfig(faulty),
    (error: Error) =>
      error instanceof ConfigError && Object.keys(faulty).every((name) => error.message.includes(name)),
  );
});

test('a URL of a database that names its sessions is refused: other processes would not know this one', () => {
  const [MASTER_KEY, DATABASE_URL] = [KEY, 'postgres://user@host/name?sslmode=disable'];
  assert.equal(readConfig({ MASTER_KEY, DATABASE_URL }).database_url, DATABASE_URL);
  const by_socket = 'postgres://user@/name?host=/run/postgresql';
  assert.equal(readConfig({ MASTER_KEY, DATABASE_URL: by_socket }).database_url, by_socket);
  const named = `${DATABASE_URL}&application_name=payments`;
  for (const urls of [{ DATABASE_URL: named }, { DATABASE_URL, MIGRATION_DATABASE_URL: named }])
    assert.throws(() => readConfig({ MASTER_KEY, ...urls }), /DATABASE_URL must not set application_name/);
});

test('a misspelt name is refused with a guess by every command that reads configuration', () => {
  const API_KEY = 'svc_sk_test_1';
  for (const read of [readConfig, readSandboxConfig, readClientConfig]) {
    for (const [typed, meant] of [
      ['WEBHOOK_ALOWED_HOSTS', 'WEBHOOK_ALLOWED_HOSTS'],
      ['STELLAR_NETWROK', 'STELLAR_NETWORK'],
      ['MASTER_KEY_FIL', 'MASTER_KEY_FILE'],
      ['SANDBOX_CLOSE_MSEC', 'SANDBOX_CLOSE_MS'],
      ['policy_delay_seconds', 'POLICY_DELAY_SECONDS'],
    ] as const) {
      const fault = new ConfigError(
        `The configuration is not valid:\n  - ${typed} is not a variable of Stellar Teller. Did you mean ${meant}?`,
      );
      assert.throws(() => read({ API_KEY, [typed]: 'secret' }), fault, `${read.name} of ${typed}`);
    }
  }
});

test('variables of other programs are ignored, and so are misspelt ones that are empty', () => {
  const others = ['HOSTNAME', 'POST', 'DATADIR', 'POSTGRES_PORT', 'LOG_FORMAT', 'NODE_ENV', 'DATABASE_HOST'];
  const environment = Object.fromEntries(others.map((name) => [name, 'x']));
  assert.deepEqual(readConfig({ ...environment, WEBHOOK_ALOWED_HOSTS: ' ' }), readConfig({}));
});

test('ADMIN_EMAIL is an e-mail address as the service takes it elsewhere', () => {
  const read = (ADMIN_EMAIL: string) =>
    readConfig({ ADMIN_EMAIL, ADMIN_PASSWORD: 'a long secret' }).admin?.email;
  assert.equal(read(' Ada@Bücher.example '), 'Ada@Bücher.example');
  for (const text of ['ada', 'a\u200db@example.com', 'a@example.com, b@example.com'])
    assert.throws(() => read(text), /ADMIN_EMAIL must be an e-mail address/, text);
});

test('what contradicts itself is refused', () => {
  assert.throws(() => readConfig({ DATABASE_URL: 'postgres://x/y' }), /MASTER_KEY is required/);
  assert.throws(() => readConfig({ ADMIN_EMAIL: 'a@example.com' }), /must be set together/);
  assert.throws(
    () => readConfig({ MASTER_KEY_PREVIOUS: KEY }),
    /for a rotation: set MASTER_KEY or MASTER_KEY_FILE/,
  );
  assert.throws(
    () => readConfig({ MASTER_KEY: KEY, MASTER_KEY_PREVIOUS: KEY.slice(4) }),
    /MASTER_KEY_PREVIOUS must be 32 bytes in base64/,
  );
  assert.throws(
    () => readConfig({ STELLAR_NETWORK: 'public', MASTER_KEY: KEY }),
    /STELLAR_RPC_URL or HORIZON_URL is required/,
  );
});

test('on the public network a source is asked over TLS, or in a private network', () => {
  const read = (env: Record<string, string>) =>
    readConfig({ STELLAR_NETWORK: 'public', MASTER_KEY: KEY, ...env });
  for (const url of [
    'http://rpc.example.com',
    'http://8.8.8.8:8000',
    'http://[2606:4700::1]',
    'http://rpc.private.io',
  ]) {
    const refused = /STELLAR_RPC_URL must begin with https:.. on the public network/;
    assert.throws(() => read({ STELLAR_RPC_URL: `https://a.example.com,${url}` }), refused, url);
    assert.throws(() => read({ HORIZON_URL: url }), /HORIZON_URL must begin with https:/, url);
    assert.ok(readConfig({ STELLAR_NETWORK: 'testnet', STELLAR_RPC_URL: url }), 'money of a test network');
  }
  for (const host of [
    'localhost:8000',
    '127.0.0.1',
    '10.1.2.3:8000',
    '192.168.0.2',
    '[fd00::1]',
    'stellar-rpc:8000',
    'rpc.internal',
    'rpc.stellar.svc',
  ])
    assert.ok(read({ STELLAR_RPC_URL: `http://${host}` }), host);
});

test('Horizon stands beside the network’s RPC where both are named, and instead of it alone', () => {
  const testnet = { STELLAR_NETWORK: 'testnet' };
  const HORIZON_URL = 'https://a.example, https://b.example/key';
  const horizon_urls = ['https://a.example', 'https://b.example/key'];
  const sources = (env: Record<string, string>) => {
    const config = readConfig(env);
    return [config.rpc_urls, config.horizon_urls];
  };
  assert.deepEqual(sources(testnet), [['https://soroban-testnet.stellar.org'], []]);
  assert.deepEqual(sources({ ...testnet, HORIZON_URL }), [[], horizon_urls]);
  const rpc = { STELLAR_RPC_URL: 'https://rpc.example' };
  assert.deepEqual(sources({ ...testnet, ...rpc, HORIZON_URL }), [['https://rpc.example'], horizon_urls]);
  assert.deepEqual(sources({ STELLAR_NETWORK: 'public', MASTER_KEY: KEY, HORIZON_URL }), [[], horizon_urls]);
  assert.throws(() => readConfig({ HORIZON_URL: 'horizon.example' }), /HORIZON_URL must be http/);
});

test('the treasury’s seed is given by a path alone, which is looked at, never read, and never shown', () => {
  const dir = mkdtempSync(join(tmpdir(), 'teller-config-'));
  after(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'seed');
  writeFileSync(file, 'SECRET');
  assert.equal(readConfig({ TREASURY_SEED_FILE: file }).treasury_seed_file, file);
  assert.equal(readConfig({}).treasury_seed_file, undefined);
  for (const faulty of [{ TREASURY_SEED_FILE: 'SMISTAKEN' }, { TREASURY_SEED: 'SMISTAKEN' }]) {
    assert.throws(
      () => readConfig(faulty),
      ({ message }: Error) => /TREASURY_SEED/.test(message) && !message.includes('SMISTAKEN'),
    );
  }
});

test('a contract call has a ceiling of its own: CONTRACT_FEE_MAX_STROOPS, 5,000,000 by default', () => {
  assert.equal(readConfig({}).contract_fee_max_stroops, 5_000_000n);
  assert.equal(readConfig({ CONTRACT_FEE_MAX_STROOPS: '300' }).contract_fee_max_stroops, 300n);
  for (const wrong of ['299', '1e6', '1000000001'])
    assert.throws(
      () => readConfig({ CONTRACT_FEE_MAX_STROOPS: wrong }),
      /CONTRACT_FEE_MAX_STROOPS must be an integer from 300/,
    );
});

test('FEE_MAX_STROOPS leaves room for what must be signed: 300 stroops at least', () => {
  assert.equal(readConfig({ FEE_MAX_STROOPS: '300' }).fee_max_stroops, 300n);
  assert.throws(() => readConfig({ FEE_MAX_STROOPS: '299' }), /FEE_MAX_STROOPS must be an integer from 300/);
});

test('CHANNELS_MAX is 100 unless told, 0 to 1000', () => {
  assert.equal(readConfig({}).channels_max, 100);
  assert.equal(readConfig({ CHANNELS_MAX: '0' }).channels_max, 0);
  assert.throws(() => readConfig({ CHANNELS_MAX: '1001' }), /CHANNELS_MAX must be an integer from 0 to 1000/);
});

test('a value can come from a file, and an empty variable counts as absent', () => {
  const dir = mkdtempSync(join(tmpdir(), 'teller-config-'));
  after(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'key');
  writeFileSync(file, `${KEY}\n`, { mode: 0o600 });
  writeFileSync(join(dir, 'port'), '4000\n');
  assert.equal(readConfig({ PORT_FILE: join(dir, 'port'), HOST: '' }).port, 4000);
  assert.deepEqual(readConfig({ MASTER_KEY_FILE: file, MASTER_KEY: '' }).master_key, { file });
  assert.throws(() => readConfig({ MASTER_KEY_FILE: join(dir, 'none') }), /MASTER_KEY_FILE cannot be read/);
  assert.throws(() => readConfig({ MASTER_KEY_FILE: join(dir, 'key'), MASTER_KEY: KEY }), /both set/);
});

test('traces are off without an endpoint, and OpenTelemetry’s variables are read as its specification says', () => {
  assert.equal(readConfig({}).traces, null);
  assert.equal(readConfig({ OTEL_SERVICE_NAME: 'payments' }).traces, null);
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/otlp/' };
  assert.equal(readConfig({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).traces, null);
  assert.deepEqual(readConfig(endpoint).traces, {
    url: 'https://collector.example.com/otlp/v1/traces',
    headers: {},
    resource: { 'service.name': 'stellar-teller' },
    sampler: 'parentbased_always_on',
    sampler_ratio: 1,
  });
  const all = readConfig({
    ...endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20dXNlcjpw, x-scope=a=b',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'payments',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=live',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  }).traces;
  assert.deepEqual(all?.headers, { authorization: 'Basic dXNlcjpw', 'x-scope': 'a=b' });
  assert.deepEqual(all?.resource, { 'service.name': 'payments', 'deployment.environment.name': 'live' });
  assert.deepEqual([all?.sampler, all?.sampler_ratio], ['parentbased_traceidratio', 0.25]);
  const wrong = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'a secret',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_TRACES_SAMPLER: 'always',
    OTEL_TRACES_SAMPLER_ARG: '25%',
  };
  assert.throws(
    () => readConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'name=a%0d%0aother:%20b' }),
    /HEADERS must have/,
  );
  assert.throws(
    () => readConfig(wrong),
    (error: Error) =>
      Object.keys(wrong).every((name) => error.message.includes(name)) && !error.message.includes('a secret'),
  );
});
