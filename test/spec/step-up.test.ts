/** A step-up: what moves money, or decides who can, needs a second factor of the last ten minutes. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Answer } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { addApp, codeOf, forgetSteps, makeStale, wrongCode } from '../support/factors.ts';
import { untilBlocked } from '../support/lock-waits.ts';
import { assertError, joinService, type User, unique } from '../support/running-service.ts';

type Operation = { method: string; path: string; name: string; asks: boolean };

const world = await joinService();
after(() => world.stop());
const user = await world.newUser();
const wallet = await world.newWallet(user.token);
const operations = await readOperations();

/** Those of a login that change something. */
async function readOperations(): Promise<Operation[]> {
  const document: any = await (await fetch(`${world.service.url}/openapi.json`)).json();
  return Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).flatMap(([method, operation]) =>
      operation['x-roles'] && method !== 'get'
        ? [
            {
              method: method.toUpperCase(),
              path,
              name: operation.operationId,
              asks: operation['x-step-up'] !== undefined,
            },
          ]
        : [],
    ),
  );
}

/** Operations that a user without a factor needs to get one, or to keep strangers out. */
const OWN = [
  'changePassword',
  'beginTotp',
  'confirmTotp',
  'beginPasskey',
  'addPasskey',
  'renameFactor',
  'removeFactor',
  'replaceRecoveryCodes',
];
const NEVER = [
  'endSession',
  'endOtherSessions',
  'renewToken',
  'logout',
  'stepUp',
  'beginPasskeyStepUp',
  'changeWallet',
  'createDepositAddress',
  'changeDepositAddress',
  'assignDeposit',
  'previewWithdrawal',
  'deleteWebhook',
  'testWebhook',
  'examineWebhook',
  'redeliverWebhook',
  'replayWebhook',
  'createPayout',
  'pausePayout',
  'cancelPayout',
  'retryPayout',
  'payOnSandbox',
];

/** The code of the refusal. With a body that no operation takes, so that what is allowed changes nothing. */
async function refusalOf({ method, path, name }: Operation, token: string): Promise<string | undefined> {
  const at = path.replace(/\{(\w+)\}/g, (_, key) => (key === 'id' ? wallet.id : `no-${key}`));
  const answer = await world.api(method, at, { token, body: { no_such_field: 1 } });
  assert.ok(answer.status >= 400, `${name}: ${answer.text}`);
  return answer.body.error.code;
}

/** `asked`: the operations that the step-up must refuse; no other one is. */
async function checkAll(token: string, asked: (operation: Operation) => boolean): Promise<void> {
  // Logout ends the session.
  for (const operation of operations.filter(({ name }) => name !== 'logout')) {
    const code = await refusalOf(operation, token);
    assert.equal(code === 'second_factor_required', asked(operation), `${operation.name}: ${code}`);
  }
}

const requireFactors = (required: boolean, token: string) =>
  world.api('PATCH', '/v1/team', { token, body: { second_factor_required: required } });
const stepUp = (token: string, body: object) => world.api('POST', '/v1/auth/step-up', { token, body });
const api = (method: string, path: string, body: object = {}, { token }: { token: string } = user) =>
  world.api(method, path, { token, body });

async function memberOf(role: string): Promise<User> {
  const [email, password] = [`${unique('member')}@example.com`, 'a long enough secret'];
  const made = await api('POST', '/v1/team/members', { email, password, name: role, role });
  assert.equal(made.status, 201, made.text);
  const login = await world.api('POST', '/v1/auth/login', { body: { email, password } });
  return { email, password, id: made.body.data.user_id, token: login.body.data.token };
}

describe('every operation of a login that changes something', () => {
  it('says in /openapi.json whether it asks for a step-up', () => {
    const silent = operations.filter(({ asks }) => !asks).map(({ name }) => name);
    assert.deepEqual(silent.sort(), NEVER.toSorted());
  });

  it('asks a user without a factor for nothing', async () => {
    await checkAll(user.token, () => false);
  });

  it('asks a user with a factor once the proof of the session is ten minutes old, and not before', async () => {
    const app = await addApp(world, user);
    await checkAll(user.token, () => false);
    await makeStale(world, user.id);
    await checkAll(user.token, ({ asks }) => asks);
    assert.equal((await stepUp(user.token, { totp: codeOf(app.secret) })).status, 200);
    await checkAll(user.token, () => false);
  });

  it('asks a member without a factor to add one first, when the team requires it, but for what is needed to add one', async () => {
    const member = await memberOf('admin');
    assert.equal((await requireFactors(true, user.token)).status, 200);
    await checkAll(member.token, ({ name, asks }) => asks && !OWN.includes(name));
    const refused = await api('POST', `/v1/wallets/${wallet.id}/api-key/regenerate`, {}, member);
    assertError(refused, 403, 'second_factor_required');
    assert.deepEqual(refused.body.data, { methods: [] });
    assert.match(refused.body.message, /Add one first/);
    await addApp(world, member);
    await checkAll(member.token, () => false);
    await makeStale(world, member.id);
    await checkAll(member.token, ({ asks }) => asks);
    assert.equal((await requireFactors(false, user.token)).status, 200);
  });
});

