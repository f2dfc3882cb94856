/** Failed logins over HTTP, on a clock that the tests move: who delays whom, and for how long. */

import { strict as assert } from 'node:assert';
import { createHook } from 'node:async_hooks';
import { after, before, beforeEach, test } from 'node:test';
import { ACTOR } from '../../../test/support/acting.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { buildApp } from '../../api/app.ts';
import type { Deps } from '../../deps.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { addressGroup } from '../../lib/client-address.ts';
import { hashingTurn } from '../passwords/hashing-turns.ts';
import { accountLimit, addressGroupLimit } from '../passwords/login-limits.ts';
import { createUser } from './login.ts';

const PASSWORD = 'correct horse';
const PROXY = '10.0.0.1';

let world: InProcessService;
let deps: Deps;
let app: HttpApp;
/** A process of its own on the same database. */
let second: HttpApp;
let now = new Date();

before(async () => {
  world = await startInProcess({ HOST: '0.0.0.0', TRUSTED_PROXIES: PROXY });
  const clock = { ...world.deps.clock, now: () => now };
  deps = { ...world.deps, clock };
  app = await buildApp(deps, {} as Parameters<typeof buildApp>[1]);
  second = await buildApp({ ...world.another(), clock }, {} as Parameters<typeof buildApp>[1]);
});
after(async () => {
  await app.close();
  await second.close();
  await world.close();
});
beforeEach(() => pass(3_600));

function pass(seconds: number): void {
  now = new Date(now.getTime() + seconds * 1000);
}

let serial = 0;
/** An address of a group that nobody else has. */
const newAddress = () => `2001:db8:${(++serial).toString(16)}::1`;
const newEmail = () => `user${++serial}@example.com`;

async function newUser(): Promise<string> {
  const email = newEmail();
  await createUser(deps, { email, password: PASSWORD, name: '' }, ACTOR);
  return email;
}

type Answer = { status: number; retry_after_seconds: number; cookie: string; words: string };
type From = { address?: string; cookie?: string; at?: HttpApp; headers?: Record<string, string> };

async function logIn(email: string, password: string, from: From = {}): Promise<Answer> {
  const { address = newAddress(), cookie = '', at = app, headers = {} } = from;
  const answer = await at.inject({
    method: 'POST',
    url: '/v1/auth/login',
    payload: { email, password },
    headers: { host: 'localhost', cookie, ...headers },
    remoteAddress: address,
  });
  const { message, error } = answer.json();
  return {
    status: answer.statusCode,
    retry_after_seconds: Number(answer.headers['retry-after'] ?? 0),
    cookie: `${answer.headers['set-cookie'] ?? ''}`.split(';')[0] ?? '',
    words: `${message} ${error?.code}`,
  };
}

async function fail(email: string, times: number, from: From = {}): Promise<void> {
  for (let attempt = 0; attempt < times; attempt++)
    assert.equal((await logIn(email, 'wrong', from)).status, 401, `attempt ${attempt}`);
}

/** Lets a limit have as many failures as if all but the last one had been real: each real one costs a hash. */
async function write(key: string, failures: number): Promise<void> {
  const written = 'update login_failure_counts set failures = $1 where key = $2';
  assert.equal((await deps.pool.query(written, [failures, key])).rowCount, 1);
}

async function failTenTimes(email: string): Promise<void> {
  await fail(email, 1);
  await write(accountLimit(deps.device_keys.current(), email).key, 10);
}

async function failFrom(address: string, times: number): Promise<void> {
  await fail(newEmail(), 1, { address });
  await write(addressGroupLimit(addressGroup(address)).key, times);
}

/** The cookie of a browser in which the user has signed in. */
async function knownDevice(email: string): Promise<string> {
  const { status, cookie } = await logIn(email, PASSWORD);
  assert.equal(status, 200);
  return cookie;
}

test('a thousand addresses against one account do not delay its owner at a known device', async () => {
  const email = await newUser();
  const cookie = await knownDevice(email);
  let guessed = 0;
  for (let round = 0; round < 10; round++) {
    const attack = Array.from({ length: 100 }, () => logIn(email, 'wrong'));
    assert.equal((await logIn(email, PASSWORD, { cookie })).status, 200, `round ${round}`);
    guessed += (await Promise.all(attack)).filter(({ status }) => status === 401).length;
  }
  assert.equal(guessed, 10, 'guesses that were checked');
});

