/** Measures the speed and the CPU of deliveries beside bare requests and a plain queue, and the cost of hanging endpoints and backlogs. */
import { type Child, startChild } from './catch-up-world.ts';
import { machine, markdown, median, rounded } from './measure.ts';
import { claimTimes } from './webhooks-claims.ts';
import { compared, comparedAtLeast } from './webhooks-goals.ts';
import { type Isolation, isolation } from './webhooks-isolation.ts';
import type { ReceiverReady } from './webhooks-receiver.ts';
import type { SenderOrder } from './webhooks-sender.ts';
import { cpuTable, speeds, speedTable } from './webhooks-speed.ts';
import { startDatabases } from './withdrawals-world.ts';

export type WebhookOptions = { rounds: number; deliveries: number };

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
    console.log(`${cpuTable(speed)}\n`);
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
