/** Reusing an Idempotency-Key must not cause a second payment. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rawCall } from '../support/raw-http.ts';
import { assertError, joinService, unique } from '../support/running-service.ts';

const world = await joinService();
after(() => world.stop());
const stranger = await world.newUser();
const wallet = await world.newWallet();
const payee = (await world.ledger.fund()).publicKey();

const accountOf = async (address: string) => {
  const account = await world.ledger.account(address);
  assert.ok(account);
  return account;
};

describe('the same Idempotency-Key 50 times at once', () => {
  it('gets one 201 and forty-nine 409 with data of that withdrawal; the ledger has one payment', async () => {
    const [own, their] = [await accountOf(wallet.account), await accountOf(payee)];
    const key = unique('storm');
    const body = { destination: payee, amount_stroops: 1_000_001n, memo_id: 5n };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.withdraw(wallet, body, { key })),
    );

    const won = answers.filter(({ status }) => status === 201);
    const lost = answers.filter(({ status }) => status === 409);
    assert.deepEqual([won.length, lost.length], [1, 49]);
    const withdrawal = won[0]?.body.data;
    assert.equal(withdrawal.status, 'confirmed');
    for (const answer of lost) {
      assertError(answer, 409);
      assert.match(answer.body.error.code, /^idempotency_key_(reused|in_flight)$/);
      const { data } = answer.body;
      assert.equal(data.id, withdrawal.id);
      assert.equal(data.idempotency_key, key);
      assert.equal(data.amount_stroops, 1_000_001n);
      assert.match(data.status, /^(pending|confirmed)$/);
      if (answer.body.error.code === 'idempotency_key_in_flight') assert.equal(data.status, 'pending');
    }

    const [own_after, their_after] = [await accountOf(wallet.account), await accountOf(payee)];
    assert.equal(their_after.balance - their.balance, 1_000_001n);
    assert.equal(own.balance - own_after.balance, 1_000_001n + withdrawal.fee_stroops);
    assert.equal(own_after.sequence - own.sequence, 1n, 'one transaction used one sequence number');
    assert.equal(
      (await world.query('select 1 from withdrawals where idempotency_key = $1', [key])).length,
      1,
    );
  });
});

describe('a key that was used', () => {
  it('409 idempotency_key_reused afterwards, with data equal to that of the 201, for ever', async () => {
    const key = unique('again');
    const body = { destination: payee, amount_stroops: 7n };
    const first = await world.withdraw(wallet, body, { key });
    const older = "update withdrawals set created_at = created_at - interval '400 days' where wallet_id = $1";
    await world.query(older, [wallet.id]);
    const own = await accountOf(wallet.account);
    for (let retry = 0; retry < 3; retry++) {
      const answer = await world.withdraw(wallet, body, { key });
      assertError(answer, 409, 'idempotency_key_reused');
      assert.deepEqual({ ...answer.body.data, created_at: null }, { ...first.body.data, created_at: null });
      assert.deepEqual(Object.keys(answer.body.data), Object.keys(first.body.data), 'in the same order');
    }
    assert.deepEqual(await accountOf(wallet.account), own);
  });

  it('the same JSON in another order, spacing and null for absent is the same body', async () => {
    const key = unique('spacing');
    await world.withdraw(wallet, { destination: payee, amount_stroops: 7n }, { key });
    const same = ` { "memo_id" : null,\n"amount_stroops":7 , "destination" : "${payee}" } `;
    assertError(await world.withdraw(wallet, same, { key }), 409, 'idempotency_key_reused');
  });

  it('with another body: 409 idempotency_key_mismatch, with data of the first, and no payment', async () => {
    const key = unique('mismatch');
    const other = (await world.ledger.fund()).publicKey();
    const body = { destination: payee, amount_stroops: 7n, reference: 'Order 1' };
    const first = await world.withdraw(wallet, body, { key });
    const before = await accountOf(wallet.account);
    for (const changed of [
      { ...body, amount_stroops: 8n },
      { ...body, destination: other },
      { ...body, memo_id: 0n },
    ]) {
      const answer = await world.withdraw(wallet, changed, { key });
      assertError(answer, 409, 'idempotency_key_mismatch');
      assert.deepEqual(answer.body.data, first.body.data);
    }
    // A reference changes nothing that is paid: "another body" would tell the caller to pay again.
    for (const reference of ['Order 1', 'Order 2', '', undefined]) {
      const answer = await world.withdraw(wallet, { ...body, reference }, { key });
      assertError(answer, 409, 'idempotency_key_reused');
      assert.deepEqual(answer.body.data, first.body.data, 'the reference of the first');
    }
    assert.deepEqual(await accountOf(wallet.account), before);
  });

  it('of another wallet of the same user: 409 idempotency_key_mismatch, and no payment', async () => {
    const key = unique('across');
    const body = { destination: payee, amount_stroops: 7n };
    const first = await world.withdraw(wallet, body, { key });
    const second = await world.newWallet();
    const before = await accountOf(second.account);
    const answer = await world.withdraw(second, body, { key });
    assertError(answer, 409, 'idempotency_key_mismatch');
    assert.equal(answer.body.data.id, first.body.data.id);
    assert.deepEqual(await accountOf(second.account), before);
  });

  it('for a withdrawal that failed is used as well', async () => {
    const key = unique('failed');
    const body = { destination: payee, amount_stroops: 9_000_000_000_000_000_000n };
    const first = await world.withdraw(wallet, body, { key });
    assert.equal(first.body.data.status, 'failed');
    const again = await world.withdraw(wallet, body, { key });
    assertError(again, 409, 'idempotency_key_reused');
    assert.deepEqual(again.body.data, first.body.data);
  });

  it('by another user is independent: 201 for both, and neither sees the other’s', async () => {
    const key = unique('shared');
    const theirs = await world.newWallet(stranger.token);
    const body = { destination: payee, amount_stroops: 7n };
    const [mine, other] = await Promise.all([
      world.withdraw(wallet, body, { key }),
      world.withdraw(theirs, body, { key, token: stranger.token }),
    ]);
    assert.deepEqual([mine.status, other.status], [201, 201]);
    assert.notEqual(mine.body.data.stellar_tx_hash, other.body.data.stellar_tx_hash);
    const again = await world.withdraw(theirs, body, { key, token: stranger.token });
    assert.equal(again.body.data.id, other.body.data.id);
  });
});

describe('what a key is', () => {
  const body = () => ({ destination: payee, amount_stroops: 3n });

  it('1 to 255 characters', async () => {
    for (const key of ['x', 'k'.repeat(255)]) {
      const answer = await world.withdraw(wallet, body(), { key });
      assert.equal(answer.status, 201);
      assert.equal(answer.body.data.idempotency_key, key);
    }
  });

  it('told apart by upper and lower case', async () => {
    const key = unique('Case');
    const both = [key, key.toLowerCase()].map((each) => world.withdraw(wallet, body(), { key: each }));
    for (const { status } of await Promise.all(both)) assert.equal(status, 201);
  });

  it('any printable ASCII: quotes, commas, semicolons, SQL and percent signs', async () => {
    const key = `${unique('odd')}'";,=%00\\{}~!--`;
    const answer = await world.withdraw(wallet, body(), { key });
    assert.equal(answer.body.data.idempotency_key, key);
    assertError(await world.withdraw(wallet, body(), { key }), 409, 'idempotency_key_reused');
  });

  it('given whatever the spelling of the header’s name', async () => {
    const key = unique('name');
    const send = (name: string) =>
      rawCall(world.service.url, 'POST', `/v1/wallets/${wallet.id}/withdraw`, {
        headers: {
          authorization: `bearer ${world.token}`,
          'content-type': 'application/json; charset=utf-8',
          [name]: key,
        },
        body: JSON.stringify({ destination: payee, amount_stroops: 3 }),
      });
    assert.equal((await send('IDEMPOTENCY-KEY')).status, 201);
    assert.equal((await send('idempotency-key')).status, 409);
  });
});

describe('a refusal other than 409 leaves the key free', () => {
  it('400, 401, 404 and 422 do not use it up', async () => {
    const key = unique('free');
    const body = { destination: payee, amount_stroops: 3n };
    const elsewhere = { ...wallet, id: 'wal_0000000000000000000000000' };
    const theirs = await world.newWallet(stranger.token);
    const refused = [
      await world.withdraw(wallet, { ...body, amount_stroops: 0 }, { key }),
      await world.withdraw(wallet, '{', { key }),
      await world.withdraw(wallet, body, { key, token: wallet.api_key }),
      await world.withdraw(wallet, body, { key, token: 'nonsense' }),
      await world.withdraw(elsewhere, body, { key }),
      await world.withdraw(theirs, body, { key }),
    ];
    assert.deepEqual(
      refused.map(({ status }) => status),
      [400, 400, 401, 401, 404, 404],
    );
    assert.equal((await world.withdraw(wallet, body, { key })).status, 201);
  });
});

/** A request that makes something. `shown_once`: members of its data. `action`: what the audit log says of it. */
type Making = {
  path: string;
  body?: object;
  other: { path?: string; body?: object };
  shown_once?: string[];
  action: string;
};

