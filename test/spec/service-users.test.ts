/** Service users: programs that act with the rights of a member, for minutes at a time. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Answer } from '../support/api.ts';
import { untilBlocked } from '../support/lock-waits.ts';
import {
  assertError,
  assertFault,
  startRunningService,
  startSecond,
  unique,
} from '../support/running-service.ts';

const PUBLIC_URL = 'https://teller.example.com';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PROXY = '127.0.0.1';
const RECEIVER = '127.0.0.1:9';

const env = { PUBLIC_URL, TRUSTED_PROXIES: PROXY, WEBHOOK_ALLOWED_HOSTS: RECEIVER };
const world = await startRunningService(env);
const second = await startSecond(world, env);
after(async () => {
  await second.stop();
  await world.stop();
});
const first_wallet = await world.newWallet();
const other_wallet = await world.newWallet();
const stranger = await world.newUser();

/** What makes or changes access, or is about a person's own login. */
const FOR_PEOPLE = [
  'changePassword',
  'addMember',
  'changeMember',
  'removeMember',
  'createInvitation',
  'revokeInvitation',
  'replaceAlerts',
  'rotateAlertSecret',
  'createServiceUser',
  'changeServiceUser',
  'removeServiceUser',
  'addServiceUserSecret',
  'retireServiceUserSecret',
  'regenerateApiKey',
  'createApiKey',
];

type Made = { id: string; client_id: string; client_secret: string; secrets: { id: string }[] };

const BASE = '/v1/team/service-users';
const asOwner = (method: string, path: string, body?: unknown, token = world.token) =>
  world.api(method, path, { token, ...(body !== undefined && { body }) });

