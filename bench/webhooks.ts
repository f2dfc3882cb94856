/** Measures the speed of deliveries beside bare requests and a plain queue, and the cost of hanging endpoints and backlogs. */
import { type Child, startChild } from './catch-up-world.ts';
import { machine, markdown, median, percent, rate, rounded } from './measure.ts';
import { claimTimes } from './webhooks-claims.ts';
import { MASTER_KEY, webhookDatabase } from './webhooks-database.ts';
import { type Isolation, isolation } from './webhooks-isolation.ts';
import type { ReceiverReady } from './webhooks-receiver.ts';
import type { SenderMemory, SenderOrder, SenderRound } from './webhooks-sender.ts';
import { type Databases, startDatabases } from './withdrawals-world.ts';

export type WebhookOptions = { rounds: number; deliveries: number };

/** All at one receiver. */
const ENDPOINTS = 10;
/** Delivered before the first round. */
const HISTORY = 60_000;
/** The plain queue is much slower: it gets one in so many. */
const PLAIN_SHARE = 10;
/** The backlog of the last round, which shows whether memory grows with it. */
const LONG_BACKLOG = 4;

type Speed = { bare: number[]; deliverer: number[]; plain: number[]; memory: SenderMemory[] };

export async function benchWebhooks({ rounds, deliveries }: WebhookOptions): Promise<void> {
  // Ctrl-C ends the child processes and so the round; then the database is stopped below.
  process.on('SIGINT', () => undefined);
  const databases = await startDatabases();
  const children: Child[] = [];
  const start = async (file: string, order: object) => {
    const child = await startChild(file, order);
    children.push(child);
    return child;
  };
  try {
    const receiver = await start('webhooks-receiver.ts', {});
    const { url } = receiver.ready as ReceiverReady;
    const sender = (order: SenderOrder) => start('webhooks-sender.ts', order);
    const speed = await speeds(databases, url, sender, { rounds, deliveries });
    const beside = await isolation(databases, receiver, sender, rounds);
    const claims = await claimTimes(databases);
    console.log(`${machine()}; ${rounds} rounds after one to warm up\n\n${speedTable(speed, deliveries)}\n`);
    console.log(`${isolationTable(beside)}\n`);
    const goal = claims.many_ms / claims.few_ms;
    console.log(
      markdown(
        ['claims', 'median', ''],
        [
          [`of ${claims.few.toLocaleString('en')} pending`, `${claims.few_ms.toFixed(2)} ms`, ''],
          [
            `of ${claims.many.toLocaleString('en')} pending`,
            `${claims.many_ms.toFixed(2)} ms`,
            compared(goal, 1.1),
          ],
        ],
      ),
    );
  } finally {
    for (const { stop } of children) stop();
    await databases.stop();
  }
}

async function speeds(
  databases: Databases,
  url: string,
  sender: (order: SenderOrder) => Promise<Child>,
  { rounds, deliveries }: WebhookOptions,
): Promise<Speed> {
  const urls = Array.from({ length: ENDPOINTS }, (_, index) => `${url}/hook/${index}`);
  const [ours, theirs] = [await webhookDatabase(databases, urls), await webhookDatabase(databases, urls)];
  for (const database of [ours, theirs]) {
    await database.fill(HISTORY);
    await database.age();
  }
  const master_key = MASTER_KEY.toString('base64');
  const bare = await sender({ way: 'bare', url });
  const deliverer = await sender({ way: 'deliverer', database_url: ours.url, master_key });
  const plain = await sender({ way: 'plain', database_url: theirs.url, master_key });
  const speed: Speed = { bare: [], deliverer: [], plain: [], memory: [] };
  const run = (child: Child, count: number) =>
    rate(count, async () => {
      const order: SenderRound = { count };
      await child.ask(order);
    });
  const memory = async () => (await deliverer.ask({})) as SenderMemory;
  const few = Math.ceil(deliveries / PLAIN_SHARE);
  for (let round = 0; round <= rounds; round++) {
    const one = await run(bare, deliveries);
    await ours.fill(deliveries);
    const two = await run(deliverer, deliveries);
    await theirs.fill(few);
    const three = await run(plain, few);
    console.error(
      `${round === 0 ? 'warm-up' : `round ${round}`}: bare ${rounded(one)}/s, deliverer ${rounded(two)}/s, plain queue ${rounded(three)}/s`,
    );
    if (round === 0) continue;
    speed.bare.push(one);
    speed.deliverer.push(two);
    speed.plain.push(three);
    speed.memory.push(await memory());
  }
  await ours.fill(deliveries * LONG_BACKLOG);
  await run(deliverer, deliveries * LONG_BACKLOG);
  speed.memory.push(await memory());
  for (const { stop } of [bare, deliverer, plain]) stop();
  for (const { close } of [ours, theirs]) await close();
  return speed;
}

function speedTable({ bare, deliverer, plain, memory }: Speed, deliveries: number): string {
  const row = (name: string, rates: number[], wanted: string) => [
    name,
    `${rounded(median(rates))}/s`,
    `${rounded(Math.min(...rates))} – ${rounded(Math.max(...rates))}`,
    percent(median(rates) / median(bare)),
    wanted,
  ];
  const [share, times] = [median(deliverer) / median(bare), median(deliverer) / median(plain)];
  const used = memory.map(({ used_mib }) => rounded(used_mib)).join(', ');
  const rss = memory.map(({ rss_mib }) => rounded(rss_mib)).join(', ');
  return [
    markdown(
      ['', 'median', 'range', 'of bare requests', ''],
      [
        row('bare undici `Pool.request`, the same requests', bare, ''),
        row(
          'the deliverer',
          deliverer,
          `${comparedAtLeast(share, 0.6)}; ${comparedAtLeast(times, 10)} plain queues`,
        ),
        row('plain queue', plain, ''),
      ],
    ),
    `Memory of the deliverer after each round of ${deliveries.toLocaleString('en')}, and after ${(deliveries * LONG_BACKLOG).toLocaleString('en')} at once: used ${used} MiB, resident ${rss} MiB.`,
  ].join('\n\n');
}

function isolationTable({ without, beside }: { without: Isolation; beside: Isolation }): string {
  const [alone_ms, beside_ms] = [median(without.p99_ms), median(beside.p99_ms)];
  const [alone, along] = [median(without.per_second), median(beside.per_second)];
  return markdown(
    ['50 healthy endpoints', 'p99 from commit to arrival', '', 'throughput', ''],
    [
      [
        'alone',
        `${rounded(alone_ms)} ms`,
        `≤ 100 ms ${alone_ms <= 100 ? 'met' : 'missed'}`,
        `${rounded(alone)}/s`,
        '',
      ],
      [
        'beside 50 that hang',
        `${rounded(beside_ms)} ms`,
        compared(beside_ms / alone_ms, 1.1),
        `${rounded(along)}/s`,
        comparedAtLeast(along / alone, 0.9),
      ],
    ],
  );
}

const compared = (value: number, at_most: number) =>
  `${value.toFixed(2)} ×, ≤ ${at_most} ${value <= at_most ? 'met' : 'missed'}`;
const comparedAtLeast = (value: number, at_least: number) =>
  `${value.toFixed(2)} ×, ≥ ${at_least} ${value >= at_least ? 'met' : 'missed'}`;
