/**
 * What 1, 2 and 4 processes on one PostgreSQL do: reads, withdrawals with the deposits that they make, and deliveries, with the CPU that
 * each takes, and idle time. And how many bytes the rows of these take.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startService, type TestService, teller } from '../test/support/service.ts';
import { type Child, startChild } from './catch-up-world.ts';
import { machine, markdown, median } from './measure.ts';
import { cpuMs } from './process-usage.ts';
import { ask } from './reads.ts';
import { MASTER_KEY, webhookDatabase } from './webhooks-database.ts';
import type { ReceiverReady } from './webhooks-receiver.ts';
import { withdrawAtOnce } from './withdrawals-load.ts';
import { type BenchNetwork, type Databases, startDatabases, startNetwork } from './withdrawals-world.ts';

export type ProcessesOptions = { rounds: number; requests: number; withdrawals: number; deliveries: number };

const COUNTS = [1, 2, 4];
const CONNECTIONS = 64;
const CHANNELS = 100;
const CLOSE_MS = 2000;
const IDLE_MS = 10_000;
const ENDPOINTS = 10;
const TABLES = ['withdrawals', 'audit_log', 'deposits', 'webhook_events'];
const LOGIN = { email: 'bench@example.com', password: randomBytes(16).toString('hex') };

/** Of one round, or of a time without work: then one unit is a second. */
type Figures = { units: number; elapsed_ms: number; cpu_ms: number; database_cpu_ms: number };
type Measured = { what: string; processes: number; rounds: Figures[]; told?: string };

export async function benchProcesses(options: ProcessesOptions): Promise<void> {
  process.on('SIGINT', () => undefined);
  const databases = await startDatabases();
  try {
    const services = await measureServices(databases, options);
    const measured = [...services.measured, ...(await measureDeliverers(databases, options))];
    console.log(`${machine()}; ${options.rounds} rounds after one to warm up\n`);
    console.log(`${report(measured)}\n\n${services.bytes}`);
  } finally {
    await databases.stop();
  }
}

/** Starts more and more services with all roles on one database. */
async function measureServices(databases: Databases, options: ProcessesOptions) {
  const { requests, withdrawals } = options;
  const network = await startNetwork({ close_ms: CLOSE_MS, max_operations: 1000 });
  const env = {
    DATABASE_URL: await databases.create(),
    MASTER_KEY: randomBytes(32).toString('base64'),
    STELLAR_RPC_URL: network.rpc_url,
    ADMIN_EMAIL: LOGIN.email,
    ADMIN_PASSWORD: LOGIN.password,
    CHANNELS_MAX: `${CHANNELS}`,
  };
  const services: TestService[] = [];
  const measured: Measured[] = [];
  try {
    services.push(await startService({ env }));
    const wallet = await makeWallet(services[0] as TestService, env);
    for (const count of COUNTS) {
      while (services.length < count) services.push(await startService({ env }));
      const of = (what: string, times: number, work: () => Promise<{ units: number; told?: string }>) =>
        measure({ what, processes: count, databases, pids: services.map(({ pid }) => pid) }, times, work);
      measured.push(
        await of('idle, a second', 0, async () => {
          await sleep(IDLE_MS);
          return { units: IDLE_MS / 1000 };
        }),
        await of('a read', options.rounds, () => read(services, wallet, requests)),
        await of('a withdrawal and its deposit', options.rounds, () =>
          withdraw(services, wallet, { network, withdrawals }),
        ),
      );
    }
    return { measured, bytes: await bytesOfRows(env.DATABASE_URL) };
  } finally {
    for (const service of services) await service.stop();
    await network.stop();
  }
}

/** `address`: a deposit address of another wallet, to which this one pays. */
type Wallet = { id: string; api_key: string; token: string; address: string };

async function makeWallet({ api }: TestService, env: Record<string, string>): Promise<Wallet> {
  const { body } = await api('POST', '/v1/auth/login', { body: LOGIN });
  const token: string = body.data.token;
  const create = async () => (await api('POST', '/v1/wallets', { token, body: { name: 'Bench' } })).body.data;
  const [paying, paid] = [await create(), await create()];
  const { address } = (await api('POST', `/v1/wallets/${paid.id}/addresses`, { token })).body.data;
  const { code, output } = await teller(['channels', 'create', `${CHANNELS}`], env);
  if (code !== 0) throw new Error(`no channels: ${output}`);
  return { id: paying.id, api_key: paying.api_key, token, address };
}