async function make(more: object = {}): Promise<Made> {
  const answer = await asOwner('POST', BASE, { name: unique('backend'), role: 'operator', ...more });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

/** From an address that a proxy tells. */
const from = (ip: string) => ({ 'x-forwarded-for': ip });

function exchange(
  body: object,
  headers: Record<string, string> = {},
  service = world.service,
): Promise<Answer> {
  return service.api('POST', '/v1/auth/token', {
    body: { grant_type: 'client_credentials', ...body },
    headers,
  });
}

function exchangeForm(
  body: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const text = typeof body === 'string' ? body : `${new URLSearchParams(body)}`;
  return world.api('POST', '/v1/auth/token', { body: text, headers: { ...FORM, ...headers } });
}

const secretOf = ({ client_id, client_secret }: Made) => ({ client_id, client_secret });
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

async function tokenOf(made: Made, headers: Record<string, string> = {}): Promise<string> {
  const answer = await exchange(secretOf(made), headers);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.token;
}

const me = (token: string, headers: Record<string, string> = {}) =>
  world.api('GET', '/v1/auth/me', { token, headers });

const audited = async (action: string, target: string) =>
  (
    await world.query(`select entry from audit_log where action = $1 and target_id = $2 order by seq`, [
      action,
      target,
    ])
  ).map(({ entry }) => JSON.parse(entry));

describe('a service user with a secret', () => {
  it('gets a login token for 15 minutes in the fields of this API and of OAuth 2, which nobody may store', async () => {
    const made = await make();
    const answer = await exchange(secretOf(made));
    assert.equal(answer.status, 200, answer.text);
    const { data, access_token, token_type, expires_in } = answer.body;
    assert.deepEqual(data, { token: access_token, expires_in: 900n });
    assert.equal(token_type, 'Bearer');
    assert.equal(expires_in, 900n);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { body } = await me(access_token);
    const { id, kind, role, wallet_ids } = body.data;
    assert.deepEqual(
      { id, kind, role, wallet_ids },
      { id: made.id, kind: 'service', role: 'operator', wallet_ids: null },
    );
    assert.equal(made.client_id, made.id);
    const [given] = await audited('service_user.token_given', made.id);
    assert.equal(given.actor.kind, 'service_user');
    assert.ok(!JSON.stringify(given).includes(access_token));
  });

  it('withdraws, and its withdrawal is that of the team', async () => {
    const token = await tokenOf(await make());
    const sink = await world.ledger.fund();
    const order = { destination: sink.publicKey(), amount_stroops: 7 };
    const key = unique('key');
    const paid = await world.withdraw(first_wallet, order, { key, token });
    assert.equal(paid.status, 201, paid.text);
    assert.equal(paid.body.data.status, 'confirmed');
    assertError(await world.withdraw(first_wallet, order, { key }), 409);
  });

  it('is bound by the policy of the wallet', async () => {
    const wallet = await world.newWallet();
    const policy = await asOwner('PATCH', `/v1/wallets/${wallet.id}/policy`, { frozen: true });
    assert.equal(policy.status, 200, policy.text);
    const token = await tokenOf(await make());
    const order = { destination: first_wallet.account, amount_stroops: 7 };
    assertError(await world.withdraw(wallet, order, { token }), 422, 'policy_frozen');
  });

  it('may send form or JSON, Basic or body, but one way only', async () => {
    const made = await make();
    const { client_id, client_secret } = made;
    const grant_type = 'client_credentials';
    const authorization = basic(client_id, client_secret);
    const good = [
      await exchange({}, { authorization }),
      await exchange({ client_id }, { authorization }),
      await exchangeForm({ grant_type, client_id, client_secret }),
      await exchangeForm({ grant_type }, { authorization }),
      await exchangeForm({ grant_type, scope: 'everything', client_secret: '' }, { authorization }),
    ];
    for (const answer of good) assert.equal(answer.status, 200, answer.text);
    assertError(await exchange({ client_id, client_secret }, { authorization }), 400, 'invalid_request');
    assertError(await exchange({ client_id: stranger.id }, { authorization }), 400, 'invalid_request');
    const with_assertion = {
      client_id,
      client_secret,
      client_assertion: 'x',
      client_assertion_type: ASSERTION_TYPE,
    };
    assertError(await exchange(with_assertion), 400, 'invalid_request');
    assertFault(await exchange({ ...secretOf(made), no_such_field: 1 }), '/no_such_field');
  });

  it('a refusal of a form is that of RFC 6749, with WWW-Authenticate where Basic was tried; of JSON that of this API', async () => {
    const { client_id } = await make();
    const grant_type = 'client_credentials';
    const wrong = { client_id, client_secret: 'svc_secret_wrong' };
    const form = await exchangeForm({ grant_type, ...wrong });
    assert.equal(form.status, 401);
    assert.equal(form.body.error, 'invalid_client');
    assert.equal(form.body.error_description, form.body.message);
    assert.equal(form.headers.get('cache-control'), 'no-store');
    const tried = await exchangeForm({ grant_type }, { authorization: basic(client_id, 'x') });
    assert.equal(tried.body.error, 'invalid_client');
    assert.match(tried.headers.get('www-authenticate') ?? '', /^Basic realm=/);
    assertError(await exchange(wrong), 401, 'invalid_client');
    const unsupported = await exchangeForm({ grant_type: 'password' });
    assert.equal(unsupported.status, 400);
    assert.equal(unsupported.body.error, 'unsupported_grant_type');
    const twice = await exchangeForm(`grant_type=${grant_type}&client_id=a&client_id=b`);
    assert.equal(twice.status, 400);
    assert.equal(twice.body.error, 'invalid_request');
    assert.equal((await exchangeForm('')).body.error, 'invalid_request');
    assertError(await exchange({ grant_type: 'password' }), 400, 'unsupported_grant_type');
  });

  it('no other operation takes a form', async () => {
    const answer = await world.api('POST', '/v1/auth/login', { body: 'email=a&password=b', headers: FORM });
    assertError(answer, 415, 'unsupported_media_type');
  });

  it('all wrong credentials are refused alike, whatever they are', async () => {
    const made = await make();
    const disabled = await make();
    await asOwner('PATCH', `${BASE}/${disabled.id}`, { enabled: false });
    const { client_id, client_secret } = made;
    const wrong: [object, Record<string, string>?][] = [
      [{ client_id, client_secret: `${client_secret}x` }],
      [{ client_id: disabled.client_id, client_secret }],
      [{ client_id: 'svu_00000000000000000000000000', client_secret }],
      [{ client_id: 'nobody', client_secret }],
      [secretOf(disabled)],
    ];
    const texts = new Set<string>();
    for (const [body, headers] of wrong) {
      const answer = await exchange(body, headers);
      assertError(answer, 401, 'invalid_client');
      texts.add(answer.body.message);
    }
    assert.equal(texts.size, 1);
    for (const authorization of [
      'Basic',
      'Basic !',
      basic('', ''),
      basic(client_id, '%zz'),
      `Bearer ${world.token}`,
    ])
      assertError(await exchange({}, { authorization }), 401, 'invalid_client');
    assertError(await exchange({}), 401, 'invalid_client');
  });

  it('its secret is kept as a hash only', async () => {
    const { client_secret, id } = await make();
    const rows = await world.query('select * from service_user_secrets where service_user_id = $1', [id]);
    assert.ok(!JSON.stringify(rows).includes(client_secret));
    const log = await world.query('select entry from audit_log');
    assert.ok(!JSON.stringify(log).includes(client_secret));
  });

  it('cannot log in as a person, nor do what is for people, whatever its role', async () => {
    const made = await make({ role: 'admin' });
    const token = await tokenOf(made);
    const login = { email: made.id, password: made.client_secret };
    assertError(await world.api('POST', '/v1/auth/login', { body: login }), 401, 'wrong_credentials');
    const document: any = await (await fetch(`${world.service.url}/openapi.json`)).json();
    const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
      Object.entries<any>(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        ...operation,
      })),
    );
    const for_people = operations.filter((operation) => operation['x-for-people']);
    const names = new Set(for_people.map(({ operationId }) => operationId));
    for (const name of FOR_PEOPLE) assert.ok(names.has(name), name);
    for (const { path, method, operationId } of for_people) {
      const at = path.replace('{id}', first_wallet.id).replace(/\{\w+\}/g, made.id);
      const answer = await world.api(method, at, { token, ...(method === 'GET' ? {} : { body: {} }) });
      assertError(answer, 403, 'person_required');
      assert.equal(answer.status, 403, operationId);
    }
  });

  it('as an admin it makes wallets of the team', async () => {
    const wallet = await world.newWallet(await tokenOf(await make({ role: 'admin' })));
    assert.equal((await asOwner('GET', `/v1/wallets/${wallet.id}`)).status, 200);
  });

  it('a logout ends its token at once', async () => {
    const made = await make();
    const [kept, ended] = [await tokenOf(made), await tokenOf(made)];
    assert.equal((await world.api('POST', '/v1/auth/logout', { token: ended, body: {} })).status, 200);
    assertError(await me(ended), 401, 'unauthenticated');
    assert.equal((await me(kept)).status, 200);
  });

  it('its token ends with its time', async () => {
    const made = await make();
    const token = await tokenOf(made);
    await world.query('update service_user_tokens set expires_at = now() where service_user_id = $1', [
      made.id,
    ]);
    assertError(await me(token), 401, 'unauthenticated');
  });
});

