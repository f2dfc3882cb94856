/** A running service with what black-box tests look at: its ledger, its rows, its users and their wallets. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { hashPassword } from '../../src/auth/passwords/passwords.ts';
import type { Answer, Call } from './api.ts';
import { eventually } from './eventually.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { haveOwnPassword } from './own-password.ts';
import { createTestDatabase, databaseUrl, type TestServer } from './postgres.ts';
import { startService, type TestService, temporaryDirectory } from './service.ts';

export type Wallet = { id: string; name: string; account: string; api_key: string };
export type User = { id: string; email: string; password: string; token: string };

export type Member = { id: string; email: string; token: string };

export type RunningService = {
  service: TestService;
  api: TestService['api'];
  ledger: Ledger;
  /** How another process gets at its database and its secrets. */
  environment: Record<string, string>;
  /** The demo user's login. */
  token: string;
  /** Asks the service's own database. */
  query(sql: string, values?: unknown[]): Promise<any[]>;
  countOf(table: string): Promise<number>;
  newUser(): Promise<User>;
  /** Another person in the team of `owner_token`, the demo user's when absent. */
  newMember(role: string, owner_token?: string): Promise<Member>;
  newWallet(token?: string): Promise<Wallet>;
  /** The wallet's deposits out of the transaction, as soon as there are `count`. */
  depositsOf(wallet: Wallet, hash: string, count?: number): Promise<any[]>;
  withdraw(wallet: Wallet, body: unknown, options?: Call & { key?: string }): Promise<Answer>;
  /** Stops everything as Ctrl-C does, which must succeed. */
  stop(): Promise<void>;
};

let serial = 0;

/** A word that nothing else in this run uses. */
export const unique = (prefix: string): string => `${prefix}-${process.pid}-${++serial}`;

/**
 * `embedded`: with a PostgreSQL of its own in DATA_DIR, where commands find it; else on one that all tests share, whose
 * databases are made in no time. `args`: of `teller serve`.
 */
export async function startRunningService(
  env: Record<string, string> = {},
  { embedded = false, args = [], program }: { embedded?: boolean; args?: string[]; program?: string } = {},
): Promise<RunningService> {
  const data_dir = temporaryDirectory();
  const storage = embedded ? null : await createTestDatabase();
  const MASTER_KEY = randomBytes(32).toString('base64');
  const place = storage && { DATABASE_URL: storage.url, MASTER_KEY };
  const service = await startService({
    data_dir,
    env: { ...place, ...env },
    args,
    ...(program && { program }),
  });
  const environment = { DATA_DIR: data_dir, ...(place ?? embeddedIn(data_dir)) };
  return asTeam(service, environment, await service.login(), async () => {
    assert.equal(await service.stop(), 0, `the service ends with code 0:\n${service.output()}`);
    await storage?.drop();
  });
}

/** What a test file uses: the service, and a team of it, whose owner has `token`. */
async function asTeam(
  service: TestService,
  environment: RunningService['environment'],
  token: string,
  stop: () => Promise<void>,
): Promise<RunningService> {
  const [ledger, db] = await Promise.all([
    openLedger(service.rpc_url),
    connect(`${environment.DATABASE_URL}`),
  ]);
  const { api } = service;
  const query: RunningService['query'] = async (sql, values) => (await db.query(sql, values)).rows;
  return {
    service,
    api,
    ledger,
    environment,
    token,
    query,
    countOf: async (table) => Number((await query(`select count(*) from ${table}`))[0].count),
    newUser: () => makeUser(service, query),
    async newMember(role, owner = token) {
      const credentials = { email: `${unique('member')}@example.com`, password: 'a long enough secret' };
      const body = { ...credentials, name: role, role };
      const added = await api('POST', '/v1/team/members', { token: owner, body });
      assert.equal(added.status, 201, added.text);
      const login = await api('POST', '/v1/auth/login', { body: credentials });
      assert.equal(login.status, 200, login.text);
      await haveOwnPassword({ query }, credentials.email);
      return { email: credentials.email, id: added.body.data.user_id, token: login.body.data.token };
    },
    async newWallet(owner = token) {
      const answer = await api('POST', '/v1/wallets', { token: owner, body: { name: unique('wallet') } });
      assert.equal(answer.status, 201, answer.text);
      return answer.body.data;
    },
    depositsOf: (wallet, hash, count = 1) =>
      eventually(`${count} deposits out of ${hash}`, async () => {
        const path = `/v1/wallets/${wallet.id}/deposits?limit=200`;
        const { body } = await api('GET', path, { token: wallet.api_key });
        const found: any[] = body.data.items.filter((item: any) => item.stellar_tx_hash === hash);
        return found.length >= count ? found : null;
      }),
    withdraw: (wallet, body, { key = unique('key'), ...options } = {}) =>
      api('POST', `/v1/wallets/${wallet.id}/withdraw`, {
        token,
        body,
        ...options,
        headers: { 'idempotency-key': key, ...options.headers },
      }),
    async stop() {
      await db.end();
      await stop();
    },
  };
}

