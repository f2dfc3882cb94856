/** Deliverers on one PostgreSQL, each a process that can be killed by itself, and wallets with endpoints. */

import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createUser } from '../../../src/auth/login/login.ts';
import { connect, type Stops } from '../../../src/cli/connect.ts';
import { readConfig } from '../../../src/config.ts';
import type { Deps } from '../../../src/deps.ts';
import { newId } from '../../../src/lib/ids.ts';
import { createLog } from '../../../src/lib/log.ts';
import { registerEndpoint } from '../../../src/webhooks/endpoints/endpoints.ts';
import { ACTOR, on } from '../../support/acting.ts';
import { freePort } from '../../support/free-port.ts';
import { startNetwork } from '../../support/in-process-service.ts';
import type { Random } from '../../support/random.ts';
import type { ChaosTarget, Journal } from '../chaos-target.ts';
import { createDatabase } from '../database.ts';
import { createProgram } from '../program.ts';
import type { Endpoint } from './evidence.ts';
import { BEHAVIOURS, type Behaviour } from './receivers.ts';

export type WebhookCluster = {
  targets: ChaosTarget[];
  deliverers: ChaosTarget[];
  /** Of the process that enters events, which nobody kills. */
  deps: Deps;
  retry_seconds: readonly number[];
  start(): Promise<void>;
  /** All that this process holds open. */
  close(): Promise<void>;
};

/** Given up after seconds instead of days. */
const RETRY_SECONDS = [1, 1, 2, 2, 2];
const PROBE_TIMEOUT_MS = 1_000;

/** `endLater` gets what must not outlive the run as soon as it exists. The database runs; the deliverers do not yet. */
export async function createWebhookCluster(
  { dir, deliverers: count }: { dir: string; deliverers: number },
  random: Random,
  journal: Journal,
  endLater: (...targets: ChaosTarget[]) => void,
): Promise<WebhookCluster> {
  const sandbox = await startNetwork(); // only to start on: deliverers never ask the network
  sandbox.closeLedger();
  const database = await createDatabase(join(dir, 'database'), journal);
  endLater(database.target);
  const MASTER_KEY_FILE = join(dir, 'master-key'); // this process has no variable of its own for it
  writeFileSync(MASTER_KEY_FILE, randomBytes(32).toString('base64'), { mode: 0o600 });
  const shared = {
    DATABASE_URL: database.url,
    MASTER_KEY_FILE,
    STELLAR_RPC_URL: sandbox.rpc_url,
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    WEBHOOK_RETRY_SECONDS: RETRY_SECONDS.join(),
    LOG_LEVEL: 'info',
  };
  const deliverers: ChaosTarget[] = [];
  for (let i = 1; i <= count; i++) {
    const [name, port] = [`deliverer-${i}`, await freePort(random)];
    const data_dir = join(dir, name);
    mkdirSync(data_dir);
    const program = {
      kind: 'deliverer' as const,
      name,
      args: ['serve', '--roles', 'deliverer'],
      env: () => ({ ...shared, METRICS_PORT: `${port}`, DATA_DIR: data_dir }),
      log_file: `${data_dir}.log`,
      answers: () => answers(`http://127.0.0.1:${port}/metrics`),
    };
    deliverers.push(createProgram(program, journal));
  }
  endLater(...deliverers);
  await database.target.start();
  const stops: Stops = [() => sandbox.stop()];
  const config = readConfig(shared);
  const at = { url: database.url, rpc_urls: config.rpc_urls };
  const { deps } = await connect(config, at, { log: createLog('silent', false), stops });
  return {
    targets: [database.target, ...deliverers],
    deliverers,
    deps,
    retry_seconds: RETRY_SECONDS,
    async start() {
      await database.target.start();
      await Promise.all(deliverers.map((deliverer) => deliverer.start()));
    },
    async close() {
      for (const stop of stops.toReversed()) await stop();
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
  await response.arrayBuffer();
  return response.ok;
}

/** Wallets with as many endpoints each, most of which answer most of the time. */
export async function addWallets(deps: Deps, count: number, receiver_url: string): Promise<Endpoint[]> {
  const login = { email: 'chaos@example.com', password: 'correct horse battery staple', name: '' };
  const owner = await createUser(deps, login, ACTOR);
  if (!owner) throw new Error('no owner');
  const endpoints: Endpoint[] = [];
  for (let i = 0; i < count; i++) {
    const wallet_id = newId('wal', deps.clock.now());
    const account = `account ${i}`;
    const row = { id: wallet_id, owner_id: owner.id, name: '', network: 'sandbox' as const, account };
    await deps.db
      .insertInto('wallets')
      .values({ ...row, sealed_seed: deps.key_ring.seedPrefix() })
      .execute();
    for (const [n, behaviour] of behavioursOf(i).entries()) {
      const url = `${receiver_url}/${i}/${n}/${behaviour}`;
      const by = on({ id: wallet_id, owner_id: owner.id });
      const { endpoint, signing_secret } = await registerEndpoint(deps, by, { url, description: null });
      endpoints.push({ id: endpoint.id, wallet_id, url, signing_secret, behaviour });
    }
  }
  return endpoints;
}

/** One refuses everything and one never answers: they are those of the first wallet. */
function behavioursOf(wallet: number): Behaviour[] {
  return wallet === 0
    ? [...BEHAVIOURS]
    : BEHAVIOURS.map((behaviour) =>
        behaviour === 'refusing' || behaviour === 'hanging' ? 'good' : behaviour,
      );
}