describe('the rights of a service user', () => {
  it('are its role and its wallets, and a change holds for the next request with the same token', async () => {
    const made = await make({ role: 'viewer', wallet_ids: [first_wallet.id] });
    const token = await tokenOf(made);
    const address = (wallet: { id: string }) =>
      world.api('POST', `/v1/wallets/${wallet.id}/addresses`, { token });
    assertError(await address(first_wallet), 403, 'role_missing');
    assert.equal((await world.api('GET', `/v1/wallets/${first_wallet.id}`, { token })).status, 200);
    assertError(await world.api('GET', `/v1/wallets/${other_wallet.id}`, { token }), 404, 'not_found');
    assert.equal((await asOwner('PATCH', `${BASE}/${made.id}`, { role: 'operator' })).status, 200);
    assert.equal((await address(first_wallet)).status, 201);
    assertError(await address(other_wallet), 404, 'not_found');
    assert.equal((await asOwner('PATCH', `${BASE}/${made.id}`, { all_wallets: true })).status, 200);
    assert.equal((await address(other_wallet)).status, 201);
    const [entry] = await audited('service_user.changed', made.id);
    assert.deepEqual([entry.before.role, entry.after.role], ['viewer', 'operator']);
  });

  it('every operation: 403 exactly where the roles say so, like a member of that role', async () => {
    const document: any = await (await fetch(`${world.service.url}/openapi.json`)).json();
    const made = await make({ role: 'operator' });
    const token = await tokenOf(made);
    for (const [path, methods] of Object.entries<any>(document.paths))
      for (const [method, operation] of Object.entries<any>(methods)) {
        const roles: string[] | undefined = operation['x-roles'];
        if (!roles || operation.operationId === 'logout') continue;
        const at = path.replace('{id}', first_wallet.id).replace(/\{(\w+)\}/g, 'no-$1');
        const body = method === 'get' ? undefined : { no_such_field: 1 };
        const answer = await world.api(method.toUpperCase(), at, { token, body });
        const refused = !roles.includes('operator') || operation['x-for-people'] === true;
        assert.equal(answer.status === 403, refused, `${operation.operationId}: ${answer.text}`);
      }
  });

  it('end at once when it is disabled or removed, on every process; a disabled one comes back without its tokens', async () => {
    const made = await make();
    const token = await tokenOf(made);
    const both = (t: string) => Promise.all([me(t), second.api('GET', '/v1/auth/me', { token: t })]);
    const disabled = await asOwner('PATCH', `${BASE}/${made.id}`, { enabled: false });
    assert.deepEqual([disabled.body.data.enabled, disabled.body.data.disabled_by], [false, 'team']);
    for (const answer of await both(token)) assertError(answer, 401, 'unauthenticated');
    assertError(await exchange(secretOf(made)), 401, 'invalid_client');
    assert.equal((await asOwner('PATCH', `${BASE}/${made.id}`, { enabled: true })).status, 200);
    assertError(await me(token), 401, 'unauthenticated');
    const next = await tokenOf(made);
    const removed = await asOwner('DELETE', `${BASE}/${made.id}`, {});
    assert.equal(removed.status, 200, removed.text);
    for (const answer of await both(next)) assertError(answer, 401, 'unauthenticated');
    assertError(await exchange(secretOf(made)), 401, 'invalid_client');
    assertError(await asOwner('GET', `${BASE}/${made.id}`), 404, 'not_found');
    assertError(await asOwner('PATCH', `${BASE}/${made.id}`, { enabled: true }), 404, 'not_found');
    assert.equal((await audited('service_user.removed', made.id)).length, 1);
  });
});

