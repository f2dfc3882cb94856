/**
 * `npm run sim -- [--seeds N] [--minutes M] [--seed X] [--jobs J] [--trace] [--exhaustive [--story webhooks]]`: simulations on a database
 * server of their own, until so many seeds have been run or so much time has passed; a seed that fails says how to
 * run it again.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { serverEnvironment, startTestServer } from '../support/postgres.ts';
import { tellAll } from './exhaustive.ts';
import { type Figures, figuresOf, noFigures, show, sumOf } from './figures.ts';
import { simulate } from './simulation.ts';
import { storyOfDeposits } from './story-of-deposits.ts';
import { storyOfWebhooks } from './story-of-webhooks.ts';
import { storyOfWithdrawals } from './story-of-withdrawals.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    exhaustive: { type: 'boolean', default: false },
    /** Only that one of them. */
    story: { type: 'string' },
    /** For the processes that this one starts: every `of`-th seed from `part` on. */
    part: { type: 'string' },
    of: { type: 'string', default: '1' },
  },
});

const print = (text: string) => void process.stdout.write(`${text}\n`);
const first = values.seed ?? `${Date.now() % 1_000_000_007}`;

if (values.part !== undefined) await work(Number(values.part), Number(values.of));
else process.exitCode = await lead();

async function lead(): Promise<number> {
  const server = await startTestServer();
  Object.assign(process.env, serverEnvironment(server));
  try {
    if (values.exhaustive) return await exhaustive();
    if (values.trace) {
      const figures = figuresOf(await simulate(first, { print }));
      for (const violation of figures.violations) print(violation);
      return report(figures, 0);
    }
    const began = performance.now();
    const jobs = Number(values.jobs);
    const parts = await Promise.all(Array.from({ length: jobs }, (_, part) => startPart(part, jobs)));
    return report(parts.reduce(sumOf, noFigures()), performance.now() - began);
  } finally {
    await server.stop();
  }
}

async function exhaustive(): Promise<number> {
  let found = 0;
  const stories = [storyOfDeposits, storyOfWithdrawals, storyOfWebhooks];
  for (const story of stories.filter(({ name }) => values.story === undefined || name === values.story)) {
    const { gates, variants, violations } = await tellAll(story, (done, of) => {
      if (done % 100 === 0) print(`${done} of ${of}`);
    });
    print(`${story.name}: ${gates} gates, ${variants} variants, ${violations.length} violations`);
    for (const violation of violations) print(violation);
    found += violations.length;
  }
  return found === 0 ? 0 : 1;
}

function report(figures: Figures, took_ms: number): number {
  print(show(figures));
  if (took_ms > 0) print(`took ${Math.round(took_ms / 1000)} s`);
  return figures.violations.length === 0 ? 0 : 1;
}

async function startPart(part: number, of: number): Promise<Figures> {
  const args = ['--part', `${part}`, '--of', `${of}`, '--seed', first];
  args.push('--seeds', values.seeds, '--minutes', values.minutes);
  const child = fork(import.meta.filename, args);
  let figures = noFigures();
  child.on('message', (message) => {
    figures = sumOf(figures, JSON.parse(String(message)));
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) figures.violations.push(`a process of the simulation ended with ${code}`);
  return figures;
}

/** Seeds are named `first`, `first+1`, …: each can be given as --seed. */
async function work(part: number, of: number): Promise<void> {
  const orphaned = () => process.exit(1);
  process.once('disconnect', orphaned);
  const until = performance.now() + Number(values.minutes) * 60_000;
  for (let index = part; index < Number(values.seeds) && performance.now() < until; index += of) {
    const seed = index === 0 ? first : `${first}+${index}`;
    const figures = figuresOf(await simulate(seed));
    for (const violation of figures.violations) print(violation);
    if (figures.violations.length > 0) print(`replay: npm run sim -- --seed ${seed} --trace`);
    process.send?.(JSON.stringify(figures));
  }
  process.off('disconnect', orphaned);
  process.disconnect?.();
}
