/** Sessions: of browsers by cookie, of programs by token; listed, ended and renewed. Two processes on one database. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Answer, Call } from '../support/api.ts';
import { assertError, joinService, startSecond, type User, unique } from '../support/running-service.ts';
import type { TestService } from '../support/service.ts';

const world = await joinService();
let second: TestService;
before(async () => {
  second = await startSecond(world);
});
after(async () => {
  const code = await second.stop();
  await world.stop();
  assert.equal(code, 0, second.output());
});

const FROM_PAGE = { 'teller-browser': 'active', 'sec-fetch-site': 'same-origin' };
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const portOf = ({ url }: TestService) => new URL(url).port;

const logIn = ({ email, password }: User, headers: Record<string, string> = {}, at = world.service) =>
  at.api('POST', '/v1/auth/login', { headers, body: { email, password } });

/** The name and the value of the session's cookie, as a browser sends them. */
function cookieOf({ headers }: Answer): string {
  const line = headers.getSetCookie().find((each) => each.startsWith('__Host-teller-session'));
  return line?.split(';')[0] ?? '';
}

async function signIn(user: User, at = world.service): Promise<string> {
  const answer = await logIn(user, { ...FROM_PAGE, 'user-agent': FIREFOX }, at);
  assert.equal(answer.status, 200, answer.text);
  return cookieOf(answer);
}

/** As the page of the dashboard asks. */
const asPage = (cookie: string, method: string, path: string, options: Call = {}, at = world.service) =>
  at.api(method, path, { ...options, headers: { ...FROM_PAGE, cookie, ...options.headers } });
const me = (token: string, at = world.service) => at.api('GET', '/v1/auth/me', { token });
const meOf = (cookie: string, at = world.service) => asPage(cookie, 'GET', '/v1/auth/me', {}, at);
const tokenIn = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);
const sessionsOf = async (token: string) =>
  (await world.api('GET', '/v1/auth/sessions', { token })).body.data.items as any[];

type Operation = { method: string; path: string };

async function loginOperations(): Promise<Operation[]> {
  const document: any = await (await fetch(`${world.service.url}/openapi.json`)).json();
  return Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).flatMap(([method, { 'x-roles': roles }]) =>
      roles ? [{ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, 'none') }] : [],
    ),
  );
}

