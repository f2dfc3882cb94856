/** A database of the version before teams, with everything in it, goes on: nobody and nothing notices the update. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Operation } from '@stellar/stellar-sdk/base';
import { SignJWT } from 'jose';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { hashPassword } from '../../src/auth/passwords.ts';
import { newId } from '../../src/lib/ids.ts';
import { newSigningSecret } from '../../src/outgoing/sign.ts';
import { accountOf } from '../../src/stellar/address.ts';
import { deriveKey } from '../../src/vault/derive-key.ts';
import { createKeys } from '../../src/vault/keys.ts';
import { eventually } from '../support/eventually.ts';
import { type Ledger, memoId, openLedger } from '../support/ledger.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { startReceiver } from '../support/receiver.ts';
import { goBackBefore } from '../support/schema-before.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';

const FIRST_MIGRATION_SINCE = '0011_operators.sql';
const PASSWORD = 'a password of before';
const now = new Date();

const master_key = randomBytes(32);
const storage = await createTestDatabase();
const receiver = await startReceiver();
const client = new pg.Client({ connectionString: storage.url });
await client.connect();

const user = { id: newId('usr', now), email: 'before@example.com' };
const wallet_id = newId('wal', now);
const keys = createKeys([master_key]);
const { public_key, sealed_seed } = await keys.vault.generate(wallet_id);
const account = accountOf(public_key);
const api_key = `svc_sk_test_${randomBytes(24).toString('hex')}`;
const endpoint_id = newId('whe', now);
const signing_secret = newSigningSecret();
const address = { id: newId('adr', now), memo_id: 4711n };
const session_id = newId('ses', now);

let service: TestService;
let ledger: Ledger;

before(async () => {
  await goBackBefore(client, FIRST_MIGRATION_SINCE);
  await fillAsBefore();
  service = await startService({
    data_dir: temporaryDirectory(),
    env: {
      DATABASE_URL: storage.url,
      MASTER_KEY: master_key.toString('base64'),
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    },
  });
  ledger = await openLedger(service.rpc_url);
  const payer = await ledger.fund();
  await ledger.apply(payer, [Operation.createAccount({ destination: account, startingBalance: '5000' })]);
});
after(async () => {
  await service.stop();
  await receiver.close();
  await client.end();
  await storage.drop();
});

/** With the statements of that version. */
async function fillAsBefore(): Promise<void> {
  const insert = (table: string, row: Record<string, unknown>) => {
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`);
    return client.query(`insert into ${table} (${names}) values (${places})`, Object.values(row));
  };
  await insert('users', { ...user, name: 'Before', password_hash: await hashPassword(PASSWORD) });
  const wallet = { id: wallet_id, owner_id: user.id, name: 'Main', network: 'sandbox', account, sealed_seed };
  await insert('wallets', wallet);
  const key_hash = createHash('sha256').update(api_key).digest();
  await insert('api_keys', {
    wallet_id,
    key_hash,
    prefix: api_key.slice(0, 16),
    last_four: api_key.slice(-4),
  });
  const sealed_secret = keys.secrets.seal(endpoint_id, signing_secret);
  await insert('webhook_endpoints', { id: endpoint_id, wallet_id, url: receiver.url, sealed_secret });
  await insert('deposit_addresses', {
    id: address.id,
    wallet_id,
    memo_id: address.memo_id,
    label: 'Customer',
  });
  const expires_at = new Date(now.getTime() + 3_600_000);
  await insert('sessions', { id: session_id, user_id: user.id, expires_at });
}

/** As that version signed it. */
const tokenOfBefore = () =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('stellar-teller')
    .setAudience('stellar-teller/v1')
    .setSubject(user.id)
    .setJti(session_id)
    .setIssuedAt(now)
    .setExpirationTime('1h')
    .sign(deriveKey(master_key, 'login tokens'));

async function done(method: string, path: string, token: string, body?: object): Promise<any> {
  const answer = await service.api(method, path, { token, ...(body && { body }) });
  assert.ok(answer.status < 300, answer.text);
  return answer.body.data;
}

async function logIn(): Promise<string> {
  const body = { email: user.email, password: PASSWORD };
  const answer = await service.api('POST', '/v1/auth/login', { body });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.body.data).sort(), ['token', 'user']);
  return answer.body.data.token;
}

describe('a database of the version before teams', () => {
  it('its login token and password are valid, and its user is the owner of a team of one with every wallet', async () => {
    for (const token of [await tokenOfBefore(), await logIn()]) {
      const me = await done('GET', '/v1/auth/me', token);
      assert.deepEqual([me.id, me.role, me.wallet_ids, me.team.name], [user.id, 'owner', null, 'Before']);
      const { items } = await done('GET', '/v1/wallets', token);
      assert.deepEqual(
        items.map(({ id }: any) => id),
        [wallet_id],
      );
    }
  });

  it('its API key reads, makes addresses, and cannot withdraw', async () => {
    assert.equal((await done('GET', `/v1/wallets/${wallet_id}`, api_key)).account, account);
    await done('POST', `/v1/wallets/${wallet_id}/addresses`, api_key, {});
    const refused = await service.api('POST', `/v1/wallets/${wallet_id}/withdraw`, {
      token: api_key,
      body: {},
    });
    assert.equal(refused.status, 401);
  });

  it('a deposit to its address reaches its endpoint, signed with its secret', async () => {
    const payer = await ledger.fund();
    await ledger.pay(payer, account, 77n, { memo: memoId(address.memo_id) });
    const sent = await eventually('the webhook', () =>
      receiver.requests.find(({ body }) => body.includes('"amount_stroops":77')),
    );
    new Webhook(signing_secret).verify(sent.body.toString(), sent.headers as Record<string, string>);
    assert.ok(sent.body.includes(address.id));
    const endpoint = await done('GET', `/v1/wallets/${wallet_id}/webhooks/${endpoint_id}`, api_key);
    assert.equal(endpoint.created_by, null, 'nobody wrote down who registered it');
  });

  it('its wallet pays, with its sealed seed, and the audit log begins with what happens now', async () => {
    const token = await logIn();
    const payee = (await ledger.fund()).publicKey();
    const answer = await service.api('POST', `/v1/wallets/${wallet_id}/withdraw`, {
      token,
      body: { destination: payee, amount_stroops: 12_345n },
      headers: { 'idempotency-key': 'after the update' },
    });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.body.data.status, 'confirmed');
    const { items } = await done('GET', '/v1/audit?action=withdrawal.requested', token);
    assert.equal(items[0].target.id, answer.body.data.id);
  });
});
