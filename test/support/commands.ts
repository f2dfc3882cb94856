/** `teller` commands beside a service, without a start for each. */
import { strict as assert } from 'node:assert';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { teller } from './service.ts';

const HOST = join(import.meta.dirname, 'command-host.ts');

export type Order = { args: string[]; env: Record<string, string | undefined> };

/** After the last byte of a command, on both streams. */
export const END = '\0the command has ended\0';

export type Ran = {
  code: number;
  /** Both streams. */
  output: string;
  stdout: string;
  stderr: string;
};

const started = new Set<string>();

/** The first time that this process runs the command, in a process of its own as a user starts it; then as `tellerBeside`. */
export function tellerStartedOnce(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const name = args
    .slice(0, 2)
    .filter((word) => /^[a-z][a-z-]*$/.test(word))
    .join(' ');
  if (started.has(name)) return tellerBeside(args, env);
  started.add(name);
  return teller(args, env);
}

let host: Promise<{ child: ChildProcess; gone: Promise<null> }> | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a `teller` command that reads no standard input, in the one process of these commands: they wait for one another. For one
 * that runs on, is signalled, or protects a key of its process: `teller`.
 */
export function tellerBeside(args: string[], env: Record<string, string> = {}): Promise<Ran> {
  const turn = last.then(() => run({ args, env: { ...process.env, ...env } }));
  last = turn.catch(() => undefined);
  return turn;
}

async function run(order: Order): Promise<Ran> {
  host ??= startHost();
  const { child, gone } = await host;
  hold(child, 'ref');
  const [stdout, stderr] = [untilEnd(child.stdout), untilEnd(child.stderr)];
  const answered = once(child, 'message') as Promise<[number]>;
  child.send(order);
  const went = await Promise.race([Promise.all([answered, stdout, stderr]), gone]);
  hold(child, 'unref');
  if (went === null) throw new Error(`the process of the commands has ended: teller ${order.args.join(' ')}`);
  const [[code], out, err] = went;
  return { code, output: out + err, stdout: out, stderr: err };
}

async function startHost() {
  const child = fork(HOST, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const gone = once(child, 'exit').then(() => null);
  await once(child, 'message');
  return { child, gone };
}

/** Between two commands it keeps no test process alive. */
function hold(child: ChildProcess, how: 'ref' | 'unref'): void {
  for (const each of [child, child.channel, child.stdout as Socket, child.stderr as Socket]) each?.[how]();
}

async function untilEnd(stream: Readable | null): Promise<string> {
  assert(stream);
  const chunks: Buffer[] = [];
  const ended = Promise.withResolvers<string>();
  const take = (chunk: Buffer) => {
    chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (text.endsWith(END)) ended.resolve(text.slice(0, -END.length));
  };
  stream.on('data', take);
  return ended.promise.finally(() => stream.off('data', take));
}
