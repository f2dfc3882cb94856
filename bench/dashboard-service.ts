/** The service of the dashboard's bench: one wallet with many deposits. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { newId } from '../src/lib/ids.ts';
import { startService } from '../test/support/service.ts';
import type { Databases } from './withdrawals-world.ts';

export type DashboardService = {
  url: string;
  wallet_id: string;
  /** The user, and the cookie of their session, as a browser keeps them. */
  session: { user: { id: string }; cookie: { name: string; value: string } };
  /** Inserts one more deposit, now. */
  deposit(): Promise<void>;
  stop(): Promise<void>;
};

const PART = 10_000;
const SPAN_MS = 29 * 86_400_000;

/** Inserts `rows` deposits of the last 29 days into the table of the service, without a ledger. */
export async function startDashboardService(databases: Databases, rows: number): Promise<DashboardService> {
  const database_url = await databases.create();
  const login = { email: 'bench@example.com', password: randomBytes(16).toString('hex') };
  const service = await startService({
    env: {
      DATABASE_URL: database_url,
      MASTER_KEY: randomBytes(32).toString('base64'),
      ADMIN_EMAIL: login.email,
      ADMIN_PASSWORD: login.password,
    },
  });
  const { body } = await service.api('POST', '/v1/auth/login', { body: login });
  const { token, user } = body.data;
  const made = await service.api('POST', '/v1/wallets', { token, body: { name: 'Bench' } });
  if (made.status !== 201) throw new Error(`no wallet: ${made.text}`);
  const wallet_id: string = made.body.data.id;

  const headers = { 'teller-browser': 'active' };
  const signed_in = await service.api('POST', '/v1/auth/login', { headers, body: login });
  const lines = signed_in.headers.getSetCookie();
  const [, name, value] =
    lines.map((line) => /^(__Host-teller-session[^=]*)=([^;]+)/.exec(line)).find(Boolean) ?? [];
  if (!name || !value) throw new Error(`no cookie: ${signed_in.text}`);

  const client = new pg.Client({ connectionString: database_url });
  client.on('error', () => undefined); // the server stops when the bench fails
  await client.connect();
  const insert = (times: Date[]) =>
    client.query(INSERT, [times.map((time) => newId('dep', time)), times, wallet_id]);
  const now_ms = Date.now();
  const timeOf = (row: number) => new Date(now_ms - SPAN_MS + Math.floor((row * SPAN_MS) / rows));
  for (let first = 0; first < rows; first += PART) {
    const count = Math.min(PART, rows - first);
    await insert(Array.from({ length: count }, (_, index) => timeOf(first + index)));
  }
  await client.query('vacuum analyze');
  return {
    url: service.url,
    wallet_id,
    session: { user, cookie: { name, value } },
    async deposit() {
      await insert([new Date()]);
    },
    async stop() {
      await client.end();
      await service.stop();
    },
  };
}

const INSERT = `
  insert into deposits (id, wallet_id, asset_code, amount_stroops, source_account, stellar_tx_hash, operation_index,
                        memo_id, ledger, attributed, created_at)
  select id, $3, 'native', 10000000 + (hashtext(id) & 1073741823),
         'G' || rpad(translate(upper(md5(id)), '0189', 'WXYZ'), 55, 'A'), encode(sha256(id::bytea), 'hex'), 0,
         hashtext(id) & 1073741823, 1, false, at
    from unnest($1::text[], $2::timestamptz[]) as new (id, at)`;
