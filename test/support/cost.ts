/**
 * What a run of tests costs. Each process of the runner tells its CPU when it ends (count-cost.ts), each file of a shared
 * process its own (test/plan.ts); test/run.ts adds the database server and prints the report.
 *
 * CPU is that of the process and of all that it started and waited for: services, commands, servers. A database server that
 * outlives a killed service is not counted. Elsewhere than on Linux only the times from beginning to end are known.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

/** Seconds. `started`: of processes that have ended. */
export type Cpu = { own: number; started: number };
type Cost = { file: string; wall: number; cpu: Cpu | null };
/** `entry`: the test file that Node's runner was given. Without `file` the line is about the whole process. */
export type Line = { entry: string; file?: string; wall: number; cpu: Cpu | null };
export type Total = { all: number; database: number };

const SLOWEST = 10;
/** Linux tells these times in hundredths, on every processor. */
const TICKS_PER_S = 100;
/** Of /proc/self/stat, counted from after the name: utime, stime, cutime, cstime. */
const TIMES_AT = 11;

export function cpuSoFar(): Cpu | null {
  if (!existsSync('/proc/self/stat')) return null;
  const text = readFileSync('/proc/self/stat', 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields
    .slice(TIMES_AT, TIMES_AT + 4)
    .map((ticks) => Number(ticks) / TICKS_PER_S);
  return { own: utime + stime, started: cutime + cstime };
}

/**
 * Gives a function that tells, in words, the CPU of the processes that have ended since its last call. A process counts when it
 * ends, with its whole life: called at each end, the function tells what that process cost, whatever runs beside it.
 */
export function countEnded(): () => string {
  let before = cpuSoFar();
  return () => {
    const after = cpuSoFar();
    const told = before && after ? `, ${Math.round(after.started - before.started)} s of CPU` : '';
    before = after;
    return told;
  };
}

/** For one file of several in a process: gives what to call when its tests have ended. */
export function countFile(file: string): () => void {
  const [began, before] = [performance.now(), cpuSoFar()];
  return () => {
    const after = cpuSoFar();
    const cpu = before && after && { own: after.own - before.own, started: after.started - before.started };
    tell({ file, wall: (performance.now() - began) / 1000, cpu });
  };
}

const told: { to?: string } = {};

/** From now on this process writes what it costs into that file. */
export function tellTo(path: string): void {
  told.to = path;
}

export function tell(line: Omit<Line, 'entry'>): void {
  if (told.to) appendFileSync(told.to, `${JSON.stringify({ entry: process.argv[1], ...line })}\n`);
}

export function readLines(path: string): Line[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** `filesOf`: which files an entry of the plan has; any other entry is a test file itself. */
export function report(lines: Line[], filesOf: Map<string, string[]>, total: Total | null): string {
  const processes = lines.filter(({ file }) => file === undefined);
  const singles = processes.flatMap(({ entry, ...rest }) => {
    const [file = relative(resolve(), entry), ...others] = filesOf.get(entry) ?? [];
    return others.length === 0 ? [{ ...rest, file }] : [];
  });
  const shared = lines.flatMap(({ file, ...rest }) => (file === undefined ? [] : [{ ...rest, file }]));
  const costs: Cost[] = [...singles, ...shared].sort((one, other) => other.wall - one.wall);
  const title = `The slowest of ${costs.length} files, in seconds${total ? ', with the CPU of their tests and of what they started' : ''}:`;
  return [title, ...tableOf(costs.slice(0, SLOWEST), total !== null), ...totals(processes, total)].join('\n');
}

function tableOf(costs: Cost[], withCpu: boolean): string[] {
  const cells = (texts: string[]) => texts.map((text) => text.padStart(9)).join('');
  const heads = withCpu ? ['time', 'tests', 'started'] : ['time'];
  const rows = costs.map(({ file, wall, cpu }) => {
    const times = withCpu && cpu ? [wall, cpu.own, cpu.started] : [wall];
    return `${cells(times.map((time) => time.toFixed(1)))}  ${file}`;
  });
  return [cells(heads), ...rows];
}

function totals(processes: Line[], total: Total | null): string[] {
  if (!total) return ['How much CPU the run took is not known on this system.'];
  const sum = (of: (cpu: Cpu) => number) => processes.reduce((all, { cpu }) => all + (cpu ? of(cpu) : 0), 0);
  const [tests, started] = [sum(({ own }) => own), sum((cpu) => cpu.started)];
  const rest = Math.max(0, total.all - tests - started - total.database);
  const parts = [
    `${tests.toFixed(0)} s of tests`,
    `${started.toFixed(0)} s of services, commands and servers that they started`,
    `${total.database.toFixed(0)} s of the database server`,
    `${rest.toFixed(0)} s of what comes before and around them`,
  ];
  return [`CPU: ${total.all.toFixed(0)} s. ${parts.join(', ')}.`];
}
