import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { type FakeKms, startFakeKms } from '../../../test/support/fake-kms.ts';
import { systemClock } from '../../lib/clock.ts';
import { openAwsKms } from './aws-kms.ts';
import { type KeyProvider, KeyProviderError, type ProviderFault } from './key-provider.ts';

const REGION = 'eu-central-1';
/** Nothing on this machine takes so long, however busy it is. */
const PATIENT = { request_ms: 60_000, call_ms: 180_000 };
const CONTEXT = { id: 'wal_1', public_key: randomBytes(32) };

process.env.AWS_ACCESS_KEY_ID = 'AKIATEST';
process.env.AWS_SECRET_ACCESS_KEY = 'secret';
const kms = await startFakeKms({ keep: true });
after(() => kms.close());
const provider = open(kms);
after(() => provider.close());

beforeEach(() => {
  kms.fail(null);
  kms.calls.length = 0;
});

function open(
  { url, key_id }: Pick<FakeKms, 'url' | 'key_id'>,
  { region = REGION, times = PATIENT } = {},
): KeyProvider {
  return openAwsKms({ key_id, region, endpoint: new URL(url) }, systemClock, times);
}

/** A copy of the data key, which the provider itself wipes. */
async function make(context = CONTEXT, from = provider): Promise<{ data_key: Buffer; wrapped: Buffer }> {
  return from.makeDataKey(context, (data_key, wrapped) => ({ data_key: Buffer.from(data_key), wrapped }));
}

const unwrap = (wrapped: Buffer, context = CONTEXT, from = provider) =>
  from.unwrapDataKey(wrapped, context, (data_key) => Buffer.from(data_key));

async function faultOf(work: Promise<unknown>): Promise<ProviderFault> {
  const error = await work.then(
    () => assert.fail('it succeeded'),
    (thrown: unknown) => thrown,
  );
  assert(error instanceof KeyProviderError, `${error}`);
  return error.fault;
}

test('a data key is unwrapped for its own wallet and public key, and for no other', async () => {
  const { data_key, wrapped } = await make();
  assert.deepEqual(data_key, kms.data_keys[0]);
  assert.deepEqual(await unwrap(wrapped), data_key);
  assert.equal(await faultOf(unwrap(wrapped, { ...CONTEXT, id: 'wal_2' })), 'refused');
  assert.equal(await faultOf(unwrap(wrapped, { ...CONTEXT, public_key: randomBytes(32) })), 'refused');
  assert.equal(await faultOf(unwrap(randomBytes(92))), 'refused');
});

test('the memory of a data key is wiped when its use is over, also when that fails', async () => {
  const { wrapped } = await make();
  let kept = await provider.unwrapDataKey(wrapped, CONTEXT, (data_key) => data_key);
  assert.deepEqual(kept, Buffer.alloc(32));
  const failing = provider.unwrapDataKey(wrapped, CONTEXT, (data_key) => {
    kept = data_key;
    assert.notDeepEqual(kept, Buffer.alloc(32));
    throw new Error('used wrongly');
  });
  await assert.rejects(failing, /used wrongly/);
  assert.deepEqual(kept, Buffer.alloc(32));
});

const ANSWERS: [
  name: string,
  fault: Parameters<FakeKms['fail']>[0],
  expected: ProviderFault,
  calls: number,
][] = [
  ['a disabled key', { error: 'DisabledException' }, 'disabled', 1],
  ['a key that is to be deleted', { error: 'KMSInvalidStateException' }, 'disabled', 1],
  ['a missing right', { error: 'AccessDeniedException' }, 'denied', 1],
  ['a wrong clock', { error: 'InvalidSignatureException' }, 'denied', 1],
  ['credentials that stay expired', { error: 'ExpiredTokenException' }, 'denied', 2],
  ['a key that does not exist', { error: 'NotFoundException' }, 'unusable', 1],
  ['too many requests', { error: 'ThrottlingException' }, 'throttled', 3],
  ['a fault inside KMS', { error: 'KMSInternalException', status_code: 500 }, 'away', 3],
  ['an error without a known name', { error: 'SomethingNewException' }, 'away', 3],
  ['HTML from a proxy', 'html', 'away', 3],
  ['an answer that breaks off', 'cut', 'away', 3],
  ['a connection that breaks off', 'reset', 'away', 3],
  ['an answer without a key', 'empty', 'away', 1],
];