describe('the endpoints that a service user has registered', () => {
  type Shown = { id: string };
  const url = `http://${RECEIVER}/`;
  const register = async (token: string, wallet = first_wallet): Promise<Shown> => {
    const answer = await world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, { token, body: { url } });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const listed = ({ status, text, body }: Answer): string[] => {
    assert.equal(status, 200, text);
    return body.data.endpoints.map(({ id }: Shown) => id);
  };
  const waiting = (count: number) => untilBlocked(world, count);

  it('are in the answers that disable and remove it, of all wallets, enabled, without deleted ones and those of others', async () => {
    const made = await make({ role: 'developer' });
    const token = await tokenOf(made);
    const one = await register(token);
    const two = await register(token, other_wallet);
    const gone = await register(token);
    await asOwner('DELETE', `/v1/wallets/${first_wallet.id}/webhooks/${gone.id}`, {});
    await register(await tokenOf(await make({ role: 'developer' })));
    await register(world.token);
    const disabled = await asOwner('PATCH', `${BASE}/${made.id}`, { enabled: false });
    assert.deepEqual(listed(disabled), [two.id, one.id]);
    assert.ok(disabled.body.data.endpoints.every(({ enabled }: { enabled: boolean }) => enabled));
    assert.deepEqual(listed(await asOwner('DELETE', `${BASE}/${made.id}`, {})), [two.id, one.id]);
  });

  it('are complete: a registration that is under way is listed', async () => {
    const made = await make({ role: 'developer' });
    const token = await tokenOf(made);
    await world.query('begin');
    await world.query('select from wallets where id = $1 for update', [other_wallet.id]);
    const registration = register(token, other_wallet);
    await waiting(1);
    const removal = asOwner('DELETE', `${BASE}/${made.id}`, {});
    await waiting(2);
    await world.query('commit');
    assert.deepEqual(listed(await removal), [(await registration).id]);
  });

  it('are complete: a registration that comes to the database after the removal is refused, and writes no row', async () => {
    const made = await make({ role: 'developer' });
    const token = await tokenOf(made);
    const rows = await world.countOf('webhook_endpoints');
    await world.query('begin');
    await world.query('update service_users set removed_at = now() where id = $1', [made.id]);
    const body = { url };
    const registration = world.api('POST', `/v1/wallets/${other_wallet.id}/webhooks`, { token, body });
    await waiting(1);
    await world.query('commit');
    assertError(await registration, 401, 'unauthenticated');
    assert.equal(await world.countOf('webhook_endpoints'), rows);
  });
});

