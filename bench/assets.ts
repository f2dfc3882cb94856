/**
 * Measures what an issued asset costs beside the native one: withdrawals of one wallet, and ledgers full of payments. Both
 * are measured in turn in each round, so that other load on the machine affects them equally.
 */
import { benchAssetCatchUp } from './assets-catch-up.ts';
import type { AssetsOptions, Pair } from './assets-options.ts';
import { benchAssetWithdrawals } from './assets-withdrawals.ts';
import { machine, markdown, median, rounded } from './measure.ts';

const GOAL_OF_WITHDRAWALS = 0.95;
const GOAL_OF_LEDGERS = 0.9;

export async function benchAssets(options: AssetsOptions): Promise<void> {
  // Ctrl-C ends the children and so the round; then the databases are stopped.
  process.on('SIGINT', () => undefined);
  const paid = await benchAssetWithdrawals(options);
  const read = await benchAssetCatchUp(options);
  const { rounds, withdrawals, channels, operations, close_ms, ledgers } = options;
  console.log(
    [
      `${machine()}; ${rounds} rounds after one to warm up; ${withdrawals} withdrawals at once, ${channels} channels,`,
      `${operations} operations in a ledger, one every ${close_ms / 1000} s; ${ledgers} ledgers to catch up with\n`,
    ].join('\n'),
  );
  const figures = [
    figure(
      'withdrawals a second',
      pairOf(paid, ({ per_second }) => per_second),
      GOAL_OF_WITHDRAWALS,
    ),
    figure(
      'ledgers until the last is confirmed',
      pairOf(paid, ({ ledgers: took }) => took),
      null,
    ),
    figure(
      'requests for a withdrawal',
      pairOf(paid, ({ requests }) => requests),
      null,
    ),
    figure(
      'CPU for a withdrawal, ms',
      pairOf(paid, ({ cpu_ms }) => cpu_ms),
      null,
    ),
    figure(
      'ledgers caught up with a second',
      pairOf(read, ({ per_second }) => per_second),
      GOAL_OF_LEDGERS,
    ),
    figure(
      'CPU for a ledger, ms',
      pairOf(read, ({ cpu_ms }) => cpu_ms),
      null,
    ),
  ];
  const head = ['', 'native', 'range', 'issued', 'range', 'issued beside native', 'wanted', ''];
  console.log(markdown(head, figures));
}

function pairOf<T>({ native, issued }: Pair<T>, of: (one: T) => number): Pair<number> {
  return { native: native.map(of), issued: issued.map(of) };
}

function figure(name: string, { native, issued }: Pair<number>, wanted: number | null): string[] {
  const share = median(issued) / median(native);
  const range = (all: number[]) => `${rounded(Math.min(...all))} – ${rounded(Math.max(...all))}`;
  const goal = wanted === null ? ['', ''] : [`≥ ${wanted}`, share >= wanted ? 'met' : 'missed'];
  return [
    name,
    rounded(median(native)),
    range(native),
    rounded(median(issued)),
    range(issued),
    share.toFixed(2),
    ...goal,
  ];
}