test('the owner without a known device waits with the strangers, at most a minute', async () => {
  const email = await newUser();
  await fail(email, 10);
  for (const seconds of [5, 10, 20, 40, 60, 60]) {
    const refused = await logIn(email, PASSWORD);
    assert.deepEqual([refused.status, refused.retry_after_seconds], [429, seconds]);
    pass(seconds - 1);
    assert.equal((await logIn(email, PASSWORD)).retry_after_seconds, 1);
    pass(1);
    await fail(email, 1);
  }
  pass(60);
  assert.equal((await logIn(email, PASSWORD)).status, 200);
});

test('an attempt that must wait is refused at once, also while no password can be checked', async () => {
  const email = await newUser();
  await failTenTimes(email);
  const blocked = Promise.withResolvers<void>();
  const others = ['a', 'b'].map((group) => hashingTurn({ known: false, group }, () => blocked.promise));
  assert.equal((await logIn(email, PASSWORD)).status, 429);
  blocked.resolve();
  await Promise.all(others);
});

test('a refused attempt makes no delay longer', async () => {
  const email = await newUser();
  await failTenTimes(email);
  for (let attempt = 0; attempt < 20; attempt++) assert.equal((await logIn(email, 'wrong')).status, 429);
  pass(5);
  assert.equal((await logIn(email, PASSWORD)).status, 200);
});

test('a right password ends the count of the device, and takes back only its own attempt from that of the strangers', async () => {
  const email = await newUser();
  const cookie = await knownDevice(email);
  await failTenTimes(email);
  await fail(email, 4, { cookie });
  assert.equal((await logIn(email, PASSWORD, { cookie })).status, 200);
  assert.equal((await logIn(email, 'wrong')).status, 429, 'strangers still wait');
  await fail(email, 5, { cookie });
  assert.equal((await logIn(email, 'wrong', { cookie })).status, 429);
  pass(5);
  await fail(email, 1, { cookie });
  assert.equal((await logIn(email, PASSWORD, { cookie })).status, 429, 'the device still waits');
  pass(60);
  for (let times = 0; times < 3; times++) assert.equal((await logIn(email, PASSWORD)).status, 200);
  await fail(email, 1);
  assert.equal((await logIn(email, PASSWORD)).status, 429, 'it has ended no failures');
});

/** A user of another team with the same e-mail, and a password that is known to whoever guesses at the first one. */
async function newNamesake(email: string): Promise<void> {
  assert.ok(await createUser(deps, { email, password: 'known to me', name: '' }, ACTOR, { another: true }));
}

test('whoever has a user with the e-mail of another one guesses no more, and sees nothing of it', async () => {
  const [shared, alone] = [await newUser(), newEmail()];
  for (const email of [shared, alone]) await newNamesake(email);
  const answers = [];
  for (const email of [shared, alone]) {
    const answered: (string | number)[] = [];
    const attempt = async (password: string, cookie = '') => {
      const answer = await logIn(email, password, { cookie });
      answered.push(answer.status, answer.retry_after_seconds, answer.words);
      return answer.cookie;
    };
    const devices = [];
    for (let times = 0; times < 3; times++) devices.push(await attempt('known to me'));
    for (const device of devices) {
      for (let times = 0; times < 4; times++) await attempt('wrong', device);
      await attempt('known to me', device); // ends the count of the device, and no other
    }
    await attempt('known to me');
    for (let times = 0; times < 3; times++) await attempt('wrong');
    // The guesses with three devices are as many guesses of a stranger.
    await attempt(PASSWORD);
    await attempt(PASSWORD, devices[0]);
    answers.push(answered);
  }
  assert.deepEqual(answers[0], answers[1]);
  const [status, , words] = answers[0]?.slice(-3) ?? [];
  assert.deepEqual([status, `${words}`.split(' ').at(-1)], [401, 'wrong_credentials']);
  pass(3_600);
  assert.equal((await logIn(shared, PASSWORD)).status, 200, 'the right one, in time');
});

test('two users with one e-mail are known devices of one browser, each for itself', async () => {
  const email = await newUser();
  await newNamesake(email);
  const first = await logIn(email, PASSWORD);
  const { cookie } = await logIn(email, 'known to me', { cookie: first.cookie });
  await failTenTimes(email);
  for (const password of [PASSWORD, 'known to me'])
    assert.equal((await logIn(email, password, { cookie })).status, 200);
  const hashes = await deps.pool.query('select password_hash from users where email = $1', [email]);
  const salts = hashes.rows.map((row) => row.password_hash.split('$')[4]);
  assert.equal(new Set(salts).size, 1, 'a login computes one hash, however many users have the e-mail');
});