/** A payout with a failed row, which can be retried. It fails in the database: that is faster than a payment. */
async function failedPayout(): Promise<string> {
  const row = { idempotency_key: unique('row'), destination: payee, amount_stroops: 1 };
  const body = { name: 'Failed', rows: [row] };
  const path = `/v1/wallets/${wallet.id}/payouts`;
  const { id } = (await world.api('POST', path, { token: world.token, body })).body.data;
  await world.api('POST', `${path}/${id}/cancel`, { token: world.token });
  await world.query(
    "update payout_rows set status = 'failed', failure_code = 'op_no_destination', failure_message = '' where payout_id = $1",
    [id],
  );
  return id;
}

/** Every operation that takes an Idempotency-Key for a day. */
async function makings(): Promise<Record<string, Making>> {
  const its = `/v1/wallets/${wallet.id}`;
  const token = world.token;
  const made = async (path: string, body: object): Promise<any> => {
    const answer = await world.api('POST', path, { token, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const url = 'https://example.com/hook';
  const [endpoint, other_endpoint] = [
    await made(`${its}/webhooks`, { url }),
    await made(`${its}/webhooks`, { url }),
  ];
  const program = (name: string) => made('/v1/team/service-users', { name, role: 'operator' });
  const [service_user, other_service_user] = [await program('One'), await program('Two')];
  const other_wallet = await world.newWallet();
  await world.api('PUT', '/v1/team/alerts', { token, body: { url, kinds: ['signing_secret_rotated'] } });
  const payout = {
    name: 'May',
    rows: [{ idempotency_key: unique('row'), destination: payee, amount_stroops: 5 }],
  };
  const email = `${unique('guest')}@example.com`;
  const secrets = (of: { id: string }) => `/v1/team/service-users/${of.id}/secrets`;
  return {
    createWallet: {
      path: '/v1/wallets',
      body: { name: 'A' },
      other: { body: { name: 'B' } },
      shown_once: ['api_key'],
      action: 'wallet.created',
    },
    regenerateApiKey: {
      path: `${its}/api-key/regenerate`,
      other: { path: `/v1/wallets/${other_wallet.id}/api-key/regenerate` },
      shown_once: ['api_key'],
      action: 'api_key.regenerated',
    },
    createApiKey: {
      path: `${its}/api-keys`,
      body: { name: 'A', scopes: ['read'] },
      other: { body: { name: 'B', scopes: ['read'] } },
      shown_once: ['api_key'],
      action: 'api_key.created',
    },
    createDepositAddress: {
      path: `${its}/addresses`,
      body: { label: 'A', metadata: { customer: 1 } },
      other: { body: { label: 'A', metadata: { customer: 2 } } },
      action: 'address.created',
    },
    registerWebhook: {
      path: `${its}/webhooks`,
      body: { url },
      other: { body: { url: `${url}s` } },
      shown_once: ['signing_secret'],
      action: 'endpoint.registered',
    },
    rotateWebhookSecret: {
      path: `${its}/webhooks/${endpoint.id}/rotate-secret`,
      other: { path: `${its}/webhooks/${other_endpoint.id}/rotate-secret` },
      shown_once: ['signing_secret'],
      action: 'endpoint.secret_rotated',
    },
    testWebhook: {
      path: `${its}/webhooks/${endpoint.id}/test`,
      body: { event: 'ping' },
      other: { body: { event: 'deposit.test' } },
      action: 'endpoint.tested',
    },
    createPayout: {
      path: `${its}/payouts`,
      body: payout,
      other: { path: `${its}/payouts?preview=true` },
      action: 'payout.created',
    },
    retryPayout: {
      path: `${its}/payouts/${await failedPayout()}/retry-failed`,
      other: { path: `${its}/payouts/${await failedPayout()}/retry-failed` },
      action: 'payout.created',
    },
    createPayee: {
      path: '/v1/team/payees',
      body: { name: 'A', destination: payee },
      other: { body: { name: 'B', destination: payee } },
      action: 'payee.created',
    },
    createServiceUser: {
      path: '/v1/team/service-users',
      body: { name: 'A', role: 'viewer' },
      other: { body: { name: 'B', role: 'viewer' } },
      shown_once: ['client_secret'],
      action: 'service_user.created',
    },
    addServiceUserSecret: {
      path: secrets(service_user),
      other: { path: secrets(other_service_user) },
      shown_once: ['client_secret'],
      action: 'service_user.secret_added',
    },
    createInvitation: {
      path: '/v1/team/invitations',
      body: { email, role: 'viewer' },
      other: { body: { email, role: 'developer' } },
      shown_once: ['token', 'path'],
      action: 'invitation.created',
    },
    rotateAlertSecret: {
      path: '/v1/team/alerts/rotate-secret',
      other: { path: '/v1/team/alerts/rotate-secret?again=1' },
      shown_once: ['signing_secret'],
      action: 'team.alerts_changed',
    },
  };
}

describe('a request that makes something, twice with one Idempotency-Key', () => {
  it('makes it once: the first answer again without secrets, which are nowhere kept, and 409 for another request', async () => {
    const { body: document } = await world.api('GET', '/openapi.json');
    const operations = Object.values<Record<string, any>>(document.paths).flatMap((methods) =>
      Object.values(methods),
    );
    const takes_key = ({ parameters = [] }: any) =>
      parameters.some(({ name, required }: any) => name === 'idempotency-key' && !required);
    const known = await makings();
    assert.deepEqual(
      operations
        .filter(takes_key)
        .map(({ operationId }) => operationId)
        .sort(),
      Object.keys(known).sort(),
    );
    for (const [operation, { path, body = {}, other, shown_once = [], action }] of Object.entries(known)) {
      const headers = { 'idempotency-key': unique('making') };
      const send = (to = path, sent: object = body) =>
        world.api('POST', to, { token: world.token, headers, body: sent });
      const entries = async () =>
        (await world.query('select 1 from audit_log where action = $1', [action])).length;
      const before = await entries();
      const [first, again] = [await send(), await send()];
      assert.ok(first.status < 300, `${operation}: ${first.text}`);
      assert.equal(again.status, first.status, `${operation}: ${again.text}`);
      const [{ target_kind, target_id }] = await world.query(
        'select target_kind, target_id from idempotent_requests where operation = $1 order by created_at desc limit 1',
        [operation],
      );
      const is_named =
        target_id === null ? target_kind === 'signing_secret' : first.text.includes(`"id":"${target_id}"`);
      assert.ok(is_named, `${operation} names what it makes: ${target_kind} ${target_id}`);
      assert.deepEqual(
        [first, again].map((answer) => answer.headers.get('idempotency-replayed')),
        [null, 'true'],
        operation,
      );
      assert.equal(again.headers.get('cache-control'), first.headers.get('cache-control'), operation);
      const hidden = Object.fromEntries(shown_once.map((member) => [member, null]));
      assert.deepEqual(again.body, { ...first.body, data: { ...first.body.data, ...hidden } }, operation);
      for (const member of shown_once) {
        const secret = first.body.data[member];
        assert.equal(typeof secret, 'string', `${operation} shows ${member} once`);
        const kept = await world.query('select 1 from idempotent_requests where strpos(answer, $1) > 0', [
          secret,
        ]);
        assert.deepEqual(kept, [], operation);
      }
      assertError(await send(other.path, other.body), 409, 'idempotency_key_mismatch');
      assert.equal((await entries()) - before, 1, `${operation} makes one`);
    }
  });
});
