/** Failed logins of strangers: ten are free on each account, then each attempt waits, at most a minute. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertError, startRunningService, unique } from '../support/running-service.ts';

const world = await startRunningService();
after(() => world.stop());

const logIn = (email: string, password: string) =>
  world.api('POST', '/v1/auth/login', { body: { email, password } });

async function fail(email: string, times: number): Promise<void> {
  for (let attempt = 0; attempt < times; attempt++) {
    assertError(await logIn(email, `wrong ${attempt}`), 401, 'wrong_credentials');
  }
}

/**
 * Fails so often, and as if more failures had followed at once: then the delay is a minute, the longest. After ten it is 5 s, in which
 * a busy machine may not ask in time.
 */
async function failTooOften(email: string, times = 1): Promise<void> {
  await fail(email, times);
  await world.query(
    "update login_failure_counts set failures = 14, failed_at = now() where key like 'account:%' and failures > 0",
  );
}

describe('after too many failed logins', () => {
  it('429 with Retry-After, for the right password too, until the delay has passed; ten are free', async () => {
    const { email, password } = await world.newUser();
    await failTooOften(email, 10);
    for (const tried of ['wrong', password]) {
      const answer = await logIn(email, tried);
      assertError(answer, 429);
      const seconds = Number(answer.headers.get('retry-after'));
      assert.ok(Number.isInteger(seconds) && seconds > 0 && seconds <= 60, `Retry-After ${seconds}`);
    }
    await world.query("update login_failure_counts set failed_at = failed_at - interval '1 minute'");
    assert.equal((await logIn(email, password)).status, 200);
  });

  it('an e-mail that nobody has is counted alike', async () => {
    const email = `${unique('nobody')}@example.com`;
    await failTooOften(email);
    assertError(await logIn(email, 'wrong'), 429);
  });

  it('the spelling of the e-mail in upper case gives no more', async () => {
    const email = `${unique('nobody')}@example.com`;
    await failTooOften(email);
    assertError(await logIn(email.toUpperCase(), 'wrong'), 429);
  });

  it('a forged X-Forwarded-For gives no more', async () => {
    const email = `${unique('nobody')}@example.com`;
    await failTooOften(email);
    const headers = {
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'for=203.0.113.9',
      'x-real-ip': '203.0.113.9',
    };
    const body = { email, password: 'wrong' };
    assertError(await world.api('POST', '/v1/auth/login', { headers, body }), 429);
  });

  it('other users, and sessions that are open, are unaffected', async () => {
    const [user, other] = [await world.newUser(), await world.newUser()];
    await failTooOften(user.email);
    assertError(await logIn(user.email, user.password), 429);
    assert.equal((await logIn(other.email, other.password)).status, 200);
    assert.equal((await world.api('GET', '/v1/auth/me', { token: user.token })).status, 200);
  });

  it('9 of them do no harm', async () => {
    const { email, password } = await world.newUser();
    await fail(email, 9);
    assert.equal((await logIn(email, password)).status, 200);
  });
});

describe('POST /v1/auth/password', () => {
  const change = (token: string, current_password: string, new_password: string) =>
    world.api('POST', '/v1/auth/password', { token, body: { current_password, new_password } });

  it('changes the password; every other session of the user dies', async () => {
    const user = await world.newUser();
    const { body } = await logIn(user.email, user.password);
    const next = 'another horse, another battery';
    const answer = await change(user.token, user.password, next);
    assert.equal(answer.status, 200);
    assert.equal((await world.api('GET', '/v1/auth/me', { token: user.token })).status, 200);
    assertError(await world.api('GET', '/v1/auth/me', { token: body.data.token }), 401);
    assertError(await logIn(user.email, user.password), 401, 'wrong_credentials');
    assert.equal((await logIn(user.email, next)).status, 200);
  });

  it('refuses a wrong current password, a short new one, and an API key', async () => {
    const user = await world.newUser();
    const { api_key } = await world.newWallet(user.token);
    const wrong = await change(user.token, 'wrong', 'another horse, another battery');
    assert.ok(wrong.status >= 400 && wrong.status < 500);
    assertError(await change(user.token, user.password, 'short'), 400);
    assertError(
      await change(api_key, user.password, 'another horse, another battery'),
      401,
      'login_required',
    );
    assert.equal((await logIn(user.email, user.password)).status, 200);
  });
});
