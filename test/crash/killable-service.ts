/** The service as a user starts it, on one data directory and fixed ports, to be killed and started again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { fullChannelStroops } from '../../src/withdrawals/engine/channel-fees.ts';
import type { Answer, Call } from '../support/api.ts';
import { call } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { isAlive, postmasterPid } from '../support/holder.ts';
import { launchTeller } from '../support/launch.ts';
import type { Random } from '../support/random.ts';
import { databaseServer } from '../support/running-service.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';

/** What clients and checks know of a service that is killed again and again. */
export type UnreliableService = {
  rpc_url: string;
  friendbot_url: string;
  /** The login of the user who owns everything. @throws Error before the first start */
  credentials(): { email: string; password: string };
  /** Where the checks look at the rows. */
  database(): pg.ClientConfig;
  /** Opens the signing secrets of the rows. */
  master_key(): Buffer;
  retry_seconds: readonly number[];
  /** What the treasury pays for wallets; null where a version is among the processes that does not say who has paid. */
  treasury_pays: { fees: boolean; reserves: boolean } | null;
  /** What a channel holds at most, where channels pay their fees; null where they pay none. */
  channel_stroops: bigint | null;
  /** Resolves as soon as the service runs, which may be now. */
  up(): Promise<void>;
  api(method: string, path: string, options?: Call): Promise<Answer>;
};

export type KillableService = UnreliableService & {
  /** How long each start took, in ms. */
  start_ms: number[];
  kills: { service: number; database: number; starting: number };
  /** `patient`: so that a withdrawal is answered with its outcome on any machine, where a test needs such an answer. */
  start(options?: { patient?: boolean }): Promise<void>;
  /** A start that is killed after `delay_ms`, ready or not. */
  killDuringStart(delay_ms: number): Promise<void>;
  /** kill -9 after `delay_ms`; with `database` its PostgreSQL too. Both are gone when this resolves. */
  kill(options: { delay_ms: number; database: boolean }): Promise<void>;
  output(): string;
  stop(): Promise<void>;
};

/** Clients add more trust lines in a minute than the team of a company in a day. */
const PLENTY_STROOPS = '1000000000000';

const FEE_MAX_STROOPS = '1000000';

/**
 * Of half of the seeds the treasury pays fees and reserves, and of half of them channels pay their fees. Transfers to contracts are
 * never too dear.
 */
export function drawTreasury(random: Random): {
  env: Record<string, string>;
  pays: UnreliableService['treasury_pays'];
  channel_stroops: bigint | null;
} {
  const isPaying = random.fork('treasury').chance(0.5);
  const channel_fees = random.fork('channels').pick(['wallet', 'channel'] as const);
  const fee_max_stroops = BigInt(FEE_MAX_STROOPS);
  return {
    env: {
      TREASURY_PAYS: isPaying ? 'fees,reserves' : '',
      CHANNEL_FEES: channel_fees,
      TREASURY_TEAM_DAILY_STROOPS: PLENTY_STROOPS,
      FEE_MAX_STROOPS,
    },
    pays: { fees: isPaying, reserves: isPaying },
    channel_stroops:
      channel_fees === 'channel' ? fullChannelStroops({ channel_fees, fee_max_stroops }) : null,
  };
}

const CLOSE_MS = 100;
/** Much longer than a withdrawal takes on a loaded machine. */
const PATIENT_SECONDS = '120';
export const RETRY_SECONDS = Array(50).fill(1);

export async function createKillableService(random: Random): Promise<KillableService> {
  const data_dir = temporaryDirectory();
  const [port, sandbox_port] = [await freePort(random), await freePort(random)];
  const outputs: (() => string)[] = [];
  let service: TestService | null = null;
  let running = Promise.withResolvers<void>();
  const start_ms: number[] = [];
  const kills = { service: 0, database: 0, starting: 0 };

  const treasury = drawTreasury(random);

  const environment = () => ({
    ...treasury.env,
    PORT: `${port}`,
    SANDBOX_PORT: `${sandbox_port}`,
    SANDBOX_CLOSE_MS: `${CLOSE_MS}`,
    SANDBOX_STEP_MS: '1000',
    // Ledger time runs ten times as fast as ours: 0.6 to 40 s. What a kill interrupts outlives the shortest and expires.
    WITHDRAW_VALID_SECONDS: random.pick(['6', '30', '400']),
    // The shorter one is for the claim too, so that a slow machine gets that far.
    WITHDRAW_WAIT_SECONDS: random.pick(['5', '20']),
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    WEBHOOK_RETRY_SECONDS: RETRY_SECONDS.join(),
  });

  async function start({ patient = false } = {}): Promise<void> {
    const began = performance.now();
    const env = { ...environment(), ...(patient && { WITHDRAW_WAIT_SECONDS: PATIENT_SECONDS }) };
    service = await startService({ data_dir, env });
    start_ms.push(Math.round(performance.now() - began));
    outputs.push(service.output);
    running.resolve();
  }

  return {
    rpc_url: `http://127.0.0.1:${sandbox_port}/rpc`,
    friendbot_url: `http://127.0.0.1:${sandbox_port}/friendbot`,
    credentials: () => JSON.parse(readFileSync(join(data_dir, 'demo-login'), 'utf8')),
    database: () => ({ ...databaseServer(data_dir), database: 'postgres' }),
    master_key: () => Buffer.from(readFileSync(join(data_dir, 'master-key'), 'utf8'), 'base64'),
    retry_seconds: RETRY_SECONDS,
    treasury_pays: treasury.pays,
    channel_stroops: treasury.channel_stroops,
    start_ms,
    kills,
    up: () => running.promise,
    start,
    async killDuringStart(delay_ms) {
      const env = { DATA_DIR: data_dir, LOG_LEVEL: 'warn', ...environment() };
      const launched = launchTeller(['serve'], env, { stdio: 'ignore' });
      await setTimeout(delay_ms);
      await launched.end('SIGKILL');
      kills.starting++;
    },
    async kill({ delay_ms, database }) {
      const postmaster = postmasterPid(join(data_dir, 'postgres'));
      await setTimeout(delay_ms);
      running = Promise.withResolvers();
      await service?.kill();
      kills.service++;
      if (!database) return;
      process.kill(postmaster, 'SIGKILL');
      kills.database++;
      await eventually('the end of PostgreSQL', () => !isAlive(postmaster));
    },
    api: (method, path, options) => call(`http://127.0.0.1:${port}`, method, path, options),
    output: () => outputs.map((output) => output()).join('\n--- next start ---\n'),
    async stop() {
      await service?.stop();
    },
  };
}
