/** A wallet with webhooks: the real app on a real database, time in the test's hand, no network but the receivers'. */

import { randomBytes } from 'node:crypto';
import { after, beforeEach } from 'node:test';
import { buildApp } from '../../src/api/app.ts';
import { mintApiKey } from '../../src/auth/keys/api-keys.ts';
import { openSession } from '../../src/auth/sessions/sessions.ts';
import { readConfig } from '../../src/config.ts';

import type { Db } from '../../src/db/database.ts';
import type { Deps } from '../../src/deps.ts';
import type { HttpApp } from '../../src/http/http-app.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { createLog } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { NO_TRACES } from '../../src/lib/traces.ts';
import { createMailer } from '../../src/outgoing/mailer.ts';
import { NO_LOOKUPS } from '../../src/stellar/home-domains/home-domains.ts';
import type { Stellar } from '../../src/stellar/stellar.ts';
import { NO_KEY_JOURNAL } from '../../src/vault/key-journal.ts';
import { createKeys } from '../../src/vault/keys.ts';
import { Deliverer } from '../../src/webhooks/delivery/deliverer.ts';
import { type EventType, enqueueEvents } from '../../src/webhooks/events/enqueue.ts';
import { fromJson, toJson } from './api.ts';
import { LOCK_WAITS } from './lock-waits.ts';
import { openPatientConnections } from './patient-connections.ts';
import { createTestDatabase } from './postgres.ts';
import { type Receiver, startReceiver } from './receiver.ts';

export type ManualClock = Clock & {
  advance(ms: number): void;
  /** How many have exactly so long to sleep from now on. */
  asleep(ms: number): number;
};

/** A clock that stands still until it is advanced. A sleep that ends before the new time ends then. */
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
    asleep: (ms) => [...sleepers].filter(({ until_ms }) => until_ms === now_ms + ms).length,
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
  register(url: string, events?: EventType[]): Promise<{ id: string; signing_secret: string }>;
  /** A `deposit.created` event of the wallet, committed. */
  deposit(data?: object): Promise<void>;
  /** The database's processes that wait for a lock. */
  blocked(): Promise<number[]>;
  close(): Promise<void>;
};

type CallOptions = { as?: string; body?: unknown };

export async function startWebhookWorld(env: Record<string, string> = {}): Promise<WebhookWorld> {
  const storage = await createTestDatabase();
  const log = createLog('silent', false);
  const { connections, close } = openPatientConnections(storage.url, log);
  const { db, pool } = connections;
  const clock = manualClock();
  const config = readConfig({
    DATABASE_URL: storage.url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    ...env,
  });
  const deps: Deps = {
    config,
    ...connections,
    stellar: {} as Stellar, // neither is used by webhooks, nor is the engine below
    home_domains: NO_LOOKUPS,
    showChangedLines: async () => [],
    mailer: config.mail && createMailer(config.mail, clock),
    ...createKeys([randomBytes(32)]),
    withSealingKey: (work) => work(),
    key_journal: NO_KEY_JOURNAL,
    clock,
    log,
    metrics: createMetrics(),
    traces: NO_TRACES,
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
    async register(url, events) {
      const body_of_request = events ? { url, events } : { url };
      const { status, body } = await api('POST', '/v1/wallets/:id/webhooks', { body: body_of_request });
      if (status !== 201) throw new Error(`not registered: ${toJson(body)}`);
      return body.data;
    },
    deposit: (data = { id: newId('dep', clock.now()) }) =>
      commitEvent(db, { wallet_id: wallet.id, data, now: clock.now() }),
    async blocked() {
      const { rows } = await pool.query(LOCK_WAITS);
      return rows.map(({ pid }) => pid);
    },
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
  await deps.db
    .insertInto('users')
    .values({ id: owner_id, email, email_folded: email, name: '', password_hash: '' })
    .execute();
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

/** Returns a login token of the user. */
export async function logIn(deps: Deps, id: string): Promise<string> {
  const user = await deps.db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'created_at', 'password_hash'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return (await openSession(deps, user, { kind: 'program', device: null, ip: '127.0.0.1' })) as string;
}

/** An endpoint at a receiver's `/hook`, and who delivers to it, without jitter: new ones for each test of the file. */
export type Deliveries = {
  world: WebhookWorld;
  receiver: Receiver;
  endpoint: { id: string; signing_secret: string };
  deliverer: Deliverer;
  /** Everything that is due now, sent and recorded. */
  deliverDue(by?: Deliverer): Promise<void>;
  /** The endpoint has earned as many slots as this takes. */
  deliverMany(count: number): Promise<void>;
  /** The endpoint's log, newest first, as the API gives it. */
  deliveries(limit?: number): Promise<any[]>;
  /** Rows of the endpoint that are not settled. */
  pending(): Promise<{ id: string; attempts: number; leased_until: Date | null }[]>;
  readEndpoint(): Promise<any>;
};

export async function startDeliveries(): Promise<Deliveries> {
  const world = await startWebhookWorld();
  const { api, deps } = world;
  const pathOf = () => `/v1/wallets/:id/webhooks/${at.endpoint.id}`;
  const at = {
    world,
    async deliverDue(by = at.deliverer) {
      while (await by.step()) await by.idle();
    },
    async deliverMany(count) {
      for (let i = 0; i < count; i++) await world.deposit();
      await at.deliverDue();
    },
    deliveries: async (limit = 50) =>
      (await api('GET', `${pathOf()}/deliveries?limit=${limit}`)).body.data.items,
    pending: () =>
      deps.db
        .selectFrom('webhook_deliveries')
        .select(['id', 'attempts', 'leased_until'])
        .where('endpoint_id', '=', at.endpoint.id)
        .where('status', '=', 'pending')
        .execute(),
    readEndpoint: async () => (await api('GET', pathOf())).body.data,
  } as Deliveries;
  beforeEach(async () => {
    await at.receiver?.close();
    // Endpoints of earlier tests are out of the way.
    await deps.db.updateTable('webhook_endpoints').set({ deleted_at: world.clock.now() }).execute();
    at.receiver = await startReceiver();
    at.deliverer = new Deliverer(deps, { random: () => 0.5 });
    at.endpoint = await world.register(`${at.receiver.url}/hook`);
  });
  after(async () => {
    await at.receiver.close();
    await world.close();
  });
  return at;
}