describe('a browser that signs in with Teller-Browser', () => {
  it('gets the token as a cookie that no script reads, and not in the body', async () => {
    const user = await world.newUser();
    const answer = await logIn(user, FROM_PAGE);
    assert.deepEqual(Object.keys(answer.body.data), ['user']);
    const [device = '', session = ''] = answer.headers.getSetCookie();
    assert.match(device, /^__Host-teller-device=/);
    const name = `__Host-teller-session-${portOf(world.service)}`;
    assert.match(
      session,
      new RegExp(`^${name}=[\\w-]+\\.[\\w-]+\\.[\\w-]+; Path=/; HttpOnly; Secure; SameSite=Strict$`),
    );
    assert.ok(!answer.text.includes(tokenIn(cookieOf(answer))));
    for (const at of [world.service, second]) {
      const cookie = cookieOf(answer).replace(portOf(world.service), portOf(at));
      const seen = await meOf(cookie, at);
      assert.equal(seen.body.data.id, user.id);
      assert.equal(seen.headers.get('cache-control'), 'no-store', 'a shared cache would give it to others');
    }
  });

  it('without the header a login answers as SPEC.md says, and sets no cookie of a session', async () => {
    const answer = await logIn(await world.newUser());
    assert.deepEqual(Object.keys(answer.body.data).sort(), ['token', 'user']);
    assert.equal(cookieOf(answer), '');
    assert.equal((await me(answer.body.data.token)).status, 200);
  });

  it('401 for a cookie without Teller-Browser on every operation that is no GET; nothing is changed', async () => {
    const cookie = await signIn(await world.newUser());
    const changing = (await loginOperations()).filter(({ method }) => method !== 'GET');
    assert.ok(changing.length >= 30);
    for (const { method, path } of changing) {
      const headers = { cookie, 'sec-fetch-site': 'same-origin' };
      const answer = await world.api(method, path, { headers, body: {} });
      assert.equal(answer.status, 401, `${method} ${path}: ${answer.text}`);
    }
    assert.equal((await meOf(cookie)).status, 200);
  });

  it('401 for a cookie that comes from another site or port, on every operation, with the header too', async () => {
    const cookie = await signIn(await world.newUser());
    for (const site of ['cross-site', 'same-site'])
      for (const { method, path } of await loginOperations()) {
        const answer = await asPage(cookie, method, path, { headers: { 'sec-fetch-site': site } });
        assert.equal(answer.status, 401, `${site} ${method} ${path}: ${answer.text}`);
      }
    const get = (headers: Record<string, string>) =>
      world.api('GET', '/v1/auth/me', { headers: { cookie, ...headers } });
    assert.equal((await get({ 'sec-fetch-site': 'none' })).status, 200, 'a typed address');
    assert.equal((await get({})).status, 200);
    assert.equal((await get({ origin: world.service.url })).status, 200);
    for (const origin of ['https://example.com', second.url, 'null'])
      assertError(await get({ origin }), 401, 'unauthenticated');
  });

  it('Authorization alone counts when it is there: a wrong one is 401, an API key has the rights of a key', async () => {
    const user = await world.newUser();
    const wallet = await world.newWallet(user.token);
    const cookie = await signIn(user);
    for (const authorization of ['Bearer nonsense', 'Bearer', '', 'Basic eDp5'])
      assertError(await asPage(cookie, 'GET', '/v1/auth/me', { headers: { authorization } }), 401);
    const token = wallet.api_key;
    assert.equal((await asPage(cookie, 'GET', `/v1/wallets/${wallet.id}`, { token })).status, 200);
    assertError(await asPage(cookie, 'GET', '/v1/wallets', { token }), 401, 'login_required');
  });

  it('401 for a page that was opened by another user than the cookie has now', async () => {
    const user = await world.newUser();
    const cookie = await signIn(user);
    const get = (id: string) => asPage(cookie, 'GET', '/v1/wallets', { headers: { 'teller-user': id } });
    assert.equal((await get(user.id)).status, 200);
    assertError(await get('usr_other'), 401, 'unauthenticated');
  });

  it('at two ports of one host has two sessions: each service reads its own cookie', async () => {
    const [one, other] = [await world.newUser(), await world.newUser()];
    const jar = [await signIn(one), await signIn(other, second)].join('; ');
    assert.equal((await meOf(jar)).body.data.id, one.id);
    assert.equal((await meOf(jar, second)).body.data.id, other.id);
  });

  it('signs in again: the session before has ended', async () => {
    const [user, other] = [await world.newUser(), await world.newUser()];
    const before = await signIn(user);
    const again = await logIn(other, { ...FROM_PAGE, cookie: before });
    assert.notEqual(cookieOf(again), before);
    assertError(await meOf(before), 401);
    assert.equal((await meOf(cookieOf(again))).body.data.id, other.id);
    const wrong = await logIn({ ...user, password: 'wrong' }, { ...FROM_PAGE, cookie: cookieOf(again) });
    assert.equal(wrong.status, 401);
    assert.equal((await meOf(cookieOf(again))).status, 200, 'after a refusal the session stays');
  });

  it('signs out: every process refuses the cookie at once, and the answer makes the browser forget it', async () => {
    const cookie = await signIn(await world.newUser());
    const answer = await asPage(cookie, 'POST', '/v1/auth/logout');
    assert.equal(answer.status, 200);
    assert.match(answer.headers.getSetCookie().join(), /^__Host-teller-session-\d+=; Max-Age=0; Path=\/; /);
    assertError(await meOf(cookie), 401);
    assertError(
      await meOf(cookie.replace(portOf(world.service), portOf(second)), second),
      401,
      'unauthenticated',
    );
  });

  it('of a member who is removed is refused at once, on reads too', async () => {
    const { email, password } = {
      email: `${unique('removed')}@example.com`,
      password: 'a long enough secret',
    };
    const body = { email, password, name: 'Removed', role: 'viewer' };
    const member = await world.api('POST', '/v1/team/members', { token: world.token, body });
    const cookie = await signIn({ id: '', token: '', email, password });
    assert.equal((await meOf(cookie)).status, 200);
    const path = `/v1/team/members/${member.body.data.user_id}`;
    assert.equal((await world.api('DELETE', path, { token: world.token })).status, 200);
    for (const asked of ['/v1/auth/me', '/v1/wallets', '/v1/auth/sessions'])
      assertError(await asPage(cookie, 'GET', asked), 401, 'unauthenticated');
  });

  it('a request that waits with a cookie gets no data when the session ends during the wait', async () => {
    const user = await world.newUser();
    const { token } = user;
    const path = `/v1/wallets/${(await world.newWallet(token)).id}`;
    const body = { url: 'https://example.com/' };
    const hook = await world.api('POST', `${path}/webhooks`, { token, body });
    const cookie = await signIn(user);
    const waiting = asPage(cookie, 'GET', `${path}/events?wait_seconds=30&after=0`);
    const list = await sessionsOf(user.token);
    const own = list.find(({ kind }) => kind === 'browser');
    const ended = await world.api('DELETE', `/v1/auth/sessions/${own.id}`, { token: user.token });
    assert.equal(ended.status, 200);
    const event = await world.api('POST', `${path}/webhooks/${hook.body.data.id}/test`, { token });
    assert.equal(event.status, 202, event.text);
    assertError(await waiting, 401, 'unauthenticated');
  });

  it('the token of a cookie is no bearer token, and a bearer token is no cookie', async () => {
    const user = await world.newUser();
    const cookie = await signIn(user);
    assertError(await me(tokenIn(cookie)), 401);
    assertError(await meOf(`__Host-teller-session-${portOf(world.service)}=${user.token}`), 401);
  });

  it('a member who accepts an invitation in a browser gets a cookie too', async () => {
    const email = `${unique('invited')}@example.com`;
    const body = { email, role: 'viewer' };
    const { body: invited } = await world.api('POST', '/v1/team/invitations', { token: world.token, body });
    const accepted = await world.api('POST', '/v1/auth/invitations/accept', {
      headers: FROM_PAGE,
      body: { token: invited.data.token, password: 'a long enough secret', name: 'New' },
    });
    assert.equal(accepted.status, 200, accepted.text);
    assert.deepEqual(Object.keys(accepted.body.data), ['user_id']);
    assert.equal((await meOf(cookieOf(accepted))).body.data.email, email);
  });
});

