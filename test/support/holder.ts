import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';

export type Held = {
  host: string;
  port: number;
  user: string;
  password: string;
  adopted: boolean;
  cluster_dir: string;
};

/** Another process that holds `data_dir` (see hold-data-dir.ts), `options.uid` deciding who it runs as. */
export function startHolder(data_dir: string, options: { uid?: number; gid?: number; only?: 'lock' } = {}) {
  const { only, ...user } = options;
  const script = join(import.meta.dirname, 'hold-data-dir.ts');
  const args = [...process.execArgv, script, data_dir, ...(only ? [only] : [])];
  const child = spawn(process.execPath, args, { ...user, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    /** What it holds, once it holds it; fails with what it complains of if it ends before. */
    held: firstLine(child).then((line) => JSON.parse(line) as Held),
    kill: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    },
  };
}

async function firstLine({ stdout, stderr }: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  const complaint = text(stderr);
  for await (const line of createInterface(stdout)) return line;
  throw new Error(await complaint);
}

export function postmasterPid(cluster_dir: string): number {
  return Number(readFileSync(join(cluster_dir, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Awaits a condition that nothing announces. The test's own time limit ends it. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate();
}

/** Whether the process still does something: a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}
