/** A service whose seeds are sealed with the help of AWS KMS: what works, what waits, and what is refused. */
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { createKeyRing } from '../../src/vault/master-keys/key-ring.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeKms, startFakeKms } from '../support/fake-kms.ts';
import { firesIn, hasPromtool } from '../support/firing-alerts.ts';
import { searchMemory, spellingsOf } from '../support/memory.ts';
import { mixedKey } from '../support/mixed-key.ts';
import {
  assertError,
  type RunningService,
  startRunningService,
  unique,
  type Wallet,
} from '../support/running-service.ts';
import { startService, type TestService, teller, temporaryDirectory } from '../support/service.ts';

const PAYMENT = { amount_stroops: 50_000_000 };

let kms: FakeKms;
let world: RunningService;
let wallet: Wallet;
let other: Wallet;

before(async () => {
  kms = await startFakeKms({ keep: true });
  world = await startRunningService({ ...kms.env, CHANNELS_MAX: '0' });
  [wallet, other] = [await world.newWallet(), await world.newWallet()];
});
after(async () => {
  kms.fail(null);
  await world.stop();
  await kms.close();
});

const pay = (key = unique('key'), from = wallet) =>
  world.withdraw(from, { ...PAYMENT, destination: other.account }, { key });
const statusOf = async (key: string): Promise<string> =>
  (await world.query('select status from withdrawals where idempotency_key = $1', [key]))[0]?.status;
const keys = (command: string[], env: Record<string, string> = {}) =>
  teller(['keys', ...command], { ...world.environment, ...kms.env, ...env });
const versions = async (): Promise<number[]> =>
  (await world.query('select distinct get_byte(sealed_seed, 0) as version from wallets order by 1')).map(
    ({ version }) => version,
  );

describe('a first start with a key provider', () => {
  it('seals each seed with a data key of its own, wrapped for its id and its public key', async () => {
    assert.deepEqual(await versions(), [2]);
    const made = kms.calls.filter(({ operation }) => operation === 'GenerateDataKey');
    const contexts = made.map(({ context }) => context['stellar-teller:id']);
    assert.deepEqual(new Set(contexts), new Set(['known answer', wallet.id, other.id]));
    assert(made.every(({ context }) => /^[0-9a-f]{64}$/.test(context['stellar-teller:public-key'] ?? '')));
  });

  it('pays, and asks the provider for each signature while nothing is cached', async () => {
    const before = kms.calls.length;
    for (let i = 0; i < 2; i++) {
      const paid = await pay();
      assert.equal(paid.body.data.status, 'confirmed', paid.text);
    }
    const asked = kms.calls.slice(before).filter(({ context }) => context['stellar-teller:id'] === wallet.id);
    assert(asked.length >= 2);
  });

  it('proves every seed by "keys verify", and names the provider in "keys status"', async () => {
    const verified = await keys(['verify']);
    assert.equal(verified.code, 0, verified.output);
    assert.match(verified.output, /Verified 2 wallets.*every sealed seed gives its public key/);
    const { output } = await keys(['status']);
    assert.match(
      output,
      /Key provider aws-kms, arn:aws:kms:\S+ in eu-central-1, since .*: 2 seeds need it, 0 do not/,
    );
    assert.match(output, /and has aws-kms/);
  });

  it('has mixed keys and seeds nowhere in memory after the signatures, and no data key that opens one', {
    skip: process.platform === 'linux' ? false : '/proc is Linux’s',
  }, async () => {
    const master_key = Buffer.from(world.environment.MASTER_KEY ?? '', 'base64');
    const master = createKeyRing([master_key]).sealing();
    const needles = kms.data_keys.flatMap((data_key, index) =>
      spellingsOf(`mixed ${index}`, mixedKey(master.key, data_key)),
    );
    const found = searchMemory(world.service.pid, needles);
    assert.deepEqual(found, []);
    const data = kms.data_keys.flatMap((data_key, index) => spellingsOf(`data key ${index}`, data_key));
    const copies = searchMemory(world.service.pid, data).map(({ name }) => name);
    // They come through Node's own buffers, so copies may stay: they are of no use without the master key.
    console.log(`copies of ${kms.data_keys.length} data keys in the memory of the service: ${copies.length}`);
  });
});

