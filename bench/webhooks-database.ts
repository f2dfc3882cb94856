/** The database of the webhooks bench: endpoints and events for them. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../src/db/migrate.ts';
import { newSigningSecret } from '../src/outgoing/sign.ts';
import { createKeys } from '../src/vault/keys.ts';
import type { Databases } from './withdrawals-world.ts';

export const MASTER_KEY = randomBytes(32);

export type WebhookDatabase = {
  url: string;
  /** Inserts `count` due events, for the endpoints in turn. Gives the time of creation that is in the bodies. */
  fill(count: number): Promise<number>;
  /** Inserts `count` due deliveries of one event. */
  pile(count: number): Promise<void>;
  /** Marks all deliveries as delivered. */
  age(): Promise<void>;
  close(): Promise<void>;
};

/** Creates a database with one endpoint for each URL. */
export async function webhookDatabase(databases: Databases, urls: string[]): Promise<WebhookDatabase> {
  const url = await databases.create();
  await migrate(url);
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // the server stops when the bench fails
  await client.connect();
  const query = (sql: string, values?: unknown[]) => client.query(sql, values);
  await query(
    `insert into users (id, email, email_folded, name, password_hash) values ('usr_1', 'a@b.c', 'a@b.c', '', '')`,
  );
  await query(
    `insert into wallets (id, owner_id, name, network, account, sealed_seed)
       values ('wal_1', 'usr_1', '', 'sandbox', 'account', '')`,
  );
  const { secrets } = createKeys([MASTER_KEY]);
  for (const [index, at] of urls.entries()) {
    const id = `whk_${index}`;
    await query(
      `insert into webhook_endpoints (id, wallet_id, url, sealed_secret, created_by_kind, created_by_id)
       values ($1, 'wal_1', $2, $3, 'user', 'usr_1')`,
      [id, at, secrets.seal(id, newSigningSecret())],
    );
  }
  let last = 0;
  return {
    url,
    async fill(count) {
      const at_ms = Date.now();
      await query(FILL, [last, last + count, urls.length, DEPOSIT, at_ms]);
      last += count;
      return at_ms;
    },
    async pile(count) {
      await query(PILE, [last, last + count, urls.length]);
      await query('vacuum analyze');
      last += count;
    },
    async age() {
      await query(`update webhook_deliveries set status = 'delivered', attempts = 1, settled_at = now()`);
      await query('vacuum analyze');
    },
    close: () => client.end(),
  };
}

/** As long as a deposit with a little metadata. */
const DEPOSIT = JSON.stringify({
  id: 'dep_01JXAMPLEXAMPLEXAMPLEXAMPLE',
  wallet_id: 'wal_01JXAMPLEXAMPLEXAMPLEXAMPLE',
  address_id: 'adr_01JXAMPLEXAMPLEXAMPLEXAMPLE',
  asset_code: 'native',
  asset_issuer: null,
  amount_stroops: 10_000_000,
  source_account: 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF',
  stellar_tx_hash: '0'.repeat(64),
  memo_id: 12345678,
  ledger: 70_000_000,
  metadata: { customer: '1234567' },
});

const FILL = `
  with numbered as (select n, lpad(n::text, 10, '0') as id from generate_series($1::int + 1, $2::int) as n),
  events as (
    insert into webhook_events (id, wallet_id, sequence, type, body)
    select 'evt_' || id, 'wal_1', n, 'deposit.created',
           convert_to('{"event":"deposit.created","at":' || $5::bigint || ',"data":' || $4::text || '}', 'utf8')
      from numbered),
  deliveries as (
    insert into webhook_deliveries (id, event_id, endpoint_id, sequence)
    select 'dlv_' || id, 'evt_' || id, 'whk_' || n % $3::int, n from numbered)
  select pg_notify('webhook_due', '')`;

const PILE = `
  insert into webhook_deliveries (id, event_id, endpoint_id, sequence)
  select 'dlv_' || lpad(n::text, 10, '0'), (select min(id) from webhook_events), 'whk_' || n % $3::int, n
    from generate_series($1::int + 1, $2::int) as n`;
