/** Two kinds of credential, and what each can do. The operations are those of /openapi.json. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { newIssuer, REQUIRED } from '../support/issuers.ts';
import { assertError, joinService } from '../support/running-service.ts';

type Operation = { method: string; path: string; access: 'open' | 'login' | 'key' };

const world = await joinService();
after(() => world.stop());
const stranger = await world.newUser();
const wallet = await world.newWallet();
const other = await world.newWallet();
const operations = await readOperations();
const ids = await makeResources();

async function readOperations(): Promise<Operation[]> {
  const document: any = await (await fetch(`${world.service.url}/openapi.json`)).json();
  return Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, { security }]) => {
      const kinds: string[] = (security ?? []).flatMap((choice: object) => Object.keys(choice));
      const access = kinds.includes('api_key') ? 'key' : kinds.includes('login') ? 'login' : 'open';
      return { method: method.toUpperCase(), path, access };
    }),
  );
}

/** One of each of the wallet's resources, by the name of its path parameter. */
async function makeResources(): Promise<Record<string, string>> {
  const base = `/v1/wallets/${wallet.id}`;
  const token = world.token;
  const address = await world.api('POST', `${base}/addresses`, { token });
  const body = { url: 'https://no-such-name.example.com/' };
  const webhook = await world.api('POST', `${base}/webhooks`, { token, body });
  const webhook_id = webhook.body.data.id;
  await world.api('POST', `${base}/webhooks/${webhook_id}/test`, { token });
  const deliveries = await world.api('GET', `${base}/webhooks/${webhook_id}/deliveries`, { token });
  const payer = await world.ledger.fund();
  const { hash } = await world.ledger.pay(payer, wallet.account, 5n);
  const [deposit] = await world.depositsOf(wallet, hash);
  const withdrawal = await world.withdraw(wallet, { destination: payer.publicKey(), amount_stroops: 1 });
  const rows = [{ idempotency_key: 'row', destination: payer.publicKey(), amount_stroops: 1 }];
  const payout = await world.api('POST', `${base}/payouts`, { token, body: { name: 'Draft', rows } });
  const issuer = await newIssuer(world.ledger, 'AUTH', REQUIRED);
  await world.api('POST', `${base}/assets`, { token, body: issuer.fields });
  await issuer.authorize(wallet.account, 'full');
  const adjustment = await eventually('the authorization', async () => {
    const { body: shown } = await world.api('GET', `${base}/transactions?type=adjustment`, { token });
    return shown.data.items[0];
  });
  return {
    address_id: address.body.data.id,
    webhook_id,
    delivery_id: deliveries.body.data.items[0].id,
    deposit_id: deposit.id,
    tx_hash: hash,
    withdrawal_id: withdrawal.body.data.id,
    payout_id: payout.body.data.id,
    adjustment_id: adjustment.id,
  };
}

const pathOf = ({ path }: Operation, wallet_id = wallet.id) =>
  path.replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? wallet_id : (ids[name] ?? `no-${name}`)));
const ofWallets = ({ path }: Operation) => path.startsWith('/v1/wallets/{id}');
const named = ({ method, path }: Operation) => `${method} ${path}`;