for (const [name, fault, expected, calls] of ANSWERS)
  test(`${name} is reported as "${expected}", after ${calls} requests`, async () => {
    const { wrapped } = await make();
    kms.calls.length = 0;
    kms.fail(fault);
    assert.equal(await faultOf(unwrap(wrapped)), expected);
    assert.equal(kms.calls.length, calls);
  });

/** What has no bound of its own would take for ever. */
const timed = { timeout: 300_000 };

for (const [what, times] of Object.entries({
  request: { request_ms: 300, call_ms: 180_000 },
  call: { request_ms: 180_000, call_ms: 300 },
}))
  test(`without an answer each ${what} ends in bounded time, as "away"`, timed, async (context) => {
    const { wrapped } = await make();
    kms.fail('hang');
    const impatient = open(kms, { times });
    context.after(() => impatient.close());
    assert.equal(await faultOf(unwrap(wrapped, CONTEXT, impatient)), 'away');
  });

test('a fault that passes costs only time', async () => {
  const { data_key, wrapped } = await make();
  for (const fault of ['reset', 'html', { error: 'ThrottlingException' }] as const) {
    kms.fail(fault, 2);
    assert.deepEqual(await unwrap(wrapped), data_key);
  }
});

test('bytes that KMS cannot have wrapped are refused, and it is not asked about them', async () => {
  for (const length of [0, 6_145]) assert.equal(await faultOf(unwrap(randomBytes(length))), 'refused');
  assert.equal(kms.calls.length, 0);
});

test('a request that KMS finds invalid: the bytes are refused, or the key cannot be used', async () => {
  const { wrapped } = await make();
  kms.fail({ error: 'ValidationException' });
  assert.equal(await faultOf(unwrap(wrapped)), 'refused');
  assert.equal(await faultOf(make()), 'unusable');
});

test('credentials that cannot be sent count as away; an error of the use stays its own', async (context) => {
  process.env.AWS_SESSION_TOKEN = 'broken\u0001token';
  context.after(() => {
    delete process.env.AWS_SESSION_TOKEN;
  });
  const other = open(kms);
  context.after(() => other.close());
  assert.equal(await faultOf(make(CONTEXT, other)), 'away');
  const own = new TypeError('used wrongly');
  const failing = provider.makeDataKey(CONTEXT, () => {
    throw own;
  });
  await assert.rejects(failing, (error) => error === own);
});

test('a provider that cannot be reached at all is away', async () => {
  const gone = await startFakeKms();
  await gone.close();
  const other = open(gone);
  assert.equal(await faultOf(other.makeDataKey(CONTEXT, () => null)), 'away');
  await other.close();
});

test('a key of another region is not found, and its data keys are not opened', async () => {
  const elsewhere = await startFakeKms({ region: 'us-east-1' });
  const other = open(elsewhere, { region: 'us-east-1' });
  const foreign = await other.makeDataKey(CONTEXT, (_data_key, wrapped) => wrapped);
  assert.equal(await faultOf(unwrap(foreign)), 'refused');
  const misplaced = open({ url: kms.url, key_id: elsewhere.key_id });
  assert.equal(await faultOf(misplaced.makeDataKey(CONTEXT, () => null)), 'unusable');
  for (const each of [other, misplaced]) await each.close();
  await elsewhere.close();
});

test('credentials that were replaced are read again', async (context) => {
  const { data_key, wrapped } = await make();
  process.env.AWS_ACCESS_KEY_ID = 'AKIANEW';
  kms.accept('AKIANEW');
  context.after(() => {
    process.env.AWS_ACCESS_KEY_ID = 'AKIATEST';
    kms.accept('AKIATEST');
  });
  assert.deepEqual(await unwrap(wrapped), data_key);
  process.env.AWS_ACCESS_KEY_ID = 'AKIATEST';
  kms.accept('AKIATEST');
  assert.deepEqual(await unwrap(wrapped), data_key);
});

test('many calls at once each get their own data key', async () => {
  const made = await Promise.all(
    Array.from({ length: 200 }, (_, index) => make({ ...CONTEXT, id: `wal_${index}` })),
  );
  const opened = await Promise.all(
    made.map(({ wrapped }, index) => unwrap(wrapped, { ...CONTEXT, id: `wal_${index}` })),
  );
  assert.deepEqual(
    opened,
    made.map(({ data_key }) => data_key),
  );
  assert.equal(new Set(opened.map((key) => key.toString('hex'))).size, 200);
});
