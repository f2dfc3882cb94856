/** When sessions end, over HTTP, on a clock that the tests move, in two processes. */
import { strict as assert } from 'node:assert';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ACTOR } from '../../../test/support/acting.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { buildApp } from '../../api/app.ts';
import type { Deps } from '../../deps.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { createUser } from '../login/login.ts';

const PASSWORD = 'correct horse';
const HOST = 'localhost:3000';
const [IDLE_S, MAX_S, TOKEN_S] = [900, 7_200, 1_800];
const MINUTE_S = 60;

let world: InProcessService;
let deps: Deps;
let app: HttpApp;
/** A process of its own on the same database. */
let second: HttpApp;
/** A whole second, as tokens have. */
let now = new Date(Math.floor(Date.now() / 1000) * 1000);

before(async () => {
  world = await startInProcess({
    SESSION_IDLE_SECONDS: `${IDLE_S}`,
    SESSION_MAX_SECONDS: `${MAX_S}`,
    JWT_TTL_SECONDS: `${TOKEN_S}`,
  });
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

let serial = 0;
let user: { id: string; email: string };
beforeEach(async () => {
  const email = `${serial++}@example.com`;
  const made = await createUser(deps, { email, password: PASSWORD, name: '' }, ACTOR);
  user = { email, id: made?.id ?? '' };
});

function pass(seconds: number): void {
  now = new Date(now.getTime() + seconds * 1000);
}

type Ask = { method?: 'GET' | 'POST'; url?: string; headers: Record<string, string>; at?: HttpApp };

async function ask({ method = 'GET', url = '/v1/auth/me', headers, at = app }: Ask) {
  const payload = method === 'POST' ? {} : undefined;
  return at.inject({ method, url, headers: { host: HOST, ...headers }, ...(payload && { payload }) });
}

async function logIn(headers: Record<string, string> = {}) {
  const payload = { email: user.email, password: PASSWORD };
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/auth/login',
    payload,
    headers: { host: HOST, ...headers },
  });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer;
}

async function signIn(): Promise<string> {
  const { cookies } = await logIn({ 'teller-browser': 'active' });
  const session = cookies.find(({ name }) => name.startsWith('__Host-teller-session'));
  return `${session?.name}=${session?.value}`;
}

/** The status of a request of a page that somebody uses, or of one that only asks by itself. */
const statusOf = async (cookie: string, use: 'active' | 'idle', at = app) =>
  (await ask({ at, headers: { cookie, 'teller-browser': use } })).statusCode;
const tokenStatus = async (token: string, at = app) =>
  (await ask({ at, headers: { authorization: `Bearer ${token}` } })).statusCode;
const logInProgram = async () => (await logIn()).json().data.token as string;
const renew = (token: string) =>
  ask({ method: 'POST', url: '/v1/auth/token/renew', headers: { authorization: `Bearer ${token}` } });

async function rowOf() {
  const { rows } = await world.deps.pool.query('select *, xmin::text from sessions where user_id = $1', [
    user.id,
  ]);
  return rows[0];
}