describe('the sessions of a user', () => {
  it('are listed with device, address and times, newest first; the one of the request is marked', async () => {
    const user = await world.newUser();
    await signIn(user);
    const { body } = await logIn(user, { 'user-agent': 'payments/1.4 (nightly)' });
    const items = await sessionsOf(body.data.token);
    const facts = items.map(({ kind, device, current }) => ({ kind, device, current }));
    assert.deepEqual(facts, [
      { kind: 'program', device: 'payments/1.4', current: true },
      { kind: 'browser', device: 'Firefox on Linux', current: false },
      { kind: 'program', device: 'node', current: false },
    ]);
    for (const item of items) {
      assert.deepEqual(Object.keys(item).sort(), [
        'created_at',
        'current',
        'device',
        'expires_at',
        'id',
        'ip',
        'kind',
        'last_used_at',
      ]);
      assert.equal(item.ip, '127.0.0.1');
      for (const name of ['created_at', 'last_used_at', 'expires_at']) assert.match(item[name], /Z$/);
    }
    const page = await world.api('GET', '/v1/auth/sessions?limit=2', { token: user.token });
    const cursor = page.body.data.next_cursor;
    const rest = await world.api('GET', `/v1/auth/sessions?limit=2&cursor=${cursor}`, { token: user.token });
    assert.deepEqual(
      [...page.body.data.items, ...rest.body.data.items].map(({ id }) => id),
      items.map(({ id }) => id),
    );
    assert.equal(rest.body.data.next_cursor, null);
  });

  it('DELETE ends one of them, in every process at once; a second time is 404', async () => {
    const user = await world.newUser();
    const cookie = await signIn(user);
    const [ended] = await sessionsOf(user.token);
    const path = `/v1/auth/sessions/${ended.id}`;
    const answer = await world.api('DELETE', path, { token: user.token });
    assert.equal(answer.status, 200);
    assert.equal(answer.body.data.id, ended.id);
    assertError(await meOf(cookie), 401);
    assertError(await world.api('DELETE', path, { token: user.token }), 404, 'not_found');
    assert.equal((await me(user.token, second)).status, 200);
  });

  it('a session of another user is 404, like one that nobody has, and stays', async () => {
    const [user, stranger] = [await world.newUser(), await world.newUser()];
    const [own] = await sessionsOf(stranger.token);
    for (const id of [own.id, 'ses_none', 'x']) {
      for (const method of ['GET', 'DELETE']) {
        const answer = await world.api(method, `/v1/auth/sessions/${id}`, { token: user.token });
        assertError(answer, 404, 'not_found');
      }
    }
    const read = await world.api('GET', `/v1/auth/sessions/${own.id}`, { token: stranger.token });
    assert.deepEqual(read.body.data, own);
    assert.equal((await me(stranger.token)).status, 200);
  });

  it('DELETE without an id ends all but that of the request, and says how many', async () => {
    const [user, stranger] = [await world.newUser(), await world.newUser()];
    const cookie = await signIn(user);
    const other = (await logIn(user)).body.data.token;
    const answer = await asPage(cookie, 'DELETE', '/v1/auth/sessions');
    assert.deepEqual(answer.body.data, { ended: 2n });
    for (const token of [user.token, other]) assertError(await me(token, second), 401);
    assert.equal((await meOf(cookie)).status, 200);
    assert.equal((await me(stranger.token)).status, 200);
  });

  it('every end by the user, and every renewal, is in the audit log', async () => {
    const user = await world.newUser();
    const cookie = await signIn(user);
    const others = [(await logIn(user)).body.data.token, (await logIn(user)).body.data.token];
    const [named] = await sessionsOf(user.token);
    await world.api('POST', '/v1/auth/token/renew', { token: others[0] });
    await world.api('DELETE', `/v1/auth/sessions/${named.id}`, { token: user.token });
    await asPage(cookie, 'DELETE', '/v1/auth/sessions');
    const rows = await world.query(
      `select action, target_id, entry::jsonb ->> 'session_id' as by, entry from audit_log
        where actor_id = $1 and action in ('session.ended', 'session.renewed') order by seq`,
      [user.id],
    );
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['session.renewed', 'session.ended', 'session.ended'],
    );
    assert.equal(rows[1].target_id, named.id);
    assert.deepEqual(JSON.parse(rows[2].entry).after, { ended: 'all others', count: 2 });
    for (const { entry, by } of rows) {
      assert.match(by, /^ses_/);
      assert.ok(!entry.includes('eyJ'), 'no token');
    }
  });
});

