/** Compares a service with a large database and one with a hundredth of it: each list, read and search, and what a flood costs. */
import { teller } from '../test/support/service.ts';
import { fill } from './growth-fill.ts';
import { type Flood, measureFlood } from './growth-flood.ts';
import { type Asked, readsOf } from './growth-reads.ts';
import { type Grown, startGrown } from './growth-world.ts';
import { machine, markdown, median } from './measure.ts';
import { startDatabases } from './withdrawals-world.ts';

const GOAL_RATIO = 1.5;
const GOAL_RECONCILE_SECONDS = 10;
/** The small database has a hundredth of the rows. */
const SMALLER = 100;

export type GrowthOptions = { rounds: number; wallets: number; deposits: number; withdrawals: number };

export async function benchGrowth(options: GrowthOptions): Promise<void> {
  const { rounds, wallets, deposits, withdrawals } = options;
  const databases = await startDatabases();
  const opened: Grown[] = [];
  try {
    for (const part of [SMALLER, 1]) {
      const grown = await startGrown(databases);
      opened.push(grown);
      const rows = { large_id: grown.large.id, wallets: wallets / part, deposits: deposits / part };
      await fill(grown.env.DATABASE_URL as string, rows);
    }
    const [small, large] = opened as [Grown, Grown];
    console.log(
      `${machine()}; ${wallets} wallets and ${deposits} deposits, beside ${wallets / SMALLER} and ${deposits / SMALLER}\n`,
    );
    console.log(await compareReads(small, large, rounds));
    console.log(`\n${describeFlood(await measureFlood(large, withdrawals))}`);
    console.log(`\n${await reconcile(large, wallets)}`);
  } finally {
    for (const { service } of opened) await service.stop();
    await databases.stop();
  }
}

async function compareReads(small: Grown, large: Grown, rounds: number): Promise<string> {
  const reads = [await readsOf(small), await readsOf(large)] as [Asked[], Asked[]];
  const rows: (string | number)[][] = [];
  for (const [index, { name }] of reads[0].entries()) {
    const took: [number[], number[]] = [[], []];
    for (let round = -2; round < rounds; round++) {
      for (const [side, { service, token }] of [small, large].entries()) {
        const { path } = (reads[side] as Asked[])[index] as Asked;
        const began = performance.now();
        const { status, text } = await service.api('GET', path, { token });
        const ms = performance.now() - began;
        if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
        if (round >= 0) took[side as 0 | 1].push(ms); // the first two rounds warm up
      }
    }
    const [few, many] = took.map(median) as [number, number];
    const ratio = many / few;
    rows.push([
      name,
      `${few.toFixed(1)} ms`,
      `${many.toFixed(1)} ms`,
      ratio.toFixed(2),
      ratio <= GOAL_RATIO ? 'met' : 'missed',
    ]);
  }
  return markdown(['', 'small', 'grown', 'ratio', `wanted: ≤ ${GOAL_RATIO}`], rows);
}

function describeFlood({ without, during, searches }: Flood): string {
  const p = (values: number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] as number;
  const row = (name: string, share: number) => {
    const [alone, flooded] = [p(without, share), p(during, share)];
    const ratio = flooded / alone;
    return [
      name,
      `${alone.toFixed(2)} s`,
      `${flooded.toFixed(2)} s`,
      ratio.toFixed(2),
      ratio <= GOAL_RATIO ? 'met' : 'missed',
    ];
  };
  const head = [
    'withdrawals of another wallet',
    'alone',
    'during the flood',
    'ratio',
    `wanted: ≤ ${GOAL_RATIO}`,
  ];
  const answers = [...searches].map(([answer, count]) => `${count} × ${answer}`).join(', ');
  return `${markdown(head, [row('p50', 0.5), row('p99', 0.99)])}\n\nAnswers to the searches: ${answers}.`;
}

async function reconcile({ env }: Grown, wallets: number): Promise<string> {
  const began = performance.now();
  const { code, output } = await teller(['reconcile'], env);
  const seconds = (performance.now() - began) / 1000;
  if (code !== 0) throw new Error(`teller reconcile: ${output}`);
  const goal = seconds <= GOAL_RECONCILE_SECONDS ? 'met' : 'missed';
  return markdown(
    ['', 'took', 'wanted'],
    [
      [
        `teller reconcile, ${wallets} wallets`,
        `${seconds.toFixed(1)} s`,
        `≤ ${GOAL_RECONCILE_SECONDS} s: ${goal}`,
      ],
    ],
  );
}
