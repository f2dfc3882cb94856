import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts';
import { createLog } from '../src/lib/log.ts';
import { eventually } from '../test/support/eventually.ts';
import { postmasterPid } from '../test/support/holder.ts';
import { launchTeller, printed } from '../test/support/launch.ts';
import { startService, type TestService, teller } from '../test/support/service.ts';
import { type CountedRequests, countRequests } from './count-requests.ts';
import { cpuMsWithChildren } from './process-usage.ts';

const PROBE = join(import.meta.dirname, 'withdrawals-probe.ts');
const LOGIN = { email: 'bench@example.com', password: randomBytes(16).toString('hex') };

export type BenchNetwork = { rpc_url: string; root_account: string; stop(): Promise<void> };

export type BenchService = {
  service: TestService;
  requests: CountedRequests;
  token: string;
  wallet_id: string;
  /** The longest block of the service's event loop since the last call, in ms. */
  takeLongestBlock(): Promise<number>;
  stop(): Promise<void>;
};

export type Databases = {
  create(): Promise<string>;
  /** The CPU time of the server so far, in ms. */
  cpuMs(): number;
  stop(): Promise<void>;
};

/** On disk and not in /dev/shm: the figures include the cost of a commit. */
export async function startDatabases(): Promise<Databases> {
  const dir = mkdtempSync(join(tmpdir(), 'teller-bench-'));
  chmodSync(dir, 0o755); // under root the server runs as another user, who must be able to enter
  const server = await startEmbeddedPostgres({ data_dir: dir, log: createLog('warn', false) });
  const url = (name: string) => {
    const at = new URLSearchParams({ host: server.host, port: `${server.port}` });
    return `postgres://${server.user}:${server.password}@localhost/${name}?${at}`; // `host=` wins
  };
  return {
    async create() {
      const name = `bench_${randomBytes(8).toString('hex')}`;
      const admin = new pg.Client({ connectionString: url('postgres') });
      await admin.connect();
      await admin.query(`create database ${name}`);
      await admin.end();
      return url(name);
    },
    cpuMs: () => cpuMsWithChildren(postmasterPid(server.cluster_dir)),
    async stop() {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export async function startNetwork(options: {
  close_ms: number;
  max_operations: number;
}): Promise<BenchNetwork> {
  const { close_ms, max_operations } = options;
  const args = ['--close-ms', `${close_ms}`, '--max-operations', `${max_operations}`];
  const network = launchTeller(['sandbox', '--ephemeral', '--port', '0', ...args], { LOG_LEVEL: 'warn' });
  const rpc_url = await printed(network, /RPC +(\S+)/);
  const [, root_account = ''] = /Root +(\S+)/.exec(network.output()) ?? [];
  return {
    rpc_url,
    root_account,
    async stop() {
      await network.end('SIGTERM');
    },
  };
}

/** Who pays the fee of a withdrawal through a channel account (CHANNEL_FEES). */
export type ChannelFees = 'wallet' | 'channel';

/**
 * Starts the service with a funded wallet, `channels` channel accounts, and the time bounds of the public network.
 * @throws Error when the channels cannot be made
 */
export async function startBenchService(options: {
  database_url: string;
  rpc_url: string;
  channels: number;
  channel_fees: ChannelFees;
}): Promise<BenchService> {
  const { channels, channel_fees, database_url } = options;
  const requests = await countRequests(options.rpc_url);
  const probe_dir = mkdtempSync(join(tmpdir(), 'teller-bench-'));
  const probe_file = join(probe_dir, 'probe.json');
  const env = {
    DATABASE_URL: database_url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    STELLAR_RPC_URL: requests.url,
    ADMIN_EMAIL: LOGIN.email,
    ADMIN_PASSWORD: LOGIN.password,
    CHANNELS_MAX: `${channels}`,
    CHANNEL_FEES: channel_fees,
    WITHDRAW_VALID_SECONDS: '90',
    WITHDRAW_WAIT_SECONDS: '120',
    LOG_LEVEL: 'info',
  };
  const probe = { NODE_OPTIONS: `--import=${PROBE}`, BENCH_PROBE_FILE: probe_file };
  const service = await startService({ env: { ...env, ...probe } });
  const { body } = await service.api('POST', '/v1/auth/login', { body: LOGIN });
  const token: string = body.data.token;
  const made = await service.api('POST', '/v1/wallets', { token, body: { name: 'Bench' } });
  if (made.status !== 201) throw new Error(`no wallet: ${made.text}`);
  if (channels > 0) {
    const { code, output } = await teller(['channels', 'create', `${channels}`], env);
    if (code !== 0) throw new Error(`no channels: ${output}`);
  }
  return {
    service,
    requests,
    token,
    wallet_id: made.body.data.id,
    async takeLongestBlock() {
      rmSync(probe_file, { force: true });
      process.kill(service.pid, 'SIGUSR2');
      const text = await eventually('the probe', () => readIfThere(probe_file));
      return (JSON.parse(text) as { longest_block_ms: number }).longest_block_ms;
    },
    async stop() {
      await service.stop();
      await requests.close();
      rmSync(probe_dir, { recursive: true, force: true });
    },
  };
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
