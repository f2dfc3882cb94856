/** A wallet with webhooks: the real app on a real database, time in the test's hand, no network but the receivers'. */
import { randomBytes } from 'node:crypto';
import { buildApp } from '../../src/app.ts';
import { mintApiKey } from '../../src/auth/api-keys.ts';
import { openSession } from '../../src/auth/sessions.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { readConfig } from '../../src/config.ts';
import { type Db, openDatabase } from '../../src/db/database.ts';
import type { Deps } from '../../src/deps.ts';
import type { HttpApp } from '../../src/http/http-app.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { createLog } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { createSecrets } from '../../src/vault/secrets.ts';
import type { Vault } from '../../src/vault/vault.ts';
import { enqueueEvents } from '../../src/webhooks/enqueue.ts';
import { fromJson, toJson } from './api.ts';
import { createTestDatabase } from './postgres.ts';

export type ManualClock = Clock & { advance(ms: number): void };

/** Stands still until it is advanced; whoever sleeps past the new time wakes. */
export function manualClock(start = '2026-03-01T12:00:00Z'): ManualClock {
  let now_ms = Date.parse(start);
  const sleepers = new Set<{ until_ms: number; wake: () => void }>();
  return {
    now: () => new Date(now_ms),
    sleep(ms, signal) {
      return new Promise((resolve) => {
        const sleeper = {
          until_ms: now_ms + ms,
          wake: () => {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        if (signal?.aborted) return resolve();
        sleepers.add(sleeper);
        signal?.addEventListener('abort', sleeper.wake, { once: true });
      });
    },
    advance(ms) {
      now_ms += ms;
      for (const sleeper of sleepers) if (sleeper.until_ms <= now_ms) sleeper.wake();
    },
  };
}

export type Wallet = { id: string; owner_id: string; login: string; api_key: string };

export type WebhookWorld = {
  deps: Deps;
  clock: ManualClock;
  wallet: Wallet;
  /** Another owner's. */
  addWallet(): Promise<Wallet>;
  api(
    method: string,
    path: string,
    options?: CallOptions,
  ): Promise<{ status: number; headers: any; body: any }>;
  /** A new login token of the wallet's owner, for when the clock has moved on beyond the first one. */
  login(): Promise<string>;
  /** Registers an endpoint by the API; gives its resource with the signing secret. */
  register(url: string): Promise<{ id: string; signing_secret: string }>;
  /** A `deposit.created` event of the wallet, committed. */
  deposit(data?: object): Promise<void>;
  close(): Promise<void>;
};

type CallOptions = { as?: string; body?: unknown };

export async function startWebhookWorld(env: Record<string, string> = {}): Promise<WebhookWorld> {
  const storage = await createTestDatabase();
  const log = createLog('silent', false);
  const { db, pool, close } = openDatabase(storage.url, log);
  const clock = manualClock();
  const config = readConfig({
    DATABASE_URL: storage.url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    ...env,
  });
  const deps: Deps = {
    config,
    db,
    pool,
    chain: {} as Chain, // neither is used by webhooks, nor is the settler below
    vault: {} as Vault,
    secrets: createSecrets(randomBytes(32)),
    jwt_key: randomBytes(32),
    clock,
    log,
    metrics: createMetrics(),
  };
  const app = await buildApp(deps, {} as Parameters<typeof buildApp>[1]);
  const wallet = await createWallet(deps);
  const api: WebhookWorld['api'] = (method, path, options) =>
    inject(app, method, path.replace('/v1/wallets/:id', `/v1/wallets/${wallet.id}`), {
      as: wallet.api_key,
      ...options,
    });
  return {
    deps,
    clock,
    wallet,
    addWallet: () => createWallet(deps),
    api,
    login: () => logIn(deps, wallet.owner_id),
    async register(url) {
      const { status, body } = await api('POST', '/v1/wallets/:id/webhooks', { body: { url } });
      if (status !== 201) throw new Error(`not registered: ${toJson(body)}`);
      return body.data;
    },
    deposit: (data = { id: newId('dep', clock.now()) }) =>
      commitEvent(db, { wallet_id: wallet.id, data, now: clock.now() }),
    async close() {
      await app.close();
      await close();
      await storage.drop();
    },
  };
}

async function commitEvent(db: Db, event: { wallet_id: string; data: object; now: Date }): Promise<void> {
  const deposit_id = newId('dep', event.now);
  const about = deposit_id;
  await db
    .transaction()
    .execute((trx) => enqueueEvents(trx, [{ type: 'deposit.created', about, deposit_id, ...event }]));
}

async function createWallet(deps: Deps): Promise<Wallet> {
  const owner_id = newId('usr', deps.clock.now());
  const id = newId('wal', deps.clock.now());
  const email = `${owner_id}@example.com`;
  await deps.db.insertInto('users').values({ id: owner_id, email, name: '', password_hash: '' }).execute();
  await deps.db
    .insertInto('wallets')
    .values({ id, owner_id, name: '', network: 'sandbox', account: id, sealed_seed: Buffer.alloc(0) })
    .execute();
  const { api_key } = await mintApiKey(deps, id);
  return { id, owner_id, api_key, login: await logIn(deps, owner_id) };
}

async function inject(app: HttpApp, method: string, path: string, { as, body }: CallOptions) {
  const response = await app.inject({
    method: method as 'GET',
    url: path,
    headers: {
      authorization: `Bearer ${as}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: toJson(body) }),
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    body: fromJson(response.payload) as any,
  };
}

async function logIn(deps: Deps, id: string): Promise<string> {
  const user = await deps.db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return (await openSession(deps, user)) as string;
}
