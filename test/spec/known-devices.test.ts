/** Login and invitations behind a trusted proxy, at two processes: strangers delay each other, and no known device. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Answer } from '../support/api.ts';
import { assertError, startRunningService, startSecond, unique } from '../support/running-service.ts';
import { type TestService, teller } from '../support/service.ts';

const TRUSTED_PROXIES = '127.0.0.1/32, 10.0.0.0/8';
const world = await startRunningService({ TRUSTED_PROXIES });
const second = await startSecond(world, { TRUSTED_PROXIES });
after(async () => {
  const code = await second.stop();
  await world.stop();
  assert.equal(code, 0, second.output());
});

type From = { address?: string; cookie?: string; scheme?: string; at?: TestService };

function logIn(email: string, password: string, from: From = {}): Promise<Answer> {
  const { address = '192.0.2.1', cookie, scheme, at = world.service } = from;
  const headers = {
    'x-forwarded-for': address,
    ...(cookie && { cookie }),
    ...(scheme && { 'x-forwarded-proto': scheme }),
  };
  return at.api('POST', '/v1/auth/login', { headers, body: { email, password } });
}

/** `index`: up to 65,535, each an address of another group. */
const addressOf = (index: number) => `198.${18 + (index >> 8)}.${index & 255}.1`;

function cookieOf({ headers }: Answer): string {
  const [line = ''] = headers.getSetCookie();
  return line.split(';')[0] ?? '';
}

describe('POST /v1/auth/login', () => {
  it('keeps a device cookie that only this host gets back, over HTTPS or on the machine itself', async () => {
    const { email, password } = await world.newUser();
    for (const scheme of [undefined, 'https']) {
      const [line = ''] = (
        await logIn(email, password, { ...(scheme && { scheme }) })
      ).headers.getSetCookie();
      assert.match(
        line,
        /^__Host-teller-device=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
      );
    }
    assert.deepEqual((await logIn(email, 'wrong')).headers.getSetCookie(), [], 'after a failure none');
  });

  it('of a burst from many addresses at two processes one guess is checked in its turn; the owner at a known device is not delayed', async () => {
    const { email, password } = await world.newUser();
    const cookie = cookieOf(await logIn(email, password));
    assertError(await logIn(email, 'wrong'), 401);
    // As after 14, whose delay is over: the next one is checked, and the one after it a minute later.
    await world.query(
      "update login_failure_counts set failures = 14, failed_at = now() - interval '1 minute' where key like 'account:%'",
    );
    const burst = Array.from({ length: 60 }, (_, index) =>
      logIn(email, 'wrong', { address: addressOf(index), at: index % 2 === 0 ? world.service : second }),
    );
    for (const at of [world.service, second])
      assert.equal((await logIn(email, password, { cookie, at })).status, 200);
    const statuses = (await Promise.all(burst)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [401, ...Array(59).fill(429)]);
    const stranger = await logIn(email, password);
    assertError(stranger, 429, 'too_many_logins');
    const seconds = Number(stranger.headers.get('retry-after'));
    assert.ok(seconds >= 1 && seconds <= 60, `Retry-After ${seconds}`);
  });

  it('an address is what the last trusted proxy saw, whatever the client claims before it', async () => {
    const address = '203.0.113.7';
    const fail = (claimed: string) => logIn(`${unique('nobody')}@example.com`, 'wrong', { address: claimed });
    for (let attempt = 0; attempt < 3; attempt++)
      assertError(await fail(`198.51.100.${attempt}, ${address}, 10.0.0.1`), 401);
    // As after 100. So many real ones may take longer than the 36 s after which one is forgotten.
    const counts = await world.query(
      "update login_failure_counts set failures = failures + 97, failed_at = now() where key like 'addresses:203.0.113.%' returning failures",
    );
    assert.deepEqual(counts, [{ failures: 100 }]);
    for (const claimed of [address, `1.2.3.4, ${address}`, `10.0.0.9, ${address}, 10.0.0.1`])
      assertError(await fail(claimed), 429, 'too_many_logins');
    assertError(await fail(`${address}, 192.0.2.9`), 401);
  });

  it('after 100 tokens from one address group that open no invitation the next ones wait; a right one passes', async () => {
    const body = { email: `${unique('invited')}@example.com`, role: 'viewer' };
    const { token } = (await world.api('POST', '/v1/team/invitations', { token: world.token, body })).body
      .data;
    const open = (token: string, address: string, path = 'read', more = {}) =>
      world.api('POST', `/v1/auth/invitations/${path}`, {
        headers: { 'x-forwarded-for': address },
        body: { token, ...more },
      });
    assertError(await open('unknown', '203.0.114.1'), 404, 'not_found');
    assertError(await open('unknown', '203.0.114.2', 'accept', { password: 'a long one' }), 404, 'not_found');
    const counts = await world.query(
      "update login_failure_counts set failures = failures + 98, failed_at = now() where key like 'invitations:203.0.114.%' returning failures",
    );
    assert.deepEqual(counts, [{ failures: 100 }]);
    assertError(await open('unknown', '203.0.114.3'), 429, 'too_many_logins');
    assertError(await open('unknown', '203.0.115.1'), 404, 'not_found');
    assert.equal((await open(token, '203.0.114.3')).status, 200);
  });

  it('refuses to start with a proxy that is no address', async () => {
    const { code, output } = await teller(['serve'], { TRUSTED_PROXIES: 'proxy.internal' });
    assert.equal(code, 1);
    assert.match(output, /TRUSTED_PROXIES must be addresses or CIDR blocks separated by commas/);
  });
});

describe('a new password that is easy to guess', () => {
  const change = (token: string, current_password: string, new_password: string) =>
    world.api('POST', '/v1/auth/password', { token, body: { current_password, new_password } });

  it('gets 400, which names the field and says why; the password stays', async () => {
    const user = await world.newUser();
    const refused: [string, RegExp][] = [
      ['Password123', /one of the most common passwords/],
      ['stellar-teller', /only the e-mail address or the name of this service/],
      [user.email, /only the e-mail address or the name of this service/],
    ];
    for (const [new_password, words] of refused) {
      const answer = await change(user.token, user.password, new_password);
      const [detail] = assertError(answer, 400, 'invalid_request') as { path: string; message: string }[];
      assert.equal(detail?.path, '/new_password');
      assert.match(detail?.message ?? '', words);
    }
    assert.equal((await logIn(user.email, user.password)).status, 200);
  });

  it('makes no user by the command', async () => {
    const email = `${unique('nobody')}@example.com`;
    const env = { ...world.environment, PASSWORD: 'iloveyou' };
    const { code, output } = await teller(['user', 'create', '--email', email], env);
    assert.equal(code, 1);
    assert.equal(output, 'The password is one of the most common passwords: choose another one.\n');
    assert.deepEqual(await world.query('select 1 from users where email = $1', [email]), []);
  });
});
