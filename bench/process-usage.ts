/** What Linux knows of another process. */
import { readFileSync } from 'node:fs';

const TICK_MS = 10; // USER_HZ is 100 on every Linux that Node runs on

/** User and system time so far. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // from the third on: the name may hold anything
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The most memory that it ever had in use. */
export function peakMib(pid: number): number {
  const [, kib = 'NaN'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}