test('a stolen device cookie has five guesses of its own, and delays no other device', async () => {
  const email = await newUser();
  const [stolen, other] = [await knownDevice(email), await knownDevice(email)];
  await fail(email, 5, { cookie: stolen });
  for (const address of [newAddress(), newAddress()])
    assert.equal((await logIn(email, PASSWORD, { cookie: stolen, address })).retry_after_seconds, 5);
  assert.equal((await logIn(email, PASSWORD, { cookie: other })).status, 200);
  assert.equal((await logIn(email, PASSWORD)).status, 200);
});

test('the cookie of another user, or a forged one, is nothing', async () => {
  const [email, other] = [await newUser(), await newUser()];
  const cookies = [await knownDevice(other), `${await knownDevice(email)}x`, '__Host-teller-device=x'];
  await failTenTimes(email);
  for (const cookie of cookies) assert.equal((await logIn(email, PASSWORD, { cookie })).status, 429);
});

test('a device cookie is no credential', async () => {
  const cookie = await knownDevice(await newUser());
  const answer = await app.inject({ url: '/v1/auth/me', headers: { host: 'localhost', cookie } });
  assert.equal(answer.statusCode, 401);
});

test('over plain HTTP to another host the cookie has no mark of a secure one, and works', async () => {
  const email = await newUser();
  const host = 'teller.example.com';
  const forged = { host, 'x-forwarded-proto': 'https' };
  for (const headers of [{ host }, forged]) {
    const { cookie } = await logIn(email, PASSWORD, { headers });
    assert.match(cookie, /^teller-device=/);
    await failTenTimes(email);
    assert.equal((await logIn(email, PASSWORD, { headers, cookie })).status, 200);
    pass(3_600);
    assert.equal((await logIn(email, PASSWORD)).status, 200);
  }
  const proxied = { headers: forged, address: PROXY };
  assert.match((await logIn(email, PASSWORD, proxied)).cookie, /^__Host-teller-device=/);
  const plain = { headers: { host, 'x-forwarded-proto': 'https, http' }, address: PROXY };
  assert.match((await logIn(email, PASSWORD, plain)).cookie, /^teller-device=/, 'what the proxy itself says');
});

test('a proxy in the private network that is not trusted is reported once; a public address never is', async () => {
  const reported: unknown[] = [];
  const log = Object.create(deps.log, { warn: { value: (about: object) => reported.push(about) } });
  const reporting = await buildApp({ ...deps, log }, {} as Parameters<typeof buildApp>[1]);
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  for (const address of ['198.51.100.1', PROXY, '10.0.0.2', '10.0.0.3'])
    await logIn(newEmail(), 'wrong', { at: reporting, address, headers });
  await logIn(newEmail(), 'wrong', { at: reporting, address: '10.0.0.2' });
  await reporting.close();
  assert.deepEqual(reported, [{ proxy: '10.0.0.2' }]);
});

test('one browser is a known device of several users', async () => {
  const [email, other] = [await newUser(), await newUser()];
  const { cookie } = await logIn(other, PASSWORD, { cookie: await knownDevice(email) });
  for (const one of [email, other]) {
    await failTenTimes(one);
    assert.equal((await logIn(one, PASSWORD, { cookie })).status, 200);
  }
});

test('with another password only the browser that has set it is still a known device', async () => {
  const email = await newUser();
  const [here, elsewhere] = [await knownDevice(email), await knownDevice(email)];
  const session = await app.inject({
    method: 'POST',
    url: '/v1/auth/login',
    payload: { email, password: PASSWORD },
    headers: { host: 'localhost' },
  });
  const new_password = 'another horse';
  const changed = await app.inject({
    method: 'POST',
    url: '/v1/auth/password',
    payload: { current_password: PASSWORD, new_password },
    headers: { host: 'localhost', cookie: here, authorization: `Bearer ${session.json().data.token}` },
  });
  assert.equal(changed.statusCode, 200);
  const cookie = `${changed.headers['set-cookie']}`.split(';')[0] ?? '';
  await failTenTimes(email);
  assert.equal((await logIn(email, new_password, { cookie })).status, 200);
  assert.equal((await logIn(email, new_password, { cookie: elsewhere })).status, 429);
});