/** Settings that many test files want. */
const SETTINGS = {
  plain: {},
  /** The tests' receivers may get webhooks. */
  receivers: { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' },
  /** The same, and a looser policy takes effect at once. */
  undelayed: { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', POLICY_DELAY_SECONDS: '0' },
};
type Shared = { running: Promise<RunningService>; files: number };
const shared = new Map<keyof typeof SETTINGS, Shared>();

/**
 * A team of its own in the service of this process that has these settings; the last file that stops it ends the service. For
 * files whose answers do not depend on the other teams, and which stop, freeze or slow nothing but their own.
 */
export async function joinService(setting: keyof typeof SETTINGS = 'plain'): Promise<RunningService> {
  const joined = shared.get(setting) ?? { running: startRunningService(SETTINGS[setting]), files: 0 };
  shared.set(setting, joined);
  joined.files++;
  const running = await joined.running;
  const { token } = await running.newUser();
  return asTeam(running.service, running.environment, token, async () => {
    joined.files--;
    if (joined.files > 0) return;
    shared.delete(setting);
    await running.stop();
  });
}

/** Another process on the same database and network, with the same master key. */
export function startSecond(
  { service, environment }: RunningService,
  env: Record<string, string> = {},
): Promise<TestService> {
  const data_dir = temporaryDirectory();
  return startService({
    data_dir,
    env: { ...environment, DATA_DIR: data_dir, STELLAR_RPC_URL: service.rpc_url, ...env },
  });
}

const PASSWORD = 'correct horse battery staple';

let hash: Promise<string> | undefined;

/** Writes the row of a user, who then logs in. A command and a hash for each would be most of a test's time. */
async function makeUser(service: TestService, query: RunningService['query']): Promise<User> {
  const email = `${unique('user')}@example.com`;
  hash ??= hashPassword(PASSWORD);
  const values = [`usr_${randomBytes(13).toString('hex')}`, email, 'Test user', await hash];
  await query(
    'insert into users (id, email, email_folded, name, password_hash) values ($1, $2, $2, $3, $4)',
    values,
  );
  const { body, text } = await service.api('POST', '/v1/auth/login', { body: { email, password: PASSWORD } });
  assert(body.data?.token, text);
  return { id: body.data.user.id, email, password: PASSWORD, token: body.data.token };
}

/** How to connect to the embedded server of `data_dir`: where it listens, as PostgreSQL itself notes it, and its password. */
export function databaseServer(data_dir: string): TestServer {
  const password = readFileSync(join(data_dir, 'postgres-password'), 'utf8').trim();
  const lines = readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  return { host: lines[4] as string, port: Number(lines[3]), user: 'postgres', password };
}

/** Of a service that runs with an embedded database. */
function embeddedIn(data_dir: string): { DATABASE_URL: string; MASTER_KEY: string } {
  return {
    DATABASE_URL: databaseUrl(databaseServer(data_dir), 'postgres'),
    MASTER_KEY: readFileSync(join(data_dir, 'master-key'), 'utf8').trim(),
  };
}

/** The embedded database of a service that runs. */
export const openDatabase = (data_dir: string): Promise<pg.Client> =>
  connect(embeddedIn(data_dir).DATABASE_URL);

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** What every refusal looks like; gives its details. */
export function assertError(answer: Answer, status: number, code?: string): { path: string }[] {
  assert.equal(answer.status, status, answer.text);
  const { body } = answer;
  assert.equal(body.statusCode, BigInt(status), answer.text);
  assert.equal(typeof body.message, 'string');
  assert.notEqual(body.message, '');
  assert.match(body.error.code, /^[a-z]+(_[a-z]+)*$/);
  if (code !== undefined) assert.equal(body.error.code, code, answer.text);
  assert.equal(body.error.request_id, answer.headers.get('x-request-id'));
  return body.error.details ?? [];
}

/** 400, with the field at fault named. */
export function assertFault(answer: Answer, path: string): void {
  const details = assertError(answer, 400);
  assert.ok(
    details.some((detail) => detail.path === path),
    `${path} is at fault in ${answer.text}`,
  );
}