describe('a withdrawal', () => {
  const withdraw = (token: string, destination: string, key = unique('key')) =>
    world.withdraw(wallet, { destination, amount_stroops: 7 }, { token, key });

  it('with a stale proof is refused with the ways to prove one, takes no key, and is paid with the same key after the step-up', async () => {
    const sink = (await world.ledger.fund()).publicKey();
    await makeStale(world, user.id);
    const key = unique('key');
    const refused = await withdraw(user.token, sink, key);
    assertError(refused, 403, 'second_factor_required');
    assert.deepEqual(refused.body.data, { methods: ['totp', 'recovery_code'] });
    const withdrawals = await world.query('select 1 from withdrawals where wallet_id = $1', [wallet.id]);
    assert.deepEqual(withdrawals, []);
    const { secret } = await addAppAfter(user);
    assert.equal((await stepUp(user.token, { totp: codeOf(secret) })).status, 200);
    const paid = await withdraw(user.token, sink, key);
    assert.equal(paid.status, 201, paid.text);
    assert.equal(paid.body.data.status, 'confirmed');
  });

  it('that takes longer than the proof counts is answered all the same', async () => {
    const sink = (await world.ledger.fund()).publicKey();
    const key = unique('key');
    const paying = withdraw(user.token, sink, key);
    await eventually('the withdrawal took its key', async () => {
      const rows = await world.query('select 1 from withdrawals where idempotency_key = $1', [key]);
      return rows.length > 0 || null;
    });
    await makeStale(world, user.id);
    const paid = await paying;
    assert.equal(paid.status, 201, paid.text);
    await freshen(user);
  });

  it('is asked for a step-up after the wallet: what the user may not see stays 404', async () => {
    await makeStale(world, user.id);
    const foreign = await world.newWallet();
    const answer = await api('POST', `/v1/wallets/${foreign.id}/withdraw`, { no_such_field: 1 });
    assertError(answer, 404, 'not_found');
    const viewer = await memberAfterStepUp('viewer');
    const refused = await api('POST', `/v1/wallets/${wallet.id}/withdraw`, {}, viewer);
    assertError(refused, 403, 'role_missing');
  });

  it('an API key is never asked: it registers endpoints as before', async () => {
    const body = { url: 'https://example.com/hook' };
    const token = wallet.api_key;
    const made = await world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, { token, body });
    assert.equal(made.status, 201, made.text);
  });

  /** The app of this user, whose secret an earlier test had: another one, while the proof is fresh. */
  async function addAppAfter(of: User) {
    await freshen(of);
    const app = await addApp(world, of, 'Another');
    await makeStale(world, of.id);
    return app;
  }

  async function memberAfterStepUp(role: string) {
    await freshen(user);
    const member = await memberOf(role);
    await makeStale(world, user.id);
    return member;
  }

  const freshen = ({ id }: User) =>
    world.query('update sessions set factor_at = now() where user_id = $1', [id]);
});

describe('a step-up', () => {
  it('is of one session: the other sessions of the user stay as they were', async () => {
    const own = await world.newUser();
    const { id, secret } = await addApp(world, own);
    const { challenge } = (await world.api('POST', '/v1/auth/login', { body: own_(own) })).body.data;
    const login = await world.api('POST', '/v1/auth/second-factor', {
      body: { challenge, totp: codeOf(secret) },
    });
    const other = login.body.data.token;
    await makeStale(world, own.id);
    await forgetSteps(world, id);
    assert.equal((await stepUp(own.token, { totp: codeOf(secret) })).status, 200);
    const rename = { body: { name: 'X' } };
    assert.equal((await world.api('PATCH', '/v1/team', { token: own.token, ...rename })).status, 200);
    assertError(
      await world.api('PATCH', '/v1/team', { token: other, ...rename }),
      403,
      'second_factor_required',
    );
  });

  it('refuses a wrong code and one that was used, does not end the session, and counts with the failures of logins', async () => {
    const own = await world.newUser();
    const { secret } = await addApp(world, own);
    await makeStale(world, own.id);
    assertError(await stepUp(own.token, { totp: wrongCode(secret) }), 401, 'second_factor_wrong');
    const totp = codeOf(secret);
    assert.equal((await stepUp(own.token, { totp })).status, 200);
    assertError(await stepUp(own.token, { totp }), 401, 'second_factor_wrong');
    const [row] = await world.query('select factor_failures from users where id = $1', [own.id]);
    assert.equal(row.factor_failures, 1);
    assert.equal((await world.api('GET', '/v1/auth/me', { token: own.token })).status, 200);
    await world.query('update users set factor_failures = 100 where id = $1', [own.id]);
    const stopped = await stepUp(own.token, { totp: codeOf(secret, 1) });
    assertError(stopped, 403, 'second_factor_stopped');
  });

  it('takes a recovery code, once', async () => {
    const own = await world.newUser();
    const { recovery_codes } = await addApp(world, own);
    const proof = { recovery_code: recovery_codes?.[3] };
    assert.equal((await stepUp(own.token, proof)).status, 200);
    assertError(await stepUp(own.token, proof), 401, 'second_factor_wrong');
  });

  it('of a user without a factor is refused', async () => {
    const { token } = await world.newUser();
    assertError(await stepUp(token, { totp: '123456' }), 403, 'second_factor_required');
    assertError(await world.api('POST', '/v1/auth/step-up/passkey', { token }), 404, 'not_found');
  });

  const own_ = ({ email, password }: User) => ({ email, password });
});

