/** What many runs came to. */
import type { Report } from './world.ts';

export type Figures = {
  seeds: number;
  simulated_ms: number;
  calls: number;
  withdrawals: { confirmed: number; failed: number; expired: number; undecided: number };
  /** Payments out of wallets that the ledger applied, failed ones with them. */
  applied: number;
  faults: Record<string, number>;
  violations: string[];
};

export function noFigures(): Figures {
  const withdrawals = { confirmed: 0, failed: 0, expired: 0, undecided: 0 };
  return { seeds: 0, simulated_ms: 0, calls: 0, withdrawals, applied: 0, faults: {}, violations: [] };
}

export function figuresOf({ seed, evidence, tally, simulated_ms, violations }: Report): Figures {
  const { rows, transactions, wallets, calls } = evidence;
  const own = new Set(wallets.map(({ account }) => account));
  const count = (fits: (row: (typeof rows)[number]) => boolean) => rows.filter(fits).length;
  return {
    seeds: 1,
    simulated_ms,
    calls: calls.length,
    withdrawals: {
      confirmed: count(({ status }) => status === 'confirmed'),
      failed: count(({ status, failure_code }) => status === 'failed' && failure_code !== 'expired'),
      expired: count(({ failure_code }) => failure_code === 'expired'),
      undecided: count(({ status }) => status === 'pending'),
    },
    applied: transactions.filter(({ payments }) => payments.some(({ source }) => own.has(source))).length,
    faults: Object.fromEntries(tally.entries()),
    violations: violations.map((violation) => `seed ${seed}: ${violation}`),
  };
}

export function sumOf(a: Figures, b: Figures): Figures {
  return {
    seeds: a.seeds + b.seeds,
    simulated_ms: a.simulated_ms + b.simulated_ms,
    calls: a.calls + b.calls,
    withdrawals: added(a.withdrawals, b.withdrawals) as Figures['withdrawals'],
    applied: a.applied + b.applied,
    faults: added(a.faults, b.faults),
    violations: [...a.violations, ...b.violations],
  };
}

function added(a: Record<string, number>, b: Record<string, number>): Record<string, number> {
  const sum = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

const KINDS: [string, RegExp][] = [
  ['database', /^db_/],
  ['kills', /^kill_/],
  ['world', /^world_/],
  ['network', /./],
];

export function show(figures: Figures): string {
  const { seeds, simulated_ms, calls, withdrawals, applied, faults, violations } = figures;
  const total = (counts: Record<string, number>) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);
  const byKind = Object.groupBy(
    Object.entries(faults),
    ([name]) => KINDS.find(([, mark]) => mark.test(name))?.[0] ?? '',
  );
  const lines = KINDS.map(([kind]) => {
    const counts = Object.fromEntries(byKind[kind] ?? []);
    const list = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
    return `  ${kind}: ${total(counts)} (${list.join(', ')})`;
  });
  return [
    `${seeds} seeds, ${(simulated_ms / 3_600_000).toFixed(1)} simulated hours, ${calls} calls`,
    `${total(withdrawals)} withdrawals: ${Object.entries(withdrawals)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}; ${applied} transactions in the ledger`,
    `${total(faults)} faults injected:`,
    ...lines,
    `${violations.length} violations`,
  ].join('\n');
}
