/**
 * What the service adds to the ledger: the time from the close of a ledger to the answer of a withdrawal, and to the 2xx of a
 * webhook, at a steady load. Beside it, in the same run, the time of a plain reader, which does nothing but ask the RPC for
 * the next ledger and read it.
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { eventually } from '../test/support/eventually.ts';
import { openLedger } from '../test/support/ledger.ts';
import { startService, type TestService, teller } from '../test/support/service.ts';
import { ask, payRound, preparePayments, withdrawSteadily } from './latency-load.ts';
import type { Closed, NetworkReady } from './latency-network.ts';
import { machine, markdown, nowMs } from './measure.ts';
import { cpuMs } from './process-usage.ts';
import { startDatabases } from './withdrawals-world.ts';

const WITHDRAWALS_A_SECOND = 20;
const DEPOSITS_A_SECOND = 100;
const ADDRESSES = 20;
/** How often the plain reader asks. */
const READ_MS = 10;
/** Payments of a round are sent in so much of the time between two ledgers, so that all of them are in the next one. */
const SENDING = 0.8;
/** The first ledgers of the load are not counted: connections are opened, code is compiled. */
const WARM_UP_LEDGERS = 5;
const LOGIN = { email: 'bench@example.com', password: randomBytes(16).toString('hex') };
const WANTED_MS = { p50: 50, p99: 250 };

export async function benchLatency({
  seconds,
  close_ms,
}: {
  seconds: number;
  close_ms: number;
}): Promise<void> {
  const databases = await startDatabases();
  const network = await startNetwork(close_ms);
  const receiver = await startReceiver();
  const reader = readPlainly(network.rpc_url);
  const channels = 2 * Math.ceil((WITHDRAWALS_A_SECOND * close_ms) / 1_000) + 10;
  const database_url = await databases.create();
  const { service, ...world } = await startWorld({
    database_url,
    rpc_url: network.rpc_url,
    channels,
    hook: receiver.url,
  });
  try {
    const rounds = Math.ceil((seconds * 1_000) / close_ms);
    const payers = Math.ceil((DEPOSITS_A_SECOND * close_ms) / 1_000);
    const { rounds: envelopes } = await preparePayments(network.rpc_url, { payers, rounds, ...world });
    const first = (await network.next()).ledger + WARM_UP_LEDGERS;
    const used = { service: () => cpuMs(service.pid), PostgreSQL: () => databases.cpuMs() };
    const before = { service: used.service(), PostgreSQL: used.PostgreSQL() };
    const [answers] = await Promise.all([
      withdrawSteadily({ url: service.url, ...world }, { a_second: WITHDRAWALS_A_SECOND, seconds }),
      payAll(network, envelopes, close_ms),
    ]);
    const expected = rounds * payers + answers.length;
    await eventually('every webhook', () => receiver.came.length >= expected);
    const closed = network.closed;
    const since = (all: { ledger: number; at_ms: number }[]) =>
      all
        .filter(({ ledger }) => ledger >= first)
        .map(({ ledger, at_ms }) => at_ms - (closed.get(ledger) ?? Number.NaN));
    const of = (event: string) => receiver.came.filter((each) => each.event === event);
    const figures = {
      'a plain reader has read it': since(reader.seen),
      'answer of a withdrawal': since(answers.map(({ ledger, answered_ms: at_ms }) => ({ ledger, at_ms }))),
      '2xx to `withdrawal.confirmed`': since(of('withdrawal.confirmed')),
      '2xx to `deposit.created`': since(of('deposit.created')),
    };
    console.log(
      `${machine()}; ${WITHDRAWALS_A_SECOND} withdrawals and ${DEPOSITS_A_SECOND} deposits a second for ${seconds} s, a ledger every ${close_ms} ms\n`,
    );
    console.log(tableOf(figures));
    const cores = (who: keyof typeof used) => ((used[who]() - before[who]) / 1_000 / seconds).toFixed(2);
    console.log(`\nCores in use: ${cores('service')} by the service, ${cores('PostgreSQL')} by PostgreSQL.`);
  } finally {
    await reader.stop();
    await service.stop();
    await receiver.close();
    network.stop();
    await databases.stop();
  }
}

function tableOf(figures: Record<string, number[]>): string {
  const rows = Object.entries(figures).map(([name, ms], index) => {
    const [p50, p99] = [quantile(ms, 0.5), quantile(ms, 0.99)];
    const met = p50 <= WANTED_MS.p50 && p99 <= WANTED_MS.p99 ? 'met' : 'missed';
    return [name, ms.length, shown(p50), shown(p99), shown(Math.max(...ms)), index === 0 ? '' : met];
  });
  const wanted = `wanted: p50 ≤ ${WANTED_MS.p50} ms, p99 ≤ ${WANTED_MS.p99} ms`;
  return markdown(['from the close of a ledger', 'number', 'p50', 'p99', 'longest', wanted], rows);
}

