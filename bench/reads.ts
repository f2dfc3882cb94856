/**
 * Reads by an API key, which is looked up in PostgreSQL for each request, beside a bare `node:http` server that answers the same
 * bytes to the same client.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Pool } from 'undici';
import { fill } from './growth-fill.ts';
import { type Grown, startGrown } from './growth-world.ts';
import { machine, markdown, median } from './measure.ts';
import { cpuMs } from './process-usage.ts';
import type { BareAnswer } from './reads-bare.ts';
import { startDatabases } from './withdrawals-world.ts';

const CONNECTIONS = 64;
/** Of the searches of one credential two run and 20 wait; more are refused. */
const SEARCHING_CONNECTIONS = 8;
const WALLETS = 100;
const DEPOSITS = 20_000;
const GOAL_SHARE = 0.3;

type Read = { name: string; path: string; connections: number; goal?: number };
type Server = { url: string; pid: number };
/** Of one round. */
type Figures = { rate: number; p50_ms: number; p99_ms: number; cpu_us: number };

/** Asks the service and the bare server in turns, `requests` of each read in each round, after one round to warm up. */
export async function benchReads({ rounds, requests }: { rounds: number; requests: number }): Promise<void> {
  const databases = await startDatabases();
  const grown = await startGrown(databases);
  const bare = await startBare();
  try {
    await fill(`${grown.env.DATABASE_URL}`, {
      large_id: grown.large.id,
      wallets: WALLETS,
      deposits: DEPOSITS,
    });
    const rows: (string | number)[][] = [];
    for (const read of await readsOf(grown)) {
      await bare.answer(await answerOf(grown, read));
      const servers = [grown.service, bare] as const;
      const found: [Figures[], Figures[]] = [[], []];
      for (const server of servers) await ask(server, read, grown.large.api_key, requests);
      for (let round = 0; round < rounds; round++)
        for (const [at, server] of servers.entries())
          found[at as 0 | 1].push(await ask(server, read, grown.large.api_key, requests));
      rows.push(describe(read, ...found));
    }
    console.log(`${machine()}; ${rounds} rounds of ${requests} requests; ${DEPOSITS} deposits\n`);
    console.log(markdown(HEAD, rows));
  } finally {
    bare.stop();
    await grown.service.stop();
    await databases.stop();
  }
}

async function readsOf({ service, token, large }: Grown): Promise<Read[]> {
  const wallet = `/v1/wallets/${large.id}`;
  const { body } = await service.api('GET', `${wallet}/deposits?attributed=true`, { token });
  const deposit = body.data.items[0];
  return [
    {
      name: 'a deposit',
      path: `${wallet}/deposits/${deposit.id}`,
      connections: CONNECTIONS,
      goal: GOAL_SHARE,
    },
    { name: 'a list of 50 deposits', path: `${wallet}/deposits?limit=50`, connections: CONNECTIONS },
    {
      name: 'a search by a hash',
      path: `${wallet}/transactions?search=${deposit.stellar_tx_hash}`,
      connections: SEARCHING_CONNECTIONS,
    },
    {
      name: 'a search by a text',
      path: `${wallet}/addresses?search=gold`,
      connections: SEARCHING_CONNECTIONS,
    },
  ];
}

/** Starts the bare server, which first knows no answer. */
async function startBare() {
  const child = fork(join(import.meta.dirname, 'reads-bare.ts'));
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    pid: child.pid as number,
    async answer(answer: BareAnswer): Promise<void> {
      child.send(answer);
      await once(child, 'message');
    },
    stop: () => child.disconnect(),
  };
}

/** Returns what the service answers, for the bare server to repeat. */
async function answerOf({ service, large }: Grown, { path }: Read): Promise<BareAnswer> {
  const response = await fetch(new URL(path, service.url), { headers: credential(large.api_key) });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const { connection: _, date: __, 'keep-alive': ___, ...headers } = Object.fromEntries(response.headers);
  return { path, headers, body: await response.text() };
}

const credential = (api_key: string) => ({ authorization: `Bearer ${api_key}` });

/** Keeps a request under way on each connection until `requests` are answered. */
export async function ask(
  { url, pid }: Server,
  { path, connections }: Read,
  api_key: string,
  requests: number,
): Promise<Figures> {
  const pool = new Pool(url, { connections });
  const headers = credential(api_key);
  const took_ms: number[] = [];
  let left = requests;
  const work = async () => {
    while (left-- > 0) {
      const began = performance.now();
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
      took_ms.push(performance.now() - began);
    }
  };
  const [cpu, began] = [cpuMs(pid), performance.now()];
  await Promise.all(Array.from({ length: connections }, work));
  const elapsed_ms = performance.now() - began;
  const cpu_us = ((cpuMs(pid) - cpu) * 1000) / requests;
  await pool.close();
  const sorted = took_ms.sort((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { rate: (requests * 1000) / elapsed_ms, p50_ms: quantile(0.5), p99_ms: quantile(0.99), cpu_us };
}

const HEAD = [
  '',
  'connections',
  'requests/s',
  'bare',
  'share',
  'goal',
  'p50',
  'p99',
  'p99 bare',
  'CPU a request',
  'bare',
];

function describe(
  { name, connections, goal }: Read,
  service: Figures[],
  bare: Figures[],
): (string | number)[] {
  const of = (figures: Figures[], key: keyof Figures) => median(figures.map((each) => each[key]));
  const share = of(service, 'rate') / of(bare, 'rate');
  return [
    name,
    connections,
    of(service, 'rate').toFixed(0),
    of(bare, 'rate').toFixed(0),
    share.toFixed(2),
    goal === undefined ? '' : `≥ ${goal}: ${share >= goal ? 'met' : 'missed'}`,
    `${of(service, 'p50_ms').toFixed(1)} ms`,
    `${of(service, 'p99_ms').toFixed(1)} ms`,
    `${of(bare, 'p99_ms').toFixed(1)} ms`,
    `${of(service, 'cpu_us').toFixed(0)} µs`,
    `${of(bare, 'cpu_us').toFixed(0)} µs`,
  ];
}
