/** Named API keys beside the main key of a wallet, and who has registered an endpoint. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { untilBlocked } from '../support/lock-waits.ts';
import {
  assertError,
  assertFault,
  startRunningService,
  startSecond,
  unique,
} from '../support/running-service.ts';

type Operation = {
  method: string;
  path: string;
  name: string;
  scopes: string[] | undefined;
  security: object[];
};

const SCOPES = ['read', 'addresses', 'webhooks'];
const RECEIVER = '127.0.0.1:9';

const env = { TRUSTED_PROXIES: '127.0.0.1', WEBHOOK_ALLOWED_HOSTS: RECEIVER };
const world = await startRunningService(env);
const second = await startSecond(world, env);
after(async () => {
  await second.stop();
  await world.stop();
});
const wallet = await world.newWallet();
const other = await world.newWallet();
const operations = await readOperations();

async function readOperations(): Promise<Operation[]> {
  const document: any = await (await fetch(`${world.service.url}/openapi.json`)).json();
  return Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, { operationId: name, 'x-scopes': scopes, security }]) => ({
      method: method.toUpperCase(),
      path,
      name,
      scopes,
      security: security ?? [],
    })),
  );
}

const keysOf = (id: string) => `/v1/wallets/${id}/api-keys`;
const asOwner = (method: string, path: string, body?: unknown, token = world.token) =>
  world.api(method, path, { token, ...(body !== undefined && { body }) });
const from = (ip: string) => ({ 'x-forwarded-for': ip });

async function make(
  more: object = {},
  id = wallet.id,
): Promise<{ id: string; api_key: string; [name: string]: any }> {
  const answer = await asOwner('POST', keysOf(id), { name: unique('key'), scopes: SCOPES, ...more });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

const read = (token: string, headers: Record<string, string> = {}, id = wallet.id) =>
  world.api('GET', `/v1/wallets/${id}`, { token, headers });

async function register(token: string, id = wallet.id): Promise<any> {
  const body = { url: `http://${RECEIVER}/${unique('hook')}` };
  const answer = await world.api('POST', `/v1/wallets/${id}/webhooks`, { token, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

const endpoint = async ({ id, wallet_id }: { id: string; wallet_id: string }) =>
  (await asOwner('GET', `/v1/wallets/${wallet_id}/webhooks/${id}`)).body.data;

const mainKey = async (id: string) => (await asOwner('GET', `/v1/wallets/${id}/api-key`)).body.data;

const regenerate = async (id: string) => {
  const answer = await asOwner('POST', `/v1/wallets/${id}/api-key/regenerate`, {});
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
};

describe('a named API key', () => {
  it('is shown once, kept as a hash, and listed with its facts and who made it', async () => {
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const order = {
      name: 'Shop',
      scopes: ['webhooks', 'read', 'read'],
      expires_at,
      allowed_ips: ['127.0.0.1', '::1/128'],
    };
    const answer = await asOwner('POST', keysOf(wallet.id), order);
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { api_key, ...made } = answer.body.data;
    assert.match(api_key, /^svc_sk_test_[0-9A-Za-z]{43}$/);
    const demo = (await asOwner('GET', '/v1/auth/me')).body.data;
    const { id: _, created_at: __, prefix, last_four, ...facts } = made;
    assert.deepEqual(facts, {
      ...order,
      scopes: ['read', 'webhooks'],
      last_used_at: null,
      created_by: { id: demo.id, name: demo.name },
    });
    assert.ok(api_key.startsWith(prefix) && api_key.endsWith(last_four));
    assert.equal((await read(api_key)).status, 200);
    const list = await asOwner('GET', `${keysOf(wallet.id)}?limit=1`);
    const [listed] = list.body.data.items;
    assert.notEqual(listed.last_used_at, null);
    assert.deepEqual({ ...listed, last_used_at: null }, made);
    const rows = await world.query('select * from api_keys');
    const log = await world.query(`select entry from audit_log where target_id = $1`, [made.id]);
    assert.ok(!JSON.stringify([rows, log, list.body.data.items.map(String)]).includes(api_key));
    assert.equal(JSON.parse(log[0].entry).action, 'api_key.created');
  });

  it('every operation of API keys and every scope: 403 scope_missing exactly where the route says so', async () => {
    const ofKeys = operations.filter(({ security }) => security.some((each) => 'api_key' in each));
    assert.ok(ofKeys.length >= 25);
    for (const scope of SCOPES) {
      const { api_key } = await make({ scopes: [scope] });
      for (const { method, path, name, scopes } of ofKeys) {
        assert.ok(scopes && scopes.length > 0, name);
        const at = (id: string) => path.replace('{id}', id).replace(/\{(\w+)\}/g, 'no-$1');
        const body = method === 'GET' ? undefined : { no_such_field: 1 };
        const answer = await world.api(method, at(wallet.id), { token: api_key, body });
        const told = `${scope} ${name}: ${answer.text}`;
        assert.equal(answer.status === 403, !scopes.includes(scope), told);
        if (answer.status === 403) assertError(answer, 403, 'scope_missing');
        assertError(await world.api(method, at(other.id), { token: api_key, body }), 404, 'not_found');
      }
    }
  });

  it('the main key has every scope', async () => {
    assert.equal((await read(wallet.api_key)).status, 200);
    assert.equal(
      (await world.api('POST', `/v1/wallets/${wallet.id}/addresses`, { token: wallet.api_key })).status,
      201,
    );
    await register(wallet.api_key);
  });

  it('no operation that needs a login takes one: 401, and no row; it never withdraws, and makes no keys', async () => {
    const { api_key } = await make();
    const rows = await Promise.all(['withdrawals', 'api_keys'].map(world.countOf));
    for (const { method, path, name, security } of operations) {
      if (!security.some((each) => 'login' in each) || security.some((each) => 'api_key' in each)) continue;
      const at = path.replace('{id}', wallet.id).replace(/\{(\w+)\}/g, 'no-$1');
      const body = method === 'GET' ? undefined : {};
      assertError(await world.api(method, at, { token: api_key, body }), 401, 'login_required');
      assert.ok(name);
    }
    const order = { destination: other.account, amount_stroops: 7 };
    assertError(await world.withdraw(wallet, order, { token: api_key }), 401, 'login_required');
    assert.deepEqual(await Promise.all(['withdrawals', 'api_keys'].map(world.countOf)), rows);
  });

  it('401 when its time is over, in every process; the list has it still', async () => {
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const { id, api_key } = await make({ expires_at });
    assert.equal((await read(api_key)).status, 200);
    await world.query('update api_keys set expires_at = now() where id = $1', [id]);
    for (const { api } of [world.service, second]) {
      const answer = await api('GET', `/v1/wallets/${wallet.id}`, { token: api_key });
      assertError(answer, 401, 'unauthenticated');
      assert.match(answer.body.message, /expired/);
    }
    const { body } = await asOwner('GET', `${keysOf(wallet.id)}?limit=200`);
    assert.ok(body.data.items.some((item: { id: string }) => item.id === id));
  });

  it('403 address_not_allowed from another address', async () => {
    const { api_key } = await make({ allowed_ips: ['203.0.113.0/24'] });
    assert.equal((await read(api_key, from('203.0.113.200'))).status, 200);
    for (const headers of [from('203.0.114.1'), from('2001:db8::1'), {}])
      assertError(await read(api_key, headers), 403, 'address_not_allowed');
  });

  it('two work at once, so that a program changes from one to the other; a deleted one is dead at once, everywhere', async () => {
    const [old, renewed] = [await make(), await make()];
    assert.deepEqual([(await read(old.api_key)).status, (await read(renewed.api_key)).status], [200, 200]);
    const deleted = await asOwner('DELETE', `${keysOf(wallet.id)}/${old.id}`, {});
    assert.equal(deleted.status, 200, deleted.text);
    assertError(await read(old.api_key), 401, 'unauthenticated');
    assertError(await second.api('GET', `/v1/wallets/${wallet.id}`, { token: old.api_key }), 401);
    assert.equal((await read(renewed.api_key)).status, 200);
    assert.equal((await read(wallet.api_key)).status, 200);
    assertError(await asOwner('DELETE', `${keysOf(wallet.id)}/${old.id}`, {}), 404, 'not_found');
    assertError(await asOwner('DELETE', `${keysOf(other.id)}/${renewed.id}`, {}), 404, 'not_found');
  });

  it('is no main key: that one is neither listed among them nor deleted as one, and the database has one of it', async () => {
    const fresh = await world.newWallet();
    const named = await make({}, fresh.id);
    const main = await mainKey(fresh.id);
    const { body } = await asOwner('GET', keysOf(fresh.id));
    assert.deepEqual(
      body.data.items.map(({ id }: { id: string }) => id),
      [named.id],
    );
    assertError(await asOwner('DELETE', `${keysOf(fresh.id)}/${main.id}`, {}), 404, 'not_found');
    assert.equal((await read(fresh.api_key, {}, fresh.id)).status, 200);
    const forbidden: [string, string, string][] = [
      ['name = null, scopes = null, created_by = null', named.id, 'api_keys_main'],
      ['scopes = null', named.id, 'api_keys_kind'],
      ["name = 'x'", main.id, 'api_keys_kind'],
      ["scopes = array['read']", main.id, 'api_keys_kind'],
      ["allowed_ips = array['::1/128']", main.id, 'api_keys_kind'],
      ['expires_at = now()', main.id, 'api_keys_kind'],
    ];
    for (const [change, id, constraint] of forbidden)
      await assert.rejects(world.query(`update api_keys set ${change} where id = $1`, [id]), { constraint });
  });

  it('goes on when the main key is regenerated', async () => {
    const fresh = await world.newWallet();
    const { api_key } = await make({}, fresh.id);
    await regenerate(fresh.id);
    assertError(await read(fresh.api_key, {}, fresh.id), 401, 'unauthenticated');
    assert.equal((await read(api_key, {}, fresh.id)).status, 200);
  });

  it('a wallet has 20 at most, expired ones aside, also when two are made at once', async () => {
    const fresh = await world.newWallet();
    for (let n = 0; n < 19; n++) await make({}, fresh.id);
    const order = { name: 'x', scopes: ['read'] };
    const answers = await Promise.all([1, 2].map(() => asOwner('POST', keysOf(fresh.id), order)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422]);
    assertError(await asOwner('POST', keysOf(fresh.id), order), 422, 'too_many_api_keys');
    await world.query('update api_keys set expires_at = now() where wallet_id = $1 and name is not null', [
      fresh.id,
    ]);
    assert.equal((await asOwner('POST', keysOf(fresh.id), order)).status, 201);
  });

  it('400 with the path for what is wrong, and no row', async () => {
    const rows = await world.countOf('api_keys');
    const wrong: [object, string][] = [
      [{ name: '' }, '/name'],
      [{ scopes: [] }, '/scopes'],
      [{ scopes: ['withdraw'] }, '/scopes/0'],
      [{ scopes: undefined }, '/scopes'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
      [{ expires_at: 'tomorrow' }, '/expires_at'],
      [{ allowed_ips: [] }, '/allowed_ips'],
      [{ allowed_ips: ['localhost'] }, '/allowed_ips/0'],
    ];
    for (const [more, path] of wrong)
      assertFault(await asOwner('POST', keysOf(wallet.id), { name: 'x', scopes: ['read'], ...more }), path);
    assert.equal(await world.countOf('api_keys'), rows);
  });
});

describe('an endpoint says who registered it', () => {
  it('a user, a service user, the main key or a named key; a key does not read the e-mail of a user', async () => {
    const fresh = await world.newWallet();
    const key = await make({}, fresh.id);
    const service_user = (
      await asOwner('POST', '/v1/team/service-users', { name: 'Robot', role: 'developer' })
    ).body.data;
    const { client_id, client_secret } = service_user;
    const body = { grant_type: 'client_credentials', client_id, client_secret };
    const token = (await world.api('POST', '/v1/auth/token', { body })).body.access_token;
    const demo = (await asOwner('GET', '/v1/auth/me')).body.data;
    const by = async (credential: string) => (await register(credential, fresh.id)).created_by;
    assert.deepEqual(await by(world.token), { kind: 'user', id: demo.id, name: demo.name });
    assert.deepEqual(await by(token), { kind: 'service_user', id: service_user.id, name: 'Robot' });
    assert.deepEqual(await by(key.api_key), { kind: 'api_key', id: key.id, name: key.name });
    const main = await mainKey(fresh.id);
    assert.deepEqual(await by(fresh.api_key), { kind: 'api_key', id: main.id, name: null });
    const listed = await world.api('GET', `/v1/wallets/${fresh.id}/webhooks`, { token: fresh.api_key });
    assert.ok(!listed.text.includes(demo.email));
  });

  it('a regeneration lists the endpoints of the old key, and no others; the main key has a new id', async () => {
    const fresh = await world.newWallet();
    const stolen = await register(fresh.api_key, fresh.id);
    await register(world.token, fresh.id);
    await register((await make({}, fresh.id)).api_key, fresh.id);
    const before = await mainKey(fresh.id);
    const { endpoints, api_key, id } = await regenerate(fresh.id);
    assert.deepEqual(
      endpoints.map((each: { id: string }) => each.id),
      [stolen.id],
    );
    assert.ok(endpoints[0].enabled, 'it goes on until somebody disables it');
    assert.notEqual(id, before.id);
    assert.equal(id, (await mainKey(fresh.id)).id);
    await register(api_key, fresh.id);
    const again = await regenerate(fresh.id);
    assert.equal(again.endpoints.length, 1);
    assert.notEqual(again.endpoints[0].id, stolen.id);
  });

  it('of several regenerations at once, each lists what the key before it has registered', async () => {
    const fresh = await world.newWallet();
    const made = await register(fresh.api_key, fresh.id);
    const answers = await Promise.all([1, 2, 3, 4].map(() => regenerate(fresh.id)));
    const lists = answers.map(({ endpoints }) => endpoints.map((each: { id: string }) => each.id));
    assert.deepEqual(lists.flat(), [made.id]);
    const valid = await Promise.all(answers.map(({ api_key }) => read(api_key, {}, fresh.id)));
    assert.equal(valid.filter(({ status }) => status === 200).length, 1);
  });

  const waiting = (count: number) => untilBlocked(world, count);

  it('a registration that is under way when the key is regenerated is listed by it', async () => {
    const fresh = await world.newWallet();
    await read(fresh.api_key, {}, fresh.id);
    // The deposit of its creation refers to the wallet: it would wait for the lock too, and be counted for the registration.
    await eventually('the deposit of its creation', async () => {
      const ofWallet = 'select count(*) from deposits where wallet_id = $1';
      return Number((await world.query(ofWallet, [fresh.id]))[0].count) > 0;
    });
    await world.query('begin');
    await world.query('select from wallets where id = $1 for update', [fresh.id]);
    const registration = register(fresh.api_key, fresh.id);
    await waiting(1);
    const regeneration = regenerate(fresh.id);
    await waiting(2);
    await world.query('commit');
    const made = await registration;
    assert.deepEqual(
      (await regeneration).endpoints.map((each: { id: string }) => each.id),
      [made.id],
    );
  });

  it('a registration that comes to the database after the regeneration is refused, and writes no row', async () => {
    const fresh = await world.newWallet();
    await read(fresh.api_key, {}, fresh.id);
    const rows = await world.countOf('webhook_endpoints');
    await world.query('begin');
    await world.query("update api_keys set id = 'key_another', key_hash = 'another' where wallet_id = $1", [
      fresh.id,
    ]);
    const body = { url: `http://${RECEIVER}/` };
    const registration = world.api('POST', `/v1/wallets/${fresh.id}/webhooks`, {
      token: fresh.api_key,
      body,
    });
    await waiting(1);
    await world.query('commit');
    assertError(await registration, 401, 'unauthenticated');
    assert.equal(await world.countOf('webhook_endpoints'), rows);
  });

  it('a deletion of a key lists its endpoints; a deleted endpoint is not listed', async () => {
    const key = await make();
    const [kept, deleted] = [await register(key.api_key), await register(key.api_key)];
    await asOwner('DELETE', `/v1/wallets/${wallet.id}/webhooks/${deleted.id}`);
    const answer = await asOwner('DELETE', `${keysOf(wallet.id)}/${key.id}`, {});
    assert.deepEqual(
      answer.body.data.endpoints.map((each: { id: string }) => each.id),
      [kept.id],
    );
    assert.equal((await endpoint(kept)).created_by.name, key.name);
  });
});