const shown = (ms: number) => `${Math.round(ms)} ms`;

function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

async function startNetwork(close_ms: number) {
  const child = fork(join(import.meta.dirname, 'latency-network.ts'), [`${close_ms}`]);
  const end = () => child.kill();
  process.once('exit', end); // also when the bench fails
  const closed = new Map<number, number>();
  const waiting: ((closed: Closed) => void)[] = [];
  const [{ rpc_url }] = (await once(child, 'message')) as [NetworkReady];
  child.on('message', (message: Closed) => {
    closed.set(message.ledger, message.closed_ms);
    for (const wake of waiting.splice(0)) wake(message);
  });
  return {
    rpc_url,
    /** When each ledger could first be read. */
    closed,
    /** Resolves when the next ledger has closed. */
    next: () => new Promise<Closed>((resolve) => waiting.push(resolve)),
    stop() {
      process.off('exit', end);
      child.disconnect();
    },
  };
}

type Network = Awaited<ReturnType<typeof startNetwork>>;

async function payAll(network: Network, rounds: string[][], close_ms: number): Promise<void> {
  const { origin, pathname } = new URL(network.rpc_url);
  const rpc = new Pool(origin, { connections: 20 });
  for (const round of rounds) {
    await network.next();
    await payRound(rpc, pathname, round, close_ms * SENDING);
  }
  await rpc.close();
}

/** Notes when it has read each ledger. */
function readPlainly(rpc_url: string) {
  const { origin, pathname } = new URL(rpc_url);
  const rpc = new Pool(origin, { connections: 1 });
  const seen: { ledger: number; at_ms: number }[] = [];
  let stopped = false;
  const run = async () => {
    for (let last = 0; !stopped; await sleep(READ_MS)) {
      const { latestLedger: ledger } = await ask(rpc, pathname, 'getHealth');
      if (ledger === last) continue;
      last = ledger;
      await ask(rpc, pathname, 'getLedgers', { startLedger: ledger, pagination: { limit: 1 } });
      seen.push({ ledger, at_ms: nowMs() });
    }
  };
  const ended = run();
  return {
    seen,
    async stop() {
      stopped = true;
      await ended;
      await rpc.close();
    },
  };
}

/** Answers 200 at once, and notes when. */
async function startReceiver() {
  const came: { event: string; ledger: number; at_ms: number }[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.end();
    const { event, data } = JSON.parse(Buffer.concat(chunks).toString());
    came.push({ event, ledger: data.ledger, at_ms: nowMs() });
  };
  const server = createServer((request, response) => void take(request, response)); // a failure ends the bench
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    came,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The service with a wallet, its addresses, an endpoint and channel accounts. */
async function startWorld(options: {
  database_url: string;
  rpc_url: string;
  channels: number;
  hook: string;
}) {
  const env = {
    DATABASE_URL: options.database_url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    STELLAR_RPC_URL: options.rpc_url,
    ADMIN_EMAIL: LOGIN.email,
    ADMIN_PASSWORD: LOGIN.password,
    CHANNELS_MAX: `${options.channels}`,
    WITHDRAW_VALID_SECONDS: '600', // ledger time runs ahead where ledgers close faster than every second
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    LOG_LEVEL: 'info',
  };
  const service = await startService({ env });
  const { token } = await send(service, '', '/v1/auth/login', LOGIN);
  const { id: wallet_id } = await send(service, token, '/v1/wallets', { name: 'Bench' });
  const path = `/v1/wallets/${wallet_id}`;
  const events = ['deposit.created', 'withdrawal.confirmed'];
  await send(service, token, `${path}/webhooks`, { url: options.hook, events });
  const addresses: string[] = [];
  while (addresses.length < ADDRESSES)
    addresses.push((await send(service, token, `${path}/addresses`, {})).address);
  const { code, output } = await teller(['channels', 'create', `${options.channels}`], env);
  if (code !== 0) throw new Error(`no channels: ${output}`);
  const destination = (await (await openLedger(options.rpc_url)).fund()).publicKey();
  return { service, token, wallet_id, addresses, destination };
}

async function send(service: TestService, token: string, path: string, body: object): Promise<any> {
  const answer = await service.api('POST', path, { token, body });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return answer.body.data;
}