describe('the operations', () => {
  it('are exactly these, each with its access', () => {
    const expected = `
      login GET /v1/auth/sessions · login DELETE /v1/auth/sessions · login DELETE /v1/auth/sessions/{session_id}
      login GET /v1/auth/sessions/{session_id} · login POST /v1/auth/token/renew
      open POST /v1/auth/login · login POST /v1/auth/logout · login GET /v1/auth/me · login POST /v1/auth/password
      login POST /v1/wallets · login GET /v1/wallets · key GET /v1/wallets/{id} · key GET /v1/wallets/{id}/balances
      login PATCH /v1/wallets/{id} · login POST /v1/wallets/{id}/deposits/{deposit_id}/assign · login GET /v1/search
      login POST /v1/wallets/{id}/deposits/{deposit_id}/refund · key GET /v1/wallets/{id}/explain/{tx_hash}
      open GET /v1/service · login POST /v1/sandbox/pay · key GET /v1/wallets/{id}/statistics
      key GET /v1/wallets/{id}/health · key GET /v1/wallets/{id}/deposits/{deposit_id}/deliveries
      key GET /v1/wallets/{id}/transactions · key POST /v1/wallets/{id}/addresses · key GET /v1/wallets/{id}/addresses
      key GET /v1/wallets/{id}/addresses/{address_id} · key GET /v1/wallets/{id}/deposits
      key GET /v1/wallets/{id}/deposits/{deposit_id} · login POST /v1/wallets/{id}/withdraw
      login GET /v1/wallets/{id}/withdrawals · login GET /v1/wallets/{id}/withdrawals/{withdrawal_id}
      login POST /v1/wallets/{id}/api-key/regenerate · login GET /v1/wallets/{id}/api-key
      key POST /v1/wallets/{id}/webhooks · key GET /v1/wallets/{id}/webhooks
      key GET /v1/wallets/{id}/webhooks/{webhook_id} · login PATCH /v1/wallets/{id}/webhooks/{webhook_id}
      login DELETE /v1/wallets/{id}/webhooks/{webhook_id}
      login POST /v1/wallets/{id}/webhooks/{webhook_id}/rotate-secret
      key POST /v1/wallets/{id}/webhooks/{webhook_id}/test
      key GET /v1/wallets/{id}/webhooks/{webhook_id}/deliveries · key GET /v1/wallets/{id}/webhooks/{webhook_id}/statistics
      key GET /v1/wallets/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}
      key POST /v1/wallets/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver`
      .split(/·|\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const found = operations
      .filter(({ path }) => path.startsWith('/v1/'))
      .map((operation) => `${operation.access} ${named(operation)}`);
    for (const line of expected) assert.ok(found.includes(line), `missing: ${line}`);
  });

  it('all paths are prefixed /v1, but for the service’s own', () => {
    const rest = operations.map(({ path }) => path).filter((path) => !path.startsWith('/v1/'));
    for (const path of rest)
      assert.ok(['/', '/docs', '/healthz', '/metrics', '/openapi.json', '/readyz'].includes(path), path);
  });
});

describe('401', () => {
  it('every operation that needs a credential refuses to work without one, or with a wrong one', async () => {
    const closed = operations.filter(({ access }) => access !== 'open');
    assert.ok(closed.length >= 28);
    for (const operation of closed) {
      for (const token of [undefined, 'nonsense', `svc_sk_test_${'x'.repeat(43)}`, `${world.token}x`]) {
        const answer = await world.api(operation.method, pathOf(operation), token ? { token } : {});
        assert.equal(answer.status, 401, `${named(operation)}: ${answer.text}`);
        assertError(answer, 401);
      }
    }
  });

  it('every operation that needs a login refuses an API key with login_required', async () => {
    const login_only = operations.filter(({ access }) => access === 'login');
    for (const operation of login_only) {
      const answer = await world.api(operation.method, pathOf(operation), { token: wallet.api_key });
      assert.equal(answer.status, 401, `${named(operation)}: ${answer.text}`);
      assertError(answer, 401, 'login_required');
    }
  });

  it('an API key with other letter case, a letter more or less, is unknown', async () => {
    const key = wallet.api_key;
    const swapped = key.slice(0, -1) + (key.endsWith('a') ? 'A' : 'a');
    for (const token of [
      swapped,
      key.slice(0, -1),
      `${key}0`,
      key.replace('_test_', '_live_'),
      key.slice(12),
    ]) {
      assertError(await world.api('GET', `/v1/wallets/${wallet.id}`, { token }), 401);
    }
  });
});

describe('404', () => {
  it('an API key used against a wallet other than its own, on every operation', async () => {
    for (const operation of operations.filter((each) => each.access === 'key' && ofWallets(each))) {
      const answer = await world.api(operation.method, pathOf(operation), { token: other.api_key });
      assert.equal(answer.status, 404, `${named(operation)}: ${answer.text}`);
    }
  });

  it('the login of another user, on every operation', async () => {
    for (const operation of operations.filter((each) => each.access !== 'open' && ofWallets(each))) {
      const answer = await world.api(operation.method, pathOf(operation), { token: stranger.token });
      assert.equal(answer.status, 404, `${named(operation)}: ${answer.text}`);
    }
  });

  it('a resource of another wallet under one’s own', async () => {
    const nested = operations.filter(
      // A preview is there only while its withdrawal awaits approvals.
      ({ method, path }) => method === 'GET' && path.endsWith('_id}') && path.split('{').length === 3,
    );
    assert.ok(nested.length >= 5);
    for (const operation of nested) {
      const own = await world.api('GET', pathOf(operation), { token: world.token });
      assert.equal(own.status, 200, named(operation));
      const answer = await world.api('GET', pathOf(operation, other.id), { token: world.token });
      assert.equal(answer.status, 404, `${named(operation)}: ${answer.text}`);
    }
  });

  it('and nothing of the wallet is changed by all that', async () => {
    const webhook = await world.api('GET', `/v1/wallets/${wallet.id}/webhooks/${ids.webhook_id}`, {
      token: wallet.api_key,
    });
    assert.equal(webhook.status, 200);
    for (const table of ['deposit_addresses', 'withdrawal_movements']) {
      const rows = await world.query(`select 1 from ${table} where wallet_id = $1`, [wallet.id]);
      assert.equal(rows.length, 1, table);
    }
  });
});

describe('an API key', () => {
  it('is svc_sk_test_ and at least 32 random bytes in base62', () => {
    assert.match(wallet.api_key, /^svc_sk_test_[0-9A-Za-z]{43,}$/);
    assert.notEqual(wallet.api_key, other.api_key);
  });

  it('can create and list deposit addresses, read wallet, balances, transactions, and register webhooks', async () => {
    const token = wallet.api_key;
    const base = `/v1/wallets/${wallet.id}`;
    const statuses = [
      await world.api('POST', `${base}/addresses`, { token }),
      await world.api('GET', `${base}/addresses`, { token }),
      await world.api('GET', base, { token }),
      await world.api('GET', `${base}/balances`, { token }),
      await world.api('GET', `${base}/transactions`, { token }),
      await world.api('POST', `${base}/webhooks`, { token, body: { url: 'https://example.com/' } }),
    ].map(({ status }) => status);
    assert.deepEqual(statuses, [201, 200, 200, 200, 200, 201]);
  });

  it('is shown once: afterwards only its beginning and end, and the database has only its hash', async () => {
    const answer = await world.api('GET', `/v1/wallets/${wallet.id}/api-key`, { token: world.token });
    const { prefix, last_four, created_at } = answer.body.data;
    assert.ok(wallet.api_key.startsWith(prefix) && wallet.api_key.endsWith(last_four));
    assert.ok(prefix.length <= 20);
    assert.match(created_at, /Z$/);
    const [row] = await world.query('select t::text as text, key_hash from api_keys t where wallet_id = $1', [
      wallet.id,
    ]);
    assert.ok(!row.text.includes(wallet.api_key.slice(20)));
    assert.deepEqual(row.key_hash, createHash('sha256').update(wallet.api_key).digest());
    assert.ok(!world.service.output().includes(wallet.api_key.slice(20)), 'nor has the log');
  });

  it('its last use is noted', async () => {
    const { api_key, id } = await world.newWallet();
    const read = () => world.api('GET', `/v1/wallets/${id}/api-key`, { token: world.token });
    assert.equal((await read()).body.data.last_used_at, null);
    await world.api('GET', `/v1/wallets/${id}`, { token: api_key });
    assert.match((await read()).body.data.last_used_at, /Z$/);
  });

  it('is rejected immediately after it is regenerated; the new one works and is not to be stored by caches', async () => {
    const { api_key, id } = await world.newWallet();
    const made = await world.api('POST', `/v1/wallets/${id}/api-key/regenerate`, { token: world.token });
    assert.equal(made.status, 201);
    assert.match(made.headers.get('cache-control') ?? '', /no-store/);
    assertError(await world.api('GET', `/v1/wallets/${id}`, { token: api_key }), 401);
    assert.equal(
      (await world.api('GET', `/v1/wallets/${id}`, { token: made.body.data.api_key })).status,
      200,
    );
  });

  it('of ten regenerated at once only one works', async () => {
    const { id } = await world.newWallet();
    const regenerate = () =>
      world.api('POST', `/v1/wallets/${id}/api-key/regenerate`, { token: world.token });
    const made = await Promise.all(Array.from({ length: 10 }, regenerate));
    const statuses = await Promise.all(
      made.map(async ({ status, body }) => {
        assert.equal(status, 201);
        return (await world.api('GET', `/v1/wallets/${id}`, { token: body.data.api_key })).status;
      }),
    );
    assert.deepEqual(statuses.sort(), [200, ...Array.from({ length: 9 }, () => 401)]);
  });
});