describe('source addresses', () => {
  it('are checked at the exchange and at each request, in every process', async () => {
    const made = await make({ allowed_ips: ['203.0.113.0/24', '2001:db8::/32'] });
    assertError(await exchange(secretOf(made), from('198.51.100.1')), 403, 'address_not_allowed');
    const token = await tokenOf(made, from('203.0.113.7'));
    assert.equal((await me(token, from('2001:db8::1'))).status, 200);
    for (const service of [world.service, second]) {
      const answer = await service.api('GET', '/v1/auth/me', { token, headers: from('198.51.100.1') });
      assertError(answer, 403, 'address_not_allowed');
    }
    const paid = await world.withdraw(
      first_wallet,
      { destination: other_wallet.account, amount_stroops: 7 },
      { token, headers: from('198.51.100.1') },
    );
    assertError(paid, 403, 'address_not_allowed');
  });

  it('that change hold for the next request with the same token', async () => {
    const made = await make();
    const token = await tokenOf(made);
    const change = (body: object) => asOwner('PATCH', `${BASE}/${made.id}`, body);
    assert.equal((await change({ allowed_ips: ['203.0.113.9'] })).status, 200);
    assertError(await me(token), 403, 'address_not_allowed');
    assert.equal((await me(token, from('203.0.113.9'))).status, 200);
    assertFault(await change({ allowed_ips: ['203.0.113.9'], all_addresses: true }), '/all_addresses');
    assert.equal((await change({ all_addresses: true })).status, 200);
    assert.equal((await me(token)).status, 200);
  });
});

describe('a rotation', () => {
  const add = (id: string) => asOwner('POST', `${BASE}/${id}/secrets`, {});

  it('has no gap: two secrets work at once, a third is refused, and a retired one ends with its tokens', async () => {
    const made = await make();
    const [old] = made.secrets;
    const old_token = await tokenOf(made);
    const added = await add(made.id);
    assert.equal(added.status, 201, added.text);
    assert.equal(added.headers.get('cache-control'), 'no-store');
    const renewed = { ...made, client_secret: added.body.data.client_secret };
    const new_token = await tokenOf(renewed);
    assert.equal((await me(await tokenOf(made))).status, 200);
    assertError(await add(made.id), 422, 'too_many_secrets');
    const retired = await asOwner('DELETE', `${BASE}/${made.id}/secrets/${old?.id}`, {});
    assert.equal(retired.status, 200, retired.text);
    assertError(await exchange(secretOf(made)), 401, 'invalid_client');
    assertError(await exchange(secretOf(made), {}, second), 401, 'invalid_client');
    assertError(await me(old_token), 401, 'unauthenticated');
    assert.equal((await me(new_token)).status, 200);
    assertError(await asOwner('DELETE', `${BASE}/${made.id}/secrets/${old?.id}`, {}), 404, 'not_found');
  });

  it('of two secrets added at once, one is refused when there was one', async () => {
    const made = await make();
    const statuses = (await Promise.all([add(made.id), add(made.id)])).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [201, 422]);
  });

  it('a token that is asked for while the secret is retired does not outlive it', async () => {
    const made = await make();
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => exchange(secretOf(made)))),
      asOwner('DELETE', `${BASE}/${made.id}/secrets/${made.secrets[0]?.id}`, {}),
    ]);
    for (const { status, body } of answers)
      if (status === 200) assertError(await me(body.access_token), 401, 'unauthenticated');
  });
});

