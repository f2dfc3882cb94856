/**
 * `npm run test:long [-- --seed X] [-- --share N …] [-- PART …]`: what takes long, all of it or these shares or parts, one
 * part after the other. Every part has a time budget and runs whatever happened to the parts before it. The exit code is 1
 * when any part failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { countEnded } from '../support/cost.ts';
import { sendSignal } from '../support/leftovers.ts';
import { seedOfRun } from '../support/random.ts';
import { withoutSettings } from '../support/test-environment.ts';
import { type Part, partsOf } from './parts.ts';

const ROOT = dirname(dirname(import.meta.dirname));
/** A part whose budget is over gets this long to stop what it has started. */
const GRACE_MS = 20_000;

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: seedOfRun() },
    share: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});

const all = partsOf(values.seed);
const unknown = [
  ...positionals.filter((name) => all.every((part) => part.name !== name)),
  ...values.share.filter((share) => all.every((part) => `${part.share}` !== share)),
];
if (unknown.length > 0) {
  const known = all.map(({ name, share }) => `${name} (share ${share})`).join(', ');
  console.error(`No such part or share: ${unknown.join(', ')}. Parts: ${known}`);
  process.exit(1);
}
const isWanted = ({ name, share }: Part) =>
  (positionals.length === 0 && values.share.length === 0) ||
  positionals.includes(name) ||
  values.share.includes(`${share}`);

const cpuOfEnded = countEnded();
/** A signal ends the part that runs, and nothing more is begun. */
const interrupted: { by?: NodeJS.Signals } = {};
const results: { part: Part; outcome: string; took_s: number; cpu: string }[] = [];
const print = (text: string) => console.log(`test:long ${text}`);

for (const part of inOneRun(all.filter(isWanted))) {
  if (interrupted.by) break;
  print(
    `begins ${part.name}: ${part.what}; again with: npm run test:long -- --seed ${values.seed} ${part.name}`,
  );
  const began = performance.now();
  const outcome = await run(part);
  const took_s = Math.round((performance.now() - began) / 1000);
  results.push({ part, outcome, took_s, cpu: cpuOfEnded() });
}

print(`results with seed ${values.seed}:`);
for (const { part, outcome, took_s, cpu } of results)
  print(
    `  ${outcome.padEnd(7)} ${part.name}: ${part.what} (${took_s} s of at most ${part.budget_s} s${cpu})`,
  );
process.exitCode = !interrupted.by && results.every(({ outcome }) => outcome === 'passed') ? 0 : 1;

/** Test files keep both cores busy only while several of them run, so all parts of test files are one part. */
function inOneRun(parts: Part[]): Part[] {
  const [first, ...more] = parts.filter(({ files }) => files);
  if (!first) return parts;
  const name = [first, ...more].map((part) => part.name).join(' ');
  const args = [...first.args, ...more.flatMap((part) => part.files ?? [])];
  const budget_s = [first, ...more].reduce((sum, part) => sum + part.budget_s, 0);
  const what = more.length === 0 ? first.what : 'the long forms of these test files';
  return [{ ...first, name, what, args, budget_s }, ...parts.filter(({ files }) => !files)];
}

async function run({ args, env, budget_s }: Part): Promise<string> {
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
    cwd: ROOT,
    env: { ...withoutSettings(process.env), ...env },
    stdio: 'inherit',
    detached: true, // a group of its own, so that all that it starts can be ended with it
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const endGroup = (signal: NodeJS.Signals) => child.pid !== undefined && sendSignal(-child.pid, signal);
  const end = (signal: NodeJS.Signals) => {
    interrupted.by = signal;
    endGroup('SIGTERM');
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    endGroup('SIGTERM');
    setTimeout(() => endGroup('SIGKILL'), GRACE_MS).unref();
  }, budget_s * 1000);
  const [code] = await exited;
  clearTimeout(timer);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, end);
  if (late) return 'late';
  return code === 0 ? 'passed' : 'FAILED';
}