describe('while the provider is away', () => {
  afterEach(() => kms.fail(null));

  const FAULTS = [
    [
      { error: 'KMSInternalException', status_code: 500 },
      /aws-kms: the key provider does not answer, since \d{4}-/,
    ],
    [{ error: 'DisabledException' }, /the key of the key provider is disabled/],
    [{ error: 'AccessDeniedException' }, /denies the use of its key/],
    [{ error: 'ThrottlingException' }, /throttles the service/],
  ] as const;

  for (const [fault, message] of FAULTS)
    it(`signs nothing, fails nothing, says so, and pays once it is back: ${fault.error}`, async () => {
      kms.fail(fault);
      const key = unique('key');
      const held = pay(key);
      const check = await eventually('/readyz says so', async () => {
        const { key_provider } = await world.service.checks();
        return key_provider && !key_provider.ok ? key_provider : null;
      });
      assert.match(check.message, message);
      await eventually('the withdrawal is accepted', async () => (await statusOf(key)) ?? null);
      assert.equal(await statusOf(key), 'queued');
      const during = await world.service.metrics();
      assert.match(during, /teller_key_provider_up\{provider="aws-kms"\} 0/);
      const { status } = await world.api('GET', '/readyz');
      assert.equal(status, 200, 'deposits and webhooks work');

      const before = await world.countOf('wallets');
      const refused = await world.api('POST', '/v1/wallets', { token: world.token, body: { name: 'none' } });
      assertError(refused, 503, 'key_provider_unavailable');
      assert(!refused.text.includes(kms.key_id));
      assert.equal(await world.countOf('wallets'), before);

      kms.fail(null);
      const paid = await held;
      assert.equal(paid.body.data.status, 'confirmed', paid.text);
      await eventually(
        '/readyz is well',
        async () => (await world.service.checks()).key_provider?.ok || null,
      );
      if (hasPromtool()) {
        const fires = firesIn('TellerKeyProviderAway', during, await world.service.metrics());
        assert.deepEqual(fires, [true, false]);
      }
      const [{ count }] = await world.query(
        'select count(*) from withdrawals where idempotency_key = $1 and stellar_tx_hash is not null',
        [key],
      );
      assert.equal(Number(count), 1);
    });

  it('takes deposits all the same', async () => {
    kms.fail('hang');
    const key = unique('key');
    const held = pay(key);
    const address = await world.api('POST', `/v1/wallets/${wallet.id}/addresses`, {
      token: wallet.api_key,
      body: {},
    });
    assert.equal(address.status, 201, address.text);
    const payer = await world.ledger.fund();
    const { hash } = await world.ledger.pay(payer, address.body.data.address, 10_000_000n);
    const [deposit] = await world.depositsOf(wallet, hash);
    assert.equal(deposit.status, 'confirmed');
    kms.fail(null);
    assert.equal((await held).body.data.status, 'confirmed');
  });
});

describe('from the master key alone to a provider, and back', () => {
  let moving: RunningService;
  let service: TestService;
  let from: Wallet;

  before(async () => {
    moving = await startRunningService({ CHANNELS_MAX: '0' });
    ({ service } = moving);
    from = await newWallet();
  });
  after(async () => {
    kms.fail(null);
    assert.equal(await service.stop(), 0, service.output());
    await moving.stop().catch(() => undefined); // its first process has ended long ago
  });

  const withKms = () => ({ ...moving.environment, ...kms.env, CHANNELS_MAX: '0' });
  const command = (args: string[], env = withKms()) => teller(['keys', ...args], env);
  const seeds = async () =>
    (await moving.query('select distinct get_byte(sealed_seed, 0) as version from wallets order by 1')).map(
      ({ version }) => version,
    );

  async function restart(env: Record<string, string>): Promise<void> {
    assert.equal(await service.stop(), 0, service.output());
    service = await startService({ data_dir: moving.service.data_dir, env });
  }

  async function newWallet(): Promise<Wallet> {
    const body = { name: unique('w') };
    const made = await service.api('POST', '/v1/wallets', { token: await service.login(), body });
    assert.equal(made.status, 201, made.text);
    return made.body.data;
  }

  async function assertPays(): Promise<void> {
    const { account: destination } = await newWallet();
    const paid = await service.api('POST', `/v1/wallets/${from.id}/withdraw`, {
      token: await service.login(),
      headers: { 'idempotency-key': unique('key') },
      body: { ...PAYMENT, destination },
    });
    assert.equal(paid.body.data.status, 'confirmed', paid.text);
  }

  it('refuses to turn a provider on that a running process does not have', async () => {
    const { code, output } = await command(['provider', 'on']);
    assert.notEqual(code, 0);
    assert.match(output, /These processes do not have KEY_PROVIDER=aws-kms: .*Nothing was changed/s);
    assert.deepEqual(await seeds(), [1]);
  });

  it('works with a provider that is not turned on, and seals as before', async () => {
    await restart(withKms());
    assert.match(service.output(), /teller keys provider on/);
    await assertPays();
    assert.deepEqual(await seeds(), [1]);
  });

  it('turns it on while it runs; the seeds there are go on to open', async () => {
    const turned = await command(['provider', 'on']);
    assert.equal(turned.code, 0, turned.output);
    assert.match(turned.output, /Next: "teller keys rewrap"/);
    await assertPays();
    assert.deepEqual(await seeds(), [1, 2]);
    assert.match((await command(['status'])).output, /Next: "teller keys rewrap"/);
    assert.match((await command(['provider', 'on'])).output, /already/);
  });

  it('seals nothing again while the provider is away, and continues when it is back', async () => {
    kms.fail({ error: 'AccessDeniedException' });
    const refused = await command(['rewrap']);
    assert.notEqual(refused.code, 0);
    assert.match(refused.output, /key provider/);
    assert.deepEqual(await seeds(), [1, 2]);
    kms.fail(null);
    const rewrapped = await command(['rewrap']);
    assert.equal(rewrapped.code, 0, rewrapped.output);
    assert.deepEqual(await seeds(), [2]);
    assert.equal((await command(['verify'])).code, 0);
    await assertPays();
  });

  it('refuses a process without the provider, with another kind, or with another key', async () => {
    const fails = async (env: Record<string, string>, message: RegExp) => {
      const { code, output } = await teller(['keys', 'verify'], env);
      assert.notEqual(code, 0);
      assert.match(output, message);
      await assert.rejects(startService({ data_dir: `${moving.service.data_dir}-other`, env }), message);
    };
    const at = { ...moving.environment, STELLAR_RPC_URL: service.rpc_url };
    await fails(at, /need the key provider aws-kms .*KEY_PROVIDER is local/);
    const elsewhere = await startFakeKms();
    await fails({ ...at, ...elsewhere.env }, /cannot open what arn:aws:kms/);
    await elsewhere.close();
  });

  it('a start works while the provider is away, and pays once it is back', async () => {
    kms.fail({ error: 'KMSInternalException', status_code: 500 });
    await restart(withKms());
    assert.equal((await service.checks()).key_provider?.ok, false);
    kms.fail(null);
    await eventually(
      'the provider is used again',
      async () => (await service.checks()).key_provider?.ok || null,
    );
    await assertPays();
  });

  it('goes back: off, sealed again, and without the provider', async () => {
    const off = await command(['provider', 'off']);
    assert.equal(off.code, 0, off.output);
    await assertPays();
    assert.deepEqual(await seeds(), [1, 2]);
    const early = await teller(['keys', 'verify'], moving.environment);
    assert.match(early.output, /need the key provider aws-kms/, 'seeds still need it');
    const rewrapped = await command(['rewrap']);
    assert.equal(rewrapped.code, 0, rewrapped.output);
    assert.deepEqual(await seeds(), [1]);
    await restart(moving.environment);
    await assertPays();
    assert.match(
      (await command(['status'], moving.environment as any)).output,
      /No seed needs a key provider/,
    );
  });
});