describe('a team that requires second factors', () => {
  it('is made by an owner who has one, by nobody else, and it is in the audit log', async () => {
    const owner = await world.newUser();
    const refused = await requireFactors(true, owner.token);
    assertError(refused, 403, 'second_factor_required');
    assert.deepEqual(refused.body.data, { methods: [] });
    await addApp(world, owner);
    const body = {
      email: `${unique('admin')}@example.com`,
      password: 'a long enough secret',
      name: 'A',
      role: 'admin',
    };
    await api('POST', '/v1/team/members', body, owner);
    const login = await world.api('POST', '/v1/auth/login', {
      body: { email: body.email, password: body.password },
    });
    assertError(await requireFactors(true, login.body.data.token), 403, 'role_missing');
    const answer = await requireFactors(true, owner.token);
    assert.equal(answer.body.data.second_factor_required, true, answer.text);
    const [entry] = await world.query(
      `select entry::jsonb as entry from audit_log where action = 'team.factors_required' and chain = $1`,
      [owner.id],
    );
    assert.deepEqual([entry.entry.before, entry.entry.after], [{ required: false }, { required: true }]);
  });

  it('lets nobody remove the last factor', async () => {
    const owner = await world.newUser();
    const first = await addApp(world, owner);
    await requireFactors(true, owner.token);
    const remove = (id: string) => api('DELETE', `/v1/auth/factors/${id}`, {}, owner);
    assertError(await remove(first.id), 409, 'last_factor');
    const second = await addApp(world, owner, 'Tablet');
    assert.equal((await remove(first.id)).status, 200);
    assertError(await remove(second.id), 409, 'last_factor');
    await requireFactors(false, owner.token);
    assert.equal((await remove(second.id)).status, 200);
  });

  describe('whose owner removes the last factor at the same moment', () => {
    const waiting = (count: number) => untilBlocked(world, count);

    /** Both are under way before either can commit; `first` has done its work by then. */
    async function bothAtOnce(
      owner: User,
      first: () => Promise<Answer>,
      second: () => Promise<Answer>,
    ): Promise<[Answer, Answer]> {
      await world.query('begin');
      await world.query('select from audit_heads where chain = $1 for update', [owner.id]);
      const one = first();
      await waiting(1);
      const other = second();
      await waiting(2);
      await world.query('commit');
      return Promise.all([one, other]);
    }

    it('requires nothing when the removal comes first, and keeps the factor when the requirement does', async () => {
      const owner = await world.newUser();
      const { id } = await addApp(world, owner);
      const remove = (factor: string) => () => api('DELETE', `/v1/auth/factors/${factor}`, {}, owner);
      const require = () => requireFactors(true, owner.token);
      const [removed, refused] = await bothAtOnce(owner, remove(id), require);
      assert.equal(removed.status, 200, removed.text);
      assertError(refused, 403, 'second_factor_required');
      const { id: next } = await addApp(world, owner);
      const [required, kept] = await bothAtOnce(owner, require, remove(next));
      assert.equal(required.status, 200, required.text);
      assertError(kept, 409, 'last_factor');
    });
  });

  it('lets members without a factor log in and read', async () => {
    const owner = await world.newUser();
    await addApp(world, owner);
    const body = {
      email: `${unique('viewer')}@example.com`,
      password: 'a long enough secret',
      name: 'V',
      role: 'viewer',
    };
    await api('POST', '/v1/team/members', body, owner);
    await requireFactors(true, owner.token);
    const login = await world.api('POST', '/v1/auth/login', {
      body: { email: body.email, password: body.password },
    });
    assert.equal(login.status, 200, login.text);
    assert.equal((await world.api('GET', '/v1/wallets', { token: login.body.data.token })).status, 200);
  });
});

describe('the database', () => {
  /** What a login sends that knows of no second factor, because one was added since. */
  const insertSession = async (user_id: string) =>
    (
      await world.query(
        `with held as (update users set last_login_at = now() where id = $1 returning id)
         insert into sessions (id, user_id, kind, created_at, expires_at)
         select $2, held.id, 'program', now(), now() + interval '1 hour' from held returning id`,
        [user_id, unique('ses')],
      )
    ).length;

  it('opens no session without a proof for a user who has a second factor', async () => {
    const own = await world.newUser();
    assert.equal(await insertSession(own.id), 1);
    const { id } = await addApp(world, own);
    assert.equal(await insertSession(own.id), 0);
    assert.equal((await api('DELETE', `/v1/auth/factors/${id}`, {}, own)).status, 200);
    assert.equal(await insertSession(own.id), 1);
  });
});
