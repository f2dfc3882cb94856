/** CPU time and memory of another process, as Linux reports them. */
import { readFileSync } from 'node:fs';

const TICK_MS = 10; // USER_HZ is 100 on every Linux that Node runs on

/** User and system time so far, in ms. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // from the third field: the name may contain spaces
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The highest resident memory so far, in MiB. */
export function peakMib(pid: number): number {
  const [, kib = 'NaN'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}