/** Asks all services at once for the wallet, with its API key. */
async function read(services: TestService[], { id, api_key }: Wallet, requests: number) {
  const share = { name: '', path: `/v1/wallets/${id}`, connections: CONNECTIONS / services.length };
  await Promise.all(services.map((service) => ask(service, share, api_key, requests / services.length)));
  return { units: requests };
}

/** Requests the withdrawals of one wallet from all services at once. Each makes a deposit. */
async function withdraw(
  services: TestService[],
  { id: wallet_id, token, address: destination }: Wallet,
  { network, withdrawals }: { network: BenchNetwork; withdrawals: number },
) {
  const { rpc_url } = network;
  const count = withdrawals / services.length;
  const rounds = await Promise.all(
    services.map(({ url }) => withdrawAtOnce({ url, rpc_url, token, wallet_id, destination, count })),
  );
  const took = rounds.flatMap(({ outcomes, from_ledger }) =>
    outcomes.map(({ ledger }) => (ledger ?? Number.NaN) - from_ledger),
  );
  return { units: withdrawals, told: `${Math.max(...took)} ledgers` };
}

/** Returns what a row takes of the disk, with all indexes. */
async function bytesOfRows(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const rows: (string | number)[][] = [];
  for (const table of TABLES) {
    const { rows: found } = await client.query(
      `select count(*)::int as rows, pg_total_relation_size('${table}')::int as bytes from ${table}`,
    );
    rows.push([table, found[0].rows, Math.round(found[0].bytes / found[0].rows)]);
  }
  await client.end();
  return markdown(['table', 'rows', 'bytes a row'], rows);
}

/** Starts more and more deliverers on one database, and lets them deliver a backlog. */
async function measureDeliverers(databases: Databases, options: ProcessesOptions): Promise<Measured[]> {
  const receiver = await startChild('webhooks-receiver.ts', {});
  const { url } = receiver.ready as ReceiverReady;
  const database = await webhookDatabase(
    databases,
    Array.from({ length: ENDPOINTS }, (_, at) => `${url}/hook/${at}`),
  );
  const order = { way: 'deliverer', database_url: database.url, master_key: MASTER_KEY.toString('base64') };
  const senders: Child[] = [];
  const measured: Measured[] = [];
  try {
    for (const count of COUNTS) {
      while (senders.length < count) senders.push(await startChild('webhooks-sender.ts', order));
      const pids = senders.map(({ pid }) => pid);
      const deliver = async () => {
        await database.fill(options.deliveries);
        await senders[0]?.ask({ count: options.deliveries });
        return { units: options.deliveries };
      };
      measured.push(
        await measure({ what: 'a delivery', processes: count, databases, pids }, options.rounds, deliver),
      );
    }
    return measured;
  } finally {
    for (const { stop } of [...senders, receiver]) stop();
    await database.close();
  }
}

/** Does the work once to warm up and then `times`; only once where `times` is 0. */
async function measure(
  {
    what,
    processes,
    databases,
    pids,
  }: { what: string; processes: number; databases: Databases; pids: number[] },
  times: number,
  work: () => Promise<{ units: number; told?: string }>,
): Promise<Measured> {
  const rounds: Figures[] = [];
  let last: string | undefined;
  const cpu = () => pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
  for (let round = 0; round <= times; round++) {
    const [cpu_ms, database_ms, began] = [cpu(), databases.cpuMs(), performance.now()];
    const { units, told } = await work();
    last = told;
    const elapsed_ms = performance.now() - began;
    const spent = { cpu_ms: cpu() - cpu_ms, database_cpu_ms: databases.cpuMs() - database_ms };
    if (round > 0 || times === 0) rounds.push({ units, elapsed_ms, ...spent });
  }
  return { what, processes, rounds, ...(last && { told: last }) };
}

function report(measured: Measured[]): string {
  const rows = measured
    .toSorted((a, b) => a.what.localeCompare(b.what) || a.processes - b.processes)
    .map(({ what, processes, rounds, told }) => {
      const of = (figure: (round: Figures) => number) => median(rounds.map(figure));
      const each = (key: 'cpu_ms' | 'database_cpu_ms') => of((round) => (round[key] * 1000) / round.units);
      const busy = of((round) => (round.cpu_ms + round.database_cpu_ms) / round.elapsed_ms);
      return [
        what,
        processes,
        told ?? `${of(({ units, elapsed_ms }) => (units * 1000) / elapsed_ms).toFixed(0)}/s`,
        `${each('cpu_ms').toFixed(0)} µs`,
        `${each('database_cpu_ms').toFixed(0)} µs`,
        busy.toFixed(2),
      ];
    });
  return markdown(
    ['', 'processes', 'speed', 'CPU of the processes', 'CPU of PostgreSQL', 'cores busy'],
    rows,
  );
}