test('strangers do not delay a change of the password, and a stolen session has five guesses', async () => {
  const email = await newUser();
  const [one, other] = await Promise.all(
    [1, 2].map(async () => {
      const { json } = await app.inject({
        method: 'POST',
        url: '/v1/auth/login',
        payload: { email, password: PASSWORD },
        headers: { host: 'localhost' },
      });
      return json().data.token as string;
    }),
  );
  await failTenTimes(email);
  const change = async (token: string | undefined, current_password: string) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/auth/password',
      payload: { current_password, new_password: 'another horse' },
      headers: { host: 'localhost', authorization: `Bearer ${token}` },
    });
    return answer.statusCode;
  };
  for (let attempt = 0; attempt < 5; attempt++) assert.equal(await change(one, 'wrong'), 401);
  assert.equal(await change(one, PASSWORD), 429);
  assert.equal(await change(other, PASSWORD), 200);
});

test('an e-mail that nobody has is delayed with the same words, after the same number of failures', async () => {
  const emails = [await newUser(), newEmail()];
  for (let attempt = 0; attempt < 13; attempt++) {
    const [known, unknown] = [
      await logIn(emails[0] as string, 'wrong'),
      await logIn(emails[1] as string, 'wrong'),
    ];
    assert.deepEqual(known, unknown);
  }
});

test('an e-mail that nobody has costs one hash, as a wrong password does: no answer comes sooner', async () => {
  const known = await newUser();
  const begun: string[] = [];
  const counting = createHook({ init: (_id, type) => void begun.push(type) }).enable();
  for (const email of [known, newEmail()]) {
    begun.length = 0;
    await fail(email, 1);
    assert.equal(begun.filter((type) => type === 'ARGON2REQUEST').length, 1, email);
  }
  counting.disable();
});

test('an address group is limited over all accounts, and others are not', async () => {
  const address = '203.0.113.7';
  await failFrom(address, 99);
  await fail(newEmail(), 1, { address });
  const email = await newUser();
  for (const other of [address, '203.0.113.250', '::ffff:203.0.113.8']) {
    const { status, retry_after_seconds } = await logIn(email, PASSWORD, { address: other });
    assert.deepEqual([status, retry_after_seconds], [429, 36], other);
  }
  assert.equal((await logIn(email, PASSWORD, { address: '203.0.114.7' })).status, 200);
  pass(36);
  await fail(newEmail(), 1, { address });
  assert.equal((await logIn(newEmail(), 'wrong', { address })).status, 429);
});

test('a known device is not limited with its address group', async () => {
  const email = await newUser();
  const [cookie, address] = [await knownDevice(email), '198.51.100.7'];
  await failFrom(address, 100);
  assert.equal((await logIn(email, PASSWORD, { address })).status, 429);
  assert.equal((await logIn(email, PASSWORD, { address, cookie })).status, 200);
});

test('right passwords do not use up the limit of an address group, and give none back', async () => {
  const [email, address] = [await newUser(), '192.0.2.7'];
  await failFrom(address, 99);
  for (let attempt = 0; attempt < 5; attempt++)
    assert.equal((await logIn(email, PASSWORD, { address })).status, 200);
  await fail(newEmail(), 1, { address });
  assert.equal((await logIn(newEmail(), 'wrong', { address })).status, 429);
});

test('of a burst at two processes at once, from as many addresses, ten guesses are checked', async () => {
  const email = await newUser();
  const burst = Array.from({ length: 80 }, (_, index) =>
    logIn(email, 'wrong', { at: index % 2 === 0 ? app : second }),
  );
  const checked = (await Promise.all(burst)).filter(({ status }) => status === 401).length;
  assert.equal(checked, 10);
  assert.equal((await logIn(email, PASSWORD, { at: second })).status, 429);
});

test('the table holds a hundred thousand counts at most, none older than an hour, and no e-mail', async () => {
  const count = async () =>
    Number((await deps.pool.query('select count(*) from login_failure_counts')).rows[0].count);
  await deps.pool.query(
    `insert into login_failure_counts (key, failures, failed_at)
     select 'account:' || n, 1, $1::timestamptz - n * interval '1 millisecond' from generate_series(1, 100500) n`,
    [now],
  );
  const email = newEmail();
  pass(61);
  await fail(email, 1);
  assert.equal(await count(), 100_002, 'those of the last attempt come after');
  const oldest = await deps.pool.query(`select 1 from login_failure_counts where key = 'account:100500'`);
  assert.equal(oldest.rows.length, 0, 'the oldest go first');
  const shown = await deps.pool.query('select 1 from login_failure_counts where key like $1', [`%${email}%`]);
  assert.equal(shown.rows.length, 0);
  pass(3_600);
  await fail(newEmail(), 1);
  assert.equal(await count(), 2);
});