describe('a service user with a public key', async () => {
  const ed = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const ec = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(ed.publicKey)), kid: 'ed' };
  const ec_jwk = await exportJWK(ec.publicKey);

  const seconds = () => Math.floor(Date.now() / 1000);
  type Claims = Record<string, unknown>;
  const claimsFor = (client_id: string, more: Claims = {}): Claims => {
    const iat = seconds();
    return {
      iss: client_id,
      sub: client_id,
      aud: PUBLIC_URL,
      iat,
      exp: iat + 60,
      jti: unique('jti'),
      ...more,
    };
  };

  function sign(claims: Claims, header: Record<string, unknown> = {}, key = ed.privateKey): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid: 'ed', ...header }).sign(key);
  }

  const prove = (client_assertion: string, service = world.service, more: object = {}) =>
    exchange({ client_assertion, client_assertion_type: ASSERTION_TYPE, ...more }, {}, service);

  const made = await make({ public_keys: [jwk, ec_jwk] });
  const { client_id } = made;

  it('has no secret, and gets tokens for assertions with EdDSA and ES256', async () => {
    assert.equal(made.client_secret, null);
    assert.deepEqual(made.secrets, []);
    const shown = await asOwner('GET', `${BASE}/${client_id}`);
    const kid = shown.body.data.public_keys[1].kid;
    assert.equal((await prove(await sign(claimsFor(client_id)))).status, 200);
    const with_id = await prove(await sign(claimsFor(client_id, { aud: [PUBLIC_URL] })), world.service, {
      client_id,
    });
    assert.equal(with_id.status, 200, with_id.text);
    const es = await sign(claimsFor(client_id), { alg: 'ES256', kid, typ: 'JWT' }, ec.privateKey);
    const answer = await prove(es);
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await me(answer.body.access_token)).body.data.id, client_id);
  });

  it('an assertion works once, also at two processes at the same time', async () => {
    const assertion = await sign(claimsFor(client_id));
    const answers = await Promise.all([
      ...Array.from({ length: 3 }, () => prove(assertion)),
      ...Array.from({ length: 3 }, () => prove(assertion, second)),
    ]);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assertError(answer, 401, 'invalid_client');
      assert.match(answer.body.message, /jti was used before/);
    }
    assertError(await prove(assertion, second), 401, 'invalid_client');
  });

  it('above the team’s quota of requests it is not used up; one that was used counts nothing', async () => {
    const env = { PUBLIC_URL, TRUSTED_PROXIES: PROXY, TEAM_REQUESTS_PER_MINUTE: '2' };
    const limited = await startSecond(world, env);
    const left = ({ headers }: Answer) => /^"team";r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1];
    const used = await sign(claimsFor(client_id));
    assert.equal(left(await prove(used, limited)), '1');
    for (let n = 0; n < 3; n++) {
      const again = await prove(used, limited);
      assertError(again, 401, 'invalid_client');
      assert.equal(left(again), undefined);
    }
    assert.equal(left(await prove(await sign(claimsFor(client_id)), limited)), '0');
    const kept = await sign(claimsFor(client_id));
    assertError(await prove(kept, limited), 429, 'rate_limited');
    const answer = await prove(kept, second);
    assert.equal(answer.status, 200, answer.text);
    await limited.stop();
  });

  it('refuses an assertion for somebody else, for too long, without its claims, or from the future or the past', async () => {
    const now = seconds();
    const wrong: [string, Claims][] = [
      ['aud', { aud: 'https://other.example.com' }],
      ['aud', { aud: `${PUBLIC_URL}/v1/auth/token` }],
      ['aud', { aud: [PUBLIC_URL, 'https://other.example.com'] }],
      ['aud', { aud: undefined }],
      ['exp', { iat: now, exp: now + 301 }],
      ['exp', { exp: now + 10 * 365 * 86_400 }],
      ['exp', { exp: now - 60, iat: now - 100 }],
      ['exp', { exp: undefined }],
      ['iat', { iat: undefined }],
      ['iat', { iat: now + 60, exp: now + 120 }],
      ['jti', { jti: undefined }],
      ['jti', { jti: '' }],
      ['jti', { jti: 'x'.repeat(256) }],
      ['iss', { iss: 'somebody' }],
      ['nbf', { nbf: now + 60 }],
    ];
    for (const [claim, more] of wrong) {
      const claims = Object.entries(claimsFor(client_id, more)).filter(([, value]) => value !== undefined);
      const answer = await prove(await sign(Object.fromEntries(claims)));
      assertError(answer, 401, 'invalid_client');
      assert.match(answer.body.message, new RegExp(claim), `${JSON.stringify(more)}: ${answer.text}`);
    }
  });

  it('refuses another key, another algorithm, none, and HMAC with the public key', async () => {
    const claims = claimsFor(client_id);
    const part = (value: object | Buffer) =>
      Buffer.from(Buffer.isBuffer(value) ? value : JSON.stringify(value)).toString('base64url');
    const unsigned = `${part({ alg: 'none', kid: 'ed' })}.${part(claims)}.`;
    const input = `${part({ alg: 'HS256', kid: 'ed' })}.${part(claims)}`;
    const hmac = (key: Buffer) => `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
    const foreign = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    const own_jwk = await exportJWK(foreign.publicKey);
    const forged = [
      unsigned,
      hmac(Buffer.from(jwk.x ?? '', 'base64url')),
      hmac(Buffer.from(JSON.stringify(jwk))),
      await sign(claims, {}, foreign.privateKey),
      await sign(claims, { jwk: own_jwk }, foreign.privateKey),
      await sign(claims, { kid: 'no such key' }),
      await sign(claims, { kid: undefined }),
      await sign(claims, { alg: 'ES256' }, ec.privateKey),
      'x',
      'a.b.c',
      '',
    ];
    for (const assertion of forged) {
      const answer = await prove(assertion);
      assertError(answer, 401, 'invalid_client');
      assert.match(answer.body.message, /The client or its credential is not valid/);
    }
    for (const typ of ['at+jwt', 5, ['JWT', 'x'], {}])
      assertError(await prove(await sign(claims, { typ })), 401, 'invalid_client');
    const other = await make({ public_keys: [await exportJWK(foreign.publicKey)] });
    assertError(await prove(await sign(claimsFor(other.client_id))), 401, 'invalid_client');
    const mixed = { client_id: other.client_id };
    assertError(await prove(await sign(claimsFor(client_id)), world.service, mixed), 401, 'invalid_client');
    assertFault(
      await exchange({ client_assertion: await sign(claims), client_assertion_type: 'x' }),
      '/client_assertion_type',
    );
    assert.equal((await prove(await sign(claims))).status, 200, 'none of them has used it up');
  });

  it('a removed key ends its tokens; a key of the other kind goes on', async () => {
    const pair = await make({ public_keys: [jwk, ec_jwk] });
    const [token, other] = [
      (await prove(await sign(claimsFor(pair.client_id)))).body.access_token,
      (
        await prove(
          await sign(claimsFor(pair.client_id), { alg: 'ES256', kid: await kidOf(pair.id) }, ec.privateKey),
        )
      ).body.access_token,
    ];
    assert.equal((await asOwner('PATCH', `${BASE}/${pair.id}`, { public_keys: [ec_jwk] })).status, 200);
    assertError(await me(token), 401, 'unauthenticated');
    assert.equal((await me(other)).status, 200);
    assertError(await prove(await sign(claimsFor(pair.client_id))), 401, 'invalid_client');
    const without_kid = await sign(
      claimsFor(pair.client_id),
      { alg: 'ES256', kid: undefined },
      ec.privateKey,
    );
    assert.equal((await prove(without_kid)).status, 200, 'the only key needs no name');
    assert.equal((await asOwner('PATCH', `${BASE}/${pair.id}`, { public_keys: [] })).status, 200);
    assertError(await me(other), 401, 'unauthenticated');
  });

  const kidOf = async (id: string) =>
    (await asOwner('GET', `${BASE}/${id}`)).body.data.public_keys[1].kid as string;

  it('400 for a private key, another kind of key, a point off the curve, and a kid twice', async () => {
    const private_jwk = await exportJWK(ed.privateKey);
    const wrong: [object, string][] = [
      [[private_jwk], '/public_keys/0/d'],
      [[{ ...jwk, crv: 'P-256' }], '/public_keys/0'],
      [[{ ...jwk, x: 'AAAA' }], '/public_keys/0'],
      [[{ ...ec_jwk, y: ec_jwk.x }], '/public_keys/0'],
      [[{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }], '/public_keys/0/kty'],
      [[jwk, { ...jwk, kid: 'another' }], '/public_keys/1'],
      [[jwk, { ...ec_jwk, kid: 'ed' }], '/public_keys/1'],
      [Array.from({ length: 6 }, () => jwk), '/public_keys'],
      [{ keys: [jwk] }, '/public_keys'],
    ];
    for (const [public_keys, path] of wrong)
      assertFault(await asOwner('POST', BASE, { name: 'x', role: 'viewer', public_keys }), path);
  });
});

describe('who manages service users', () => {
  it('owners and admins; nobody makes one an owner; other teams do not see it', async () => {
    assertFault(await asOwner('POST', BASE, { name: 'x', role: 'owner' }), '/role');
    const made = await make();
    for (const [method, path, body] of [
      ['GET', `${BASE}/${made.id}`, undefined],
      ['PATCH', `${BASE}/${made.id}`, { name: 'mine' }],
      ['DELETE', `${BASE}/${made.id}`, {}],
      ['POST', `${BASE}/${made.id}/secrets`, {}],
      ['DELETE', `${BASE}/${made.id}/secrets/${made.secrets[0]?.id}`, {}],
    ] as const)
      assertError(await asOwner(method, path, body, stranger.token), 404, 'not_found');
    const { body } = await asOwner('GET', BASE, undefined, stranger.token);
    assert.deepEqual(body.data.items, []);
    assert.equal((await me(await tokenOf(made))).status, 200);
  });

  it('are listed apart from members, newest first, in pages', async () => {
    const made = [await make(), await make()].map(({ id }) => id);
    const page = await asOwner('GET', `${BASE}?limit=1`);
    assert.equal(page.body.data.items[0].id, made[1]);
    const next = await asOwner('GET', `${BASE}?limit=1&cursor=${page.body.data.next_cursor}`);
    assert.equal(next.body.data.items[0].id, made[0]);
    assert.equal(next.body.data.items[0].secrets.length, 1);
    const members = await asOwner('GET', '/v1/team/members?limit=200');
    assert.ok(!members.text.includes('svu_'));
  });

  it('400 with the path for what is wrong, and no row', async () => {
    const rows = await world.countOf('service_users');
    const wrong: [object, string][] = [
      [{ name: ' ' }, '/name'],
      [{ role: 'king' }, '/role'],
      [{ wallet_ids: [] }, '/wallet_ids'],
      [{ wallet_ids: ['wal_nobody'] }, '/wallet_ids'],
      [{ role: 'admin', wallet_ids: [first_wallet.id] }, '/wallet_ids'],
      [{ allowed_ips: [] }, '/allowed_ips'],
      [{ allowed_ips: ['203.0.113.0/33'] }, '/allowed_ips/0'],
      [{ allowed_ips: ['example.com'] }, '/allowed_ips/0'],
    ];
    for (const [more, path] of wrong)
      assertFault(await asOwner('POST', BASE, { name: 'x', role: 'operator', ...more }), path);
    assert.equal(await world.countOf('service_users'), rows);
  });

  it('the last owner of a team that has one cannot go to another team by an invitation', async () => {
    const founder = await world.newUser();
    const made = await asOwner('POST', BASE, { name: 'x', role: 'viewer' }, founder.token);
    assert.equal(made.status, 201, made.text);
    const invitation = await asOwner('POST', '/v1/team/invitations', {
      email: founder.email,
      role: 'viewer',
    });
    const body = { token: invitation.body.data.token, password: founder.password };
    assertError(await world.api('POST', '/v1/auth/invitations/accept', { body }), 409, 'already_in_team');
  });
});

describe('failed exchanges', () => {
  it('429 with Retry-After after 100 from one address group; a right credential and other groups pass', async () => {
    const made = await make();
    const wrong = { client_id: made.client_id, client_secret: 'wrong' };
    for (let n = 0; n < 3; n++) assertError(await exchange(wrong, from(`192.0.2.${n}`)), 401);
    // As after 100. So many real ones may take longer than the 36 s after which one is forgotten.
    const counts = await world.query(
      "update login_failure_counts set failures = failures + 97, failed_at = now() where key like 'exchanges:192.0.2.%' returning failures",
    );
    assert.deepEqual(counts, [{ failures: 100 }]);
    const limited = await exchange(wrong, from('192.0.2.200'));
    assertError(limited, 429, 'too_many_logins');
    assert.ok(Number(limited.headers.get('retry-after')) > 0);
    const form = await exchangeForm({ grant_type: 'client_credentials', ...wrong }, from('192.0.2.200'));
    assert.equal(form.status, 429);
    assert.equal(form.body.error, 'too_many_logins');
    assert.equal((await exchange(secretOf(made), from('192.0.2.200'))).status, 200);
    assertError(await exchange(wrong, from('192.0.3.1')), 401, 'invalid_client');
    assert.equal((await audited('service_user.token_refused', made.id)).length, 4);
  });
});