describe('POST /v1/auth/token/renew', () => {
  const renew = (token: string, at = world.service) => at.api('POST', '/v1/auth/token/renew', { token });

  it('gives a new token of the same session, which is not to be stored by caches', async () => {
    const user = await world.newUser();
    const answer = await renew(user.token);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
    const { token, expires_in, session_ends_at } = answer.body.data;
    assert.ok(expires_in === 3600n || expires_in === 3599n, `${expires_in} seconds`);
    const [session, ...more] = await sessionsOf(token);
    assert.equal(more.length, 0);
    assert.equal(session.current, true);
    assert.equal(Date.parse(session_ends_at) - Date.parse(session.created_at), 86_400_000);
  });

  it('a lost answer locks nobody out: the old token renews again, until a new one is used', async () => {
    const user = await world.newUser();
    await renew(user.token); // its answer is lost
    await renew(user.token, second); // this one too
    const { token } = (await renew(user.token)).body.data;
    assert.equal((await me(token, second)).status, 200);
    assert.equal((await me(user.token)).status, 200, 'requests that are on their way are answered');
    // As if the minute were over.
    await world.query(
      "update sessions set renewed_at = renewed_at - interval '1 minute' where user_id = $1",
      [user.id],
    );
    for (const at of [world.service, second]) {
      assertError(await me(user.token, at), 401, 'unauthenticated');
      assertError(await renew(user.token, at), 401, 'unauthenticated');
      assert.equal((await me(token, at)).status, 200);
    }
  });

  it('of many renewals and uses at once in two processes the newest token always works', async () => {
    let { token } = await world.newUser();
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => renew(token, index % 2 === 0 ? world.service : second)),
      );
      for (const { status, text } of answers) assert.equal(status, 200, text);
      const tokens = answers.map(({ body }) => body.data.token);
      const used = await Promise.all(
        tokens.map((each, index) => me(each, index % 2 ? second : world.service)),
      );
      for (const { status, text } of used) assert.equal(status, 200, text);
      [token] = tokens;
    }
  });

  it('400 for a browser, whose session goes on while it is used; 401 for an API key, and after the end', async () => {
    const user = await world.newUser();
    const { api_key } = await world.newWallet(user.token);
    const cookie = await signIn(user);
    assertError(await asPage(cookie, 'POST', '/v1/auth/token/renew'), 400, 'invalid_request');
    assertError(await renew(api_key), 401, 'login_required');
    const { token } = (await renew(user.token)).body.data;
    await world.api('POST', '/v1/auth/logout', { token: user.token });
    for (const each of [token, user.token]) assertError(await renew(each), 401, 'unauthenticated');
  });

  it('a changed password ends the renewed tokens of other sessions', async () => {
    const user = await world.newUser();
    const other = (await renew((await logIn(user)).body.data.token)).body.data.token;
    const own = (await renew(user.token)).body.data.token;
    const body = { current_password: user.password, new_password: 'another long secret' };
    const changed = await world.api('POST', '/v1/auth/password', { token: own, body });
    assert.equal(changed.status, 200, changed.text);
    assertError(await me(other), 401);
    assert.equal((await me(own)).status, 200);
  });
});
