/** What the version before has left, and what its processes still do beside this one: keys and endpoints without a maker. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../test/support/postgres.ts';
import { goBackBefore } from '../../../test/support/schema-before.ts';
import { openDatabase } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { showEndpoint } from '../../webhooks/endpoints/endpoint-schema.ts';
import { listEndpoints, listEndpointsMadeBy } from '../../webhooks/endpoints/endpoint-store.ts';
import { describeApiKey, type FoundKey, findApiKey, mintApiKey } from '../api-keys.ts';
import { credentialHash } from '../credential-hash.ts';

const OLD_KEY = 'svc_sk_test_old';

const database = await createTestDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
const opened = openDatabase(database.url, createLog('silent', false));
const { db } = opened;
const deps = { db, clock: systemClock, config: { api_key_prefix: 'svc_sk_test_' } };
after(async () => {
  await opened.close();
  await client.end();
  await database.drop();
});

/** As the version before does: it names only the columns that it knows. */
const registerBefore = (id: string) =>
  client.query(
    "insert into webhook_endpoints (id, wallet_id, url, sealed_secret) values ($1, 'wal_1', 'https://example.com/', '')",
    [id],
  );
const regenerateBefore = (api_key: string) =>
  client.query(
    `insert into api_keys (wallet_id, key_hash, prefix, last_four) values ('wal_1', $1, 'svc', 'last')
     on conflict (wallet_id) do update set key_hash = excluded.key_hash`,
    [credentialHash(api_key)],
  );
const found = async (api_key: string) => (await findApiKey(deps, api_key)) as FoundKey | null;
const makersOf = async () => {
  const rows = await listEndpoints(db, 'wal_1', { limit: 10, before: undefined });
  return rows.map((row) => showEndpoint(row).created_by);
};

test('keys and endpoints of before go on; nobody is known to have registered the endpoints', async () => {
  await goBackBefore(client, '0017_service_users.sql');
  await client.query(
    "insert into users (id, email, name, password_hash) values ('usr_1', 'a@example.com', 'A', 'hash')",
  );
  await client.query(
    `insert into wallets (id, owner_id, name, network, account, sealed_seed)
     values ('wal_1', 'usr_1', 'w', 'testnet', 'G', '')`,
  );
  await regenerateBefore(OLD_KEY);
  await registerBefore('whe_1');
  await migrate(database.url);

  const key = await found(OLD_KEY);
  assert.deepEqual([key?.wallet_id, key?.name, key?.allowed_ips], ['wal_1', null, null]);
  assert.deepEqual(key?.scopes, ['read', 'addresses', 'webhooks']);
  assert.deepEqual(await makersOf(), [null]);
  assert.equal((await client.query('select from service_users')).rowCount, 0);
});

test('a process of the version before registers endpoints and regenerates the key beside this one', async () => {
  await registerBefore('whe_2');
  assert.deepEqual(await makersOf(), [null, null]);
  const before = await found(OLD_KEY);
  await regenerateBefore('svc_sk_test_next');
  assert.equal(await found(OLD_KEY), null);
  const next = await found('svc_sk_test_next');
  assert.notEqual(next?.id, before?.id, 'another key has another id, whoever made it');
  assert.equal((await describeApiKey(db, 'wal_1'))?.id, next?.id);
});

test('a regeneration names the key before it, which the version before has made', async () => {
  const before = await found('svc_sk_test_next');
  const { replaced, shown, api_key } = await mintApiKey(deps, 'wal_1');
  assert.equal(replaced?.id, before?.id);
  assert.equal((await found(api_key))?.id, shown.id);
  assert.deepEqual(await listEndpointsMadeBy(db, 'wal_1', before?.id ?? ''), []);
});
