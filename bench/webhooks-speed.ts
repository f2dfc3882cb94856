/** Measures the speed of the deliverer and the CPU of a delivery, beside bare requests and a plain queue. */
import type { Child } from './catch-up-world.ts';
import { markdown, median, percent, rate, rounded } from './measure.ts';
import { cpuMs } from './process-usage.ts';
import { MASTER_KEY, webhookDatabase } from './webhooks-database.ts';
import { comparedAtLeast } from './webhooks-goals.ts';
import type { SenderMemory, SenderOrder, SenderRound } from './webhooks-sender.ts';
import type { Databases } from './withdrawals-world.ts';

/** All at one receiver. */
const ENDPOINTS = 10;
/** Delivered before the first round. */
const HISTORY = 60_000;
/** The plain queue is much slower: it gets one in so many. */
const PLAIN_SHARE = 10;
/** The backlog of the last round, which shows whether memory grows with it. */
const LONG_BACKLOG = 4;

/** Of PostgreSQL and the deliverer together. */
const CPU_GOAL_US = 75;

type Speed = {
  bare: number[];
  deliverer: number[];
  plain: number[];
  memory: SenderMemory[];
  /** The CPU of each delivery, from the commit of the backlog until all of it is recorded. */
  cpu: { sender_us: number; postgresql_us: number }[];
  /** The CPU of PostgreSQL to insert an event with its delivery. */
  insert_us: number[];
  /** The CPU of the sender of a bare request: it tells how much all else on the machine slows the processor. */
  bare_us: number[];
};

export async function speeds(
  databases: Databases,
  url: string,
  sender: (order: SenderOrder) => Promise<Child>,
  { rounds, deliveries }: { rounds: number; deliveries: number },
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
  const speed: Speed = {
    bare: [],
    deliverer: [],
    plain: [],
    memory: [],
    cpu: [],
    insert_us: [],
    bare_us: [],
  };
  const run = (child: Child, count: number) =>
    rate(count, async () => {
      const order: SenderRound = { count };
      await child.ask(order);
    });
  const memory = async () => (await deliverer.ask({})) as SenderMemory;
  const few = Math.ceil(deliveries / PLAIN_SHARE);
  for (let round = 0; round <= rounds; round++) {
    const bare_used_us = usedSince(databases, bare.pid, deliveries);
    const one = await run(bare, deliveries);
    const bare_us = bare_used_us().sender_us;
    const before_ms = databases.cpuMs();
    await ours.fill(deliveries);
    const used_us = usedSince(databases, deliverer.pid, deliveries);
    const insert_us = ((databases.cpuMs() - before_ms) * 1000) / deliveries;
    const two = await run(deliverer, deliveries);
    const cpu = used_us();
    await theirs.fill(few);
    const three = await run(plain, few);
    console.error(
      `${round === 0 ? 'warm-up' : `round ${round}`}: bare ${rounded(one)}/s, deliverer ${rounded(two)}/s, plain queue ${rounded(three)}/s; CPU of a delivery ${rounded(cpu.sender_us)} + ${rounded(cpu.postgresql_us)} µs`,
    );
    if (round === 0) continue;
    speed.bare.push(one);
    speed.deliverer.push(two);
    speed.plain.push(three);
    speed.memory.push(await memory());
    speed.cpu.push(cpu);
    speed.insert_us.push(insert_us);
    speed.bare_us.push(bare_us);
  }
  await ours.fill(deliveries * LONG_BACKLOG);
  await run(deliverer, deliveries * LONG_BACKLOG);
  speed.memory.push(await memory());
  for (const { stop } of [bare, deliverer, plain]) stop();
  for (const { close } of [ours, theirs]) await close();
  return speed;
}

/** Returns a function that tells the CPU of each of `count` requests since this call. */
function usedSince(databases: Databases, sender_pid: number, count: number): () => Speed['cpu'][number] {
  const [sender_ms, postgresql_ms] = [cpuMs(sender_pid), databases.cpuMs()];
  return () => ({
    sender_us: ((cpuMs(sender_pid) - sender_ms) * 1000) / count,
    postgresql_us: ((databases.cpuMs() - postgresql_ms) * 1000) / count,
  });
}

export function cpuTable({ cpu, insert_us, bare_us }: Speed): string {
  const row = (name: string, us: number[], wanted: string) => [
    name,
    `${rounded(median(us))} µs`,
    `${rounded(Math.min(...us))} – ${rounded(Math.max(...us))} µs`,
    wanted,
  ];
  const both = cpu.map(({ sender_us, postgresql_us }) => sender_us + postgresql_us);
  return markdown(
    ['CPU of a delivery', 'median', 'range', ''],
    [
      row(
        'the deliverer',
        cpu.map(({ sender_us }) => sender_us),
        '',
      ),
      row(
        'PostgreSQL',
        cpu.map(({ postgresql_us }) => postgresql_us),
        '',
      ),
      row('both', both, `≤ ${CPU_GOAL_US} µs ${median(both) <= CPU_GOAL_US ? 'met' : 'missed'}`),
      row('PostgreSQL, to insert it with its event', insert_us, ''),
      row('the sender of a bare request', bare_us, ''),
    ],
  );
}

export function speedTable({ bare, deliverer, plain, memory }: Speed, deliveries: number): string {
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
