/** How much longer the withdrawals, reads and long polls of one team take while another team floods the service. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './catch-up-world.ts';
import { machine, markdown, median, quantile } from './measure.ts';
import { type Flood, floodsOf } from './neighbours-flood.ts';
import type { FloodOrder } from './neighbours-loud.ts';
import { type Neighbours, startNeighbours } from './neighbours-world.ts';
import { startDatabases } from './withdrawals-world.ts';

const GOAL_RATIO = 1.5;
/** A flood has filled the queues by then. */
const FLOODED_MS = 3_000;
/** Between two reads, which go on all the time: right after a ledger the answers of its withdrawals are on their way. */
const READ_PAUSE_MS = 130;
/** Of a long poll. The quiet team's own withdrawal, which pays its own wallet, ends it. */
const WAIT_SECONDS = 20;

/** In ms. */
type Latencies = Record<'withdrawal' | 'last of 5 withdrawals' | 'read' | 'long poll', number[]>;

/** The quiet team makes `withdrawals` without the flood and as many during it, one at a time, in each round. */
export async function benchNeighbours(options: { rounds: number; withdrawals: number }): Promise<void> {
  const { rounds, withdrawals } = options;
  const databases = await startDatabases();
  const neighbours = await startNeighbours(databases);
  try {
    console.log(`${machine()}; ${rounds} rounds of ${withdrawals} withdrawals for each flood\n`);
    const rows: (string | number)[][] = [];
    const answers: string[] = [];
    await measure(neighbours, 3);
    for (const flood of floodsOf()) {
      const { without, during, told } = await compare(neighbours, flood, { rounds, withdrawals });
      rows.push(...describe(flood, without, during));
      answers.push(`${flood.name}: ${told.join('; ')}.`);
    }
    const head = [
      'while another team has',
      'of the quiet team',
      'alone',
      'beside',
      'ratio',
      'p90 beside',
      `≤ ${GOAL_RATIO}`,
    ];
    console.log(`${markdown(head, rows)}\n\n${answers.join('\n')}`);
  } finally {
    await neighbours.stop();
    await databases.stop();
  }
}

async function compare(
  neighbours: Neighbours,
  flood: Flood,
  { rounds, withdrawals }: { rounds: number; withdrawals: number },
) {
  const [without, during] = [none(), none()];
  const told: string[] = [];
  for (let round = 0; round < rounds; round++) {
    await neighbours.drained();
    add(without, await measure(neighbours, withdrawals));
    const order: FloodOrder = { url: neighbours.service.url, team: neighbours.loud, flood: flood.name };
    const flooding = await startChild('neighbours-loud.ts', order);
    await sleep(FLOODED_MS);
    add(during, await measure(neighbours, withdrawals));
    told.push(`${await flooding.ask({})}`);
    flooding.stop();
  }
  return { without, during, told };
}

/** The quiet team withdraws to its own wallet: the deposit ends a long poll that began before. */
async function measure({ service, quiet }: Neighbours, withdrawals: number): Promise<Latencies> {
  const { token } = quiet;
  const [wallet] = quiet.wallets;
  if (!wallet) throw new Error('the quiet team has no wallet');
  const path = `/v1/wallets/${wallet.id}`;
  const timed = async (method: string, of: string, options: object = {}) => {
    const began = performance.now();
    const { status, text, body } = await service.api(method, `${path}/${of}`, { token, ...options });
    if (status >= 300 && status !== 429) throw new Error(`${of}: ${status} ${text}`);
    return { ms: performance.now() - began, items: body.data?.items ?? [] };
  };
  const withdraw = () => {
    const headers = { 'idempotency-key': randomBytes(16).toString('hex') };
    return timed('POST', 'withdraw', { headers, body: { destination: wallet.address, amount_stroops: 1n } });
  };
  const found = none();
  let over = false;
  const read = async () => {
    while (!over) {
      found.read.push((await timed('GET', 'transactions')).ms);
      await sleep(READ_PAUSE_MS);
    }
  };
  const reading = read();
  for (let left = withdrawals; left > 0; left--) {
    const poll = timed('GET', `events?after=latest&wait_seconds=${WAIT_SECONDS}`);
    found.withdrawal.push((await withdraw()).ms);
    const { items, ms } = await poll;
    const five = await Promise.all(Array.from({ length: 5 }, () => withdraw()));
    found['last of 5 withdrawals'].push(Math.max(...five.map(({ ms }) => ms)));
    if (items.length > 0) found['long poll'].push(ms);
  }
  over = true;
  await reading;
  return found;
}

const none = (): Latencies => ({ withdrawal: [], 'last of 5 withdrawals': [], read: [], 'long poll': [] });

function add(to: Latencies, more: Latencies): void {
  for (const kind of Object.keys(to) as (keyof Latencies)[]) to[kind].push(...more[kind]);
}

function describe({ name }: Flood, without: Latencies, during: Latencies): (string | number)[][] {
  return (Object.keys(without) as (keyof Latencies)[]).map((kind) => {
    const [alone, beside] = [median(without[kind]), median(during[kind])];
    const ratio = beside / alone;
    return [
      name,
      `${kind} (${during[kind].length})`,
      `${alone.toFixed(0)} ms`,
      `${beside.toFixed(0)} ms`,
      ratio.toFixed(2),
      `${quantile(during[kind], 0.9).toFixed(0)} ms`,
      ratio <= GOAL_RATIO ? 'met' : 'missed',
    ];
  });
}