describe('a start with a key journal', () => {
  it('works while the provider is away, also when the journal has a key that the database lacks', async () => {
    const KEY_JOURNAL = join(temporaryDirectory(), 'key-journal');
    const own = await startRunningService({ ...kms.env, KEY_JOURNAL, CHANNELS_MAX: '0' });
    const env = { ...own.environment, ...kms.env, KEY_JOURNAL, CHANNELS_MAX: '0' };
    let service: TestService | undefined;
    try {
      const { id } = await own.newWallet();
      await own.query(
        `begin; set local session_replication_role = replica; delete from wallets where id = '${id}'; commit`,
      );
      const off = await teller(['keys', 'provider', 'off'], env);
      assert.equal(off.code, 0, off.output);
      assert.equal(await own.service.stop(), 0, own.service.output());
      kms.fail({ error: 'KMSInternalException', status_code: 500 });
      service = await startService({ data_dir: own.service.data_dir, env });
      assert.match(service.output(), /the key provider is away, so the key journal is completed later/);
      assert.equal(await service.stop(), 0, service.output());
      kms.fail(null);
      const recovered = await teller(['keys', 'recover', '--rewound'], env);
      assert.match(recovered.output, new RegExp(`Recovered: 1 wallets|${id}\\) was made`));
    } finally {
      kms.fail(null);
      await service?.stop();
      await own.stop().catch(() => undefined); // its process has ended long ago
    }
  });
});

describe('a start', () => {
  const start = (env: Record<string, string>) =>
    teller(['serve'], { ...world.environment, PORT: '0', ...env });

  it('refuses a wrong or half configuration in words', async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ KEY_PROVIDER: 'vault' }, /KEY_PROVIDER must be local, aws-kms or pkcs11/],
      [{ KEY_PROVIDER: 'aws-kms' }, /AWS_KMS_KEY_ID is required with KEY_PROVIDER=aws-kms/],
      [{ KEY_PROVIDER: 'aws-kms', AWS_KMS_KEY_ID: 'alias/x', AWS_REGION: '' }, /AWS_REGION is required/],
      [{ ...kms.env, AWS_ENDPOINT_URL_KMS: 'http://kms.example.com' }, /AWS_ENDPOINT_URL.* must be a URL/],
      [
        { KEY_PROVIDER: 'pkcs11', PKCS11_MODULE: '/x' },
        /PKCS11_TOKEN_LABEL is required with KEY_PROVIDER=pkcs11/,
      ],
      [{ KEY_PROVIDER: 'pkcs11', PKCS11_PIN: '1' }, /PKCS11_PIN is not read: put the PIN into a file/],
      [{ AWS_KMS_KEY_ID: 'alias/x' }, /AWS_KMS_KEY_ID is not for KEY_PROVIDER=local/],
      [{ KEY_CACHE_SECONDS: '60' }, /KEY_CACHE_SECONDS is not for KEY_PROVIDER=local/],
    ];
    for (const [env, message] of cases) {
      const { code, output } = await start(env);
      assert.notEqual(code, 0);
      assert.match(output, message);
    }
  });
});
