import { availableParallelism, cpus, loadavg } from 'node:os';

export type Figure = { name: string; rates: number[]; unit: string; ceiling?: Figure };

/** Items per second of real time. */
export async function rate(count: number, work: () => void | Promise<void>): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return count / (Number(process.hrtime.bigint() - start) / 1e9);
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** Returns the number that this share of the numbers does not exceed (nearest rank); NaN when there are none. */
export function quantile(numbers: number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * share) - 1] ?? Number.NaN;
}

/** Milliseconds since 1970 with their fractions, the same in every process of the machine. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

export function machine(): string {
  return `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`;
}

/** A Markdown table with median, range and share of the ceiling. */
export function table(figures: Figure[]): string {
  const rows = figures.map(({ name, rates, unit, ceiling }) => {
    const [low, high] = [Math.min(...rates), Math.max(...rates)];
    const share =
      ceiling === undefined ? '' : `${percent(median(rates) / median(ceiling.rates))} of ${ceiling.name}`;
    return `| ${name} | ${rounded(median(rates))} ${unit}/s | ${rounded(low)} – ${rounded(high)} | ${share} |`;
  });
  return ['| | median | range | of the ceiling |', '|---|---|---|---|', ...rows].join('\n');
}

/** A Markdown table. */
export function markdown(head: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}

export function rounded(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en');
}