describe('the session of a browser', () => {
  it('ends SESSION_IDLE_SECONDS after the last request of an active person, in every process', async () => {
    const cookie = await signIn();
    for (let turn = 0; turn < 4; turn++) {
      pass(IDLE_S - 1);
      assert.equal(await statusOf(cookie, 'active', turn % 2 === 0 ? app : second), 200);
    }
    pass(IDLE_S - 1);
    assert.equal(await statusOf(cookie, 'idle'), 200);
    pass(1);
    for (const at of [app, second]) assert.equal(await statusOf(cookie, 'active', at), 401);
  });

  it('is not kept open by the polls of a page that nobody uses', async () => {
    const cookie = await signIn();
    for (let turn = 1; turn < 10; turn++) {
      pass(IDLE_S / 10);
      assert.equal(await statusOf(cookie, 'idle'), 200);
    }
    pass(IDLE_S / 10);
    assert.equal(await statusOf(cookie, 'idle'), 401);
  });

  it('ends SESSION_MAX_SECONDS after the sign-in, however much it is used', async () => {
    const cookie = await signIn();
    for (let passed = 0; passed < MAX_S - IDLE_S / 2; passed += IDLE_S / 2) {
      assert.equal(await statusOf(cookie, 'active'), 200);
      pass(IDLE_S / 2);
    }
    assert.equal(await statusOf(cookie, 'active'), 200);
    assert.equal((await rowOf()).expires_at.getTime() - (await rowOf()).created_at.getTime(), MAX_S * 1000);
    pass(IDLE_S / 2);
    assert.equal(await statusOf(cookie, 'active'), 401);
  });

  it('writes its row once a minute, whatever is asked of however many processes', async () => {
    const cookie = await signIn();
    const { xmin } = await rowOf();
    const burst = () =>
      Promise.all(
        Array.from({ length: 60 }, (_, index) => statusOf(cookie, 'active', index % 2 === 0 ? app : second)),
      );
    pass(MINUTE_S);
    await burst();
    assert.equal((await rowOf()).xmin, xmin, 'a minute is not over');
    pass(1);
    const statuses = await burst();
    assert.deepEqual(new Set(statuses), new Set([200]));
    const written = await rowOf();
    assert.notEqual(written.xmin, xmin);
    assert.deepEqual(written.last_used_at, now);
    await burst();
    assert.equal((await rowOf()).xmin, written.xmin);
  });

  it('is used again by a process whose clock was set back', async () => {
    const cookie = await signIn();
    pass(10 * MINUTE_S);
    await statusOf(cookie, 'active');
    pass(-5 * MINUTE_S);
    assert.equal(await statusOf(cookie, 'active'), 200);
    assert.deepEqual((await rowOf()).last_used_at, now);
  });

  it('that has ended stays so: its row goes with the next login, and its token opens nothing', async () => {
    const cookie = await signIn();
    pass(IDLE_S);
    await logInProgram();
    assert.equal((await rowOf()).kind, 'program');
    assert.equal(await statusOf(cookie, 'active'), 401);
  });
});

describe('the session of a program', () => {
  it('ends with its token, used or not; JWT_TTL_SECONDS says when', async () => {
    const token = await logInProgram();
    for (const seconds of [TOKEN_S - 1, 0]) {
      pass(seconds);
      assert.equal(await tokenStatus(token), 200);
    }
    pass(1);
    for (const at of [app, second]) assert.equal(await tokenStatus(token, at), 401);
  });

  it('goes on with renewed tokens until SESSION_MAX_SECONDS, and no further', async () => {
    const began = now.getTime();
    let token = await logInProgram();
    let left_s = Number.NaN;
    for (let turn = 0; turn < 7; turn++) {
      pass(1_000);
      const { statusCode, json } = await renew(token).then((answer) => ({
        statusCode: answer.statusCode,
        json: answer.json(),
      }));
      assert.equal(statusCode, 200);
      ({ token, expires_in: left_s } = json.data);
      assert.equal(Date.parse(json.data.session_ends_at), began + MAX_S * 1000);
    }
    assert.equal(left_s, MAX_S - 7_000);
    pass(left_s - 1);
    assert.equal(await tokenStatus(token), 200);
    assert.equal((await renew(token)).json().data.expires_in, 1);
    pass(1);
    assert.equal(await tokenStatus(token), 401);
    assert.equal((await renew(token)).statusCode, 401);
  });

  it('an old token is refused a minute after the new one was first used, and not before', async () => {
    const token = await logInProgram();
    const renewed = (await renew(token)).json().data.token;
    pass(10 * MINUTE_S);
    assert.equal(await tokenStatus(token), 200, 'nobody has used the new one');
    assert.equal(await tokenStatus(renewed, second), 200);
    pass(MINUTE_S - 1);
    assert.equal(await tokenStatus(token), 200);
    const late = (await renew(token)).json().data.token;
    pass(1);
    assert.equal(await tokenStatus(token), 401);
    for (const each of [renewed, late]) assert.equal(await tokenStatus(each), 200);
  });
});

describe('other settings', () => {
  it('hold for sessions that are open already, and JWT_TTL_SECONDS for more than SESSION_MAX_SECONDS is kept', async () => {
    const cookie = await signIn();
    const config = { ...deps.config, session_max_seconds: 600, jwt_ttl_seconds: 1_000 };
    const stricter = await buildApp({ ...deps, config }, {} as Parameters<typeof buildApp>[1]);
    const token = await logInProgram();
    pass(599);
    assert.equal(await statusOf(cookie, 'active', stricter), 200);
    pass(1);
    assert.equal(await statusOf(cookie, 'active', stricter), 401);
    assert.equal(await tokenStatus(token, stricter), 200);
    pass(400);
    assert.equal(await tokenStatus(token, stricter), 401);
    await stricter.close();
  });
});
