/** CPU time and memory of another process, as Linux reports them. */
import { readdirSync, readFileSync } from 'node:fs';

const TICK_MS = 10; // USER_HZ is 100 on every Linux that Node runs on

/** User and system time so far, in ms. */
export function cpuMs(pid: number): number {
  const [own_ticks = 0] = ticksOf(pid);
  return own_ticks * TICK_MS;
}

/** The same of a process and its children, those that have ended too. */
export function cpuMsWithChildren(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ticksOf(Number(name)))
    .filter(([, , parent]) => parent === pid);
  const [own_ticks = 0, ended_ticks = 0] = ticksOf(pid);
  return (
    children.reduce((sum, [ticks = 0, ended = 0]) => sum + ticks + ended, own_ticks + ended_ticks) * TICK_MS
  );
}

/** Reads the ticks of a process, those of its children that have ended, and its parent. Nothing of a process that is gone. */
function ticksOf(pid: number): number[] {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return [];
  }
  // From the third field: the name may contain spaces.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const sum = (first: number) => (fields[first] ?? 0) + (fields[first + 1] ?? 0);
  return [sum(11), sum(13), parent];
}

/** The highest resident memory so far, in MiB. */
export function peakMib(pid: number): number {
  return statusMib(pid, 'VmHWM');
}

/** The resident memory now, in MiB. */
export function residentMib(pid: number): number {
  return statusMib(pid, 'VmRSS');
}

function statusMib(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kib = 'NaN'] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return Number(kib) / 1024;
}
