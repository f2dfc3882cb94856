/** Three service processes on one PostgreSQL, and the sandbox: each a process that can be killed by itself. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { upgradeNetwork } from '../../sandbox/issuer-order.ts';
import { NEWEST_PROTOCOL } from '../../sandbox/ledger/protocols.ts';
import { drawTreasury, RETRY_SECONDS, type UnreliableService } from '../crash/killable-service.ts';
import { call } from '../support/api.ts';
import { freePort } from '../support/free-port.ts';
import { ROOT } from '../support/launch.ts';
import type { Random } from '../support/random.ts';
import type { ChaosTarget, Journal } from './chaos-target.ts';
import { createDatabase } from './database.ts';
import { createProgram } from './program.ts';

export type Cluster = UnreliableService & {
  targets: ChaosTarget[];
  database_target: ChaosTarget;
  services: ChaosTarget[];
  /** The URLs of the services, in their order. */
  urls: string[];
  /** Those that found nobody there, and those whose answer was lost: broken, or given up after a while. */
  calls: { refused: number; lost: number };
  /** The next ledger takes the network to the newest protocol. */
  upgradeNetwork(): Promise<void>;
  start(): Promise<void>;
  /** Stops all processes as an operator does. */
  stop(): Promise<void>;
};

const SERVICES = 3;
/** Ledger time runs two or four times as fast as ours. With the shorter step, two ledgers close in each second of it. */
const CLOSE_MS = 250;
const STEPS_MS = ['500', '1000'];
/** Where the services are replaced, the network is upgraded too, from this one. */
const EARLIER_PROTOCOL = '28';
/** A client that heard nothing for so long asks somebody else. Some services hold the request for longer. */
const CALL_TIMEOUT_MS = 8_000;
/** Between two looks for somebody who is there: all are down at times, and the machine has better to do then. */
const REFUSED_PAUSE_MS = 200;
const PROBE_TIMEOUT_MS = 1_000;
const ADMIN = { email: 'chaos@example.com', password: 'correct horse battery staple' };

/** @param roots where the version of each service lies; may be changed before a start. All are this version, unless given. */
export async function createCluster(
  dir: string,
  random: Random,
  journal: Journal,
  roots?: string[],
): Promise<Cluster> {
  const draws = random.fork('requests');
  const sandbox_port = await freePort(random);
  const rpc_url = `http://127.0.0.1:${sandbox_port}/rpc`;
  const database = await createDatabase(join(dir, 'database'), journal);
  // Below protocol 30 each ledger has a second of its own.
  const step_ms = roots ? '1000' : random.fork('ledgers').pick(STEPS_MS);
  const treasury = drawTreasury(random);
  const shared = {
    DATABASE_URL: database.url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    STELLAR_RPC_URL: rpc_url,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    JWT_TTL_SECONDS: `${7 * 86_400}`,
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    WEBHOOK_RETRY_SECONDS: RETRY_SECONDS.join(),
    LOG_LEVEL: 'info',
    ...treasury.env,
  };
  const sandbox = createProgram(
    {
      kind: 'sandbox',
      name: 'sandbox',
      args: [
        'sandbox',
        '--port',
        `${sandbox_port}`,
        '--close-ms',
        `${CLOSE_MS}`,
        '--dir',
        join(dir, 'ledger'),
        ...(roots ? ['--protocol', EARLIER_PROTOCOL] : []),
      ],
      env: () => ({ DATA_DIR: dir, SANDBOX_STEP_MS: step_ms }),
      log_file: join(dir, 'sandbox.log'),
      answers: () => answers(rpc_url, { jsonrpc: '2.0', id: 1, method: 'getHealth' }),
    },
    journal,
  );
  const urls: string[] = [];
  const services: ChaosTarget[] = [];
  for (let i = 0; i < SERVICES; i++) {
    const [name, port] = [`service-${i + 1}`, await freePort(random)];
    const [url, data_dir] = [`http://127.0.0.1:${port}`, join(dir, name)];
    const settings = random.fork(name);
    mkdirSync(data_dir);
    const env = () => ({
      ...shared,
      PORT: `${port}`,
      DATA_DIR: data_dir,
      // 6 to 40 s of our time: what a kill interrupts outlives the shortest and expires.
      WITHDRAW_VALID_SECONDS: settings.pick(['24', '60', '160']),
      // One process waits for the outcome on any machine, however loaded: `untilFalsifiable` needs such an answer.
      WITHDRAW_WAIT_SECONDS: i === 0 ? '120' : settings.pick(['1', '3', '20']),
    });
    const root = () => roots?.[i] ?? ROOT;
    const program = {
      kind: 'service' as const,
      name,
      args: ['serve'],
      root,
      env,
      log_file: `${data_dir}.log`,
    };
    services.push(createProgram({ ...program, answers: () => answers(`${url}/healthz`) }, journal));
    urls.push(url);
  }
  const calls = { refused: 0, lost: 0 };

  return {
    targets: [database.target, sandbox, ...services],
    database_target: database.target,
    services,
    urls,
    rpc_url,
    friendbot_url: `http://127.0.0.1:${sandbox_port}/friendbot`,
    async upgradeNetwork() {
      await upgradeNetwork(rpc_url, NEWEST_PROTOCOL);
    },
    credentials: () => ADMIN,
    database: () => database.config,
    master_key: () => Buffer.from(shared.MASTER_KEY, 'base64'),
    retry_seconds: RETRY_SECONDS,
    treasury_pays: treasury.pays,
    channel_stroops: treasury.channel_stroops,
    /** Who is up is for the clients to find out: they know three addresses. */
    up: async () => {},
    async api(method, path, options) {
      try {
        return await call(draws.pick(urls), method, path, { ...options, timeout_ms: CALL_TIMEOUT_MS });
      } catch (error) {
        const { code } = ((error as Error).cause ?? {}) as { code?: string };
        if (code === 'ECONNREFUSED') await setTimeout(REFUSED_PAUSE_MS);
        calls[code === 'ECONNREFUSED' ? 'refused' : 'lost']++;
        throw error;
      }
    },
    calls,
    async start() {
      await Promise.all([database.target.start(), sandbox.start()]);
      await Promise.all(services.map((service) => service.start()));
    },
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      await Promise.all([database.target.stop(), sandbox.stop()]);
    },
  };
}

async function answers(url: string, body?: object): Promise<boolean> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  await response.arrayBuffer();
  return response.ok;
}
