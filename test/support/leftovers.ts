/**
 * What a run of tests has started and not stopped. A test process that is ended from outside runs none of its `after` hooks, so the
 * services that it started go on for ever and take a part of a processor each. Everything that a run starts has the run's temporary
 * directory in its environment. Known on Linux only.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** A service stops by itself within this time, and its database with it. */
const GRACE_MS = 10_000;
const PAUSE_MS = 50;

/** Ends the processes whose environment has this TMPDIR, by force after ten seconds. Returns their command lines. */
export async function endLeftovers(directory: string): Promise<string[]> {
  const left = leftovers(directory);
  for (const { pid } of left) sendSignal(pid, 'SIGTERM');
  const deadline = performance.now() + GRACE_MS;
  while (leftovers(directory).length > 0 && performance.now() < deadline) await setTimeout(PAUSE_MS);
  for (const { pid } of leftovers(directory)) sendSignal(pid, 'SIGKILL');
  return left.map(({ command }) => command);
}

function leftovers(directory: string): { pid: number; command: string }[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => read(pid, 'environ').split('\0').includes(`TMPDIR=${directory}`))
    .map((pid) => ({ pid, command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() }));
}

/** Gives an empty text for a process that has ended, or belongs to another user. */
function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

/** Sends a signal to a process, or to a group of processes: its number below zero. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has ended
  }
}
