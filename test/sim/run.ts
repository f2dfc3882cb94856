/**
 * `npm run sim -- [--seeds N] [--minutes M] [--seed X] [--jobs J] [--trace]`: simulations on a database server of their
 * own, until so many seeds have been run or so much time has passed. A seed that fails says how to run it again.
 *
 * `npm run sim -- --exhaustive [--scenario webhooks] [--minutes M] [--seed X] [--jobs J]`: every await of the scenarios
 * fails and is killed once. The seed gives the order, so that a run that ends early has tried a random share.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { serverEnvironment, startTestServer } from '../support/postgres.ts';
import { type Random, seededRandom, seedOfRun } from '../support/random.ts';
import { type Scenario, type Variant, variantsOfScenario, violationsOfVariant } from './exhaustive.ts';
import { type Figures, figuresOf, noFigures, show, sumOf } from './figures.ts';
import { scenarioOfApprovals } from './scenario-of-approvals.ts';
import { scenarioOfAssets } from './scenario-of-assets.ts';
import { scenarioOfDeposits } from './scenario-of-deposits.ts';
import { scenarioOfPayouts } from './scenario-of-payouts.ts';
import { scenarioOfWebhooks } from './scenario-of-webhooks.ts';
import { scenarioOfWithdrawals } from './scenario-of-withdrawals.ts';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: seedOfRun() },
    jobs: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    exhaustive: { type: 'boolean', default: false },
    /** Only that one of them. */
    scenario: { type: 'string' },
    /** For the processes that this one starts: every `of`-th seed or variant from `part` on. */
    part: { type: 'string' },
    of: { type: 'string', default: '1' },
  },
});

const SCENARIOS = [
  scenarioOfDeposits,
  scenarioOfWithdrawals,
  scenarioOfApprovals,
  scenarioOfPayouts,
  scenarioOfAssets,
  scenarioOfWebhooks,
].filter(({ name }) => values.scenario === undefined || name === values.scenario);
const PROGRESS_EVERY = 100;

const print = (text: string) => void process.stdout.write(`${text}\n`);
const first = values.seed;

if (values.part !== undefined) await work(Number(values.part), Number(values.of));
else process.exitCode = await lead();

async function lead(): Promise<number> {
  const server = await startTestServer();
  Object.assign(process.env, serverEnvironment(server));
  const began = performance.now();
  try {
    if (values.exhaustive) return await runScenarios();
    if (values.trace) return report(figuresOf(await simulate(first, { print })), 0);
    print(`from seed ${first} on`);
    let figures = noFigures();
    const broken = await startParts((more: Figures) => {
      figures = sumOf(figures, more);
    });
    figures.violations.push(...broken);
    return report(figures, performance.now() - began);
  } finally {
    await server.stop();
  }
}

function report(figures: Figures, took_ms: number): number {
  for (const violation of figures.violations) print(violation);
  print(show(figures));
  if (took_ms > 0) print(`took ${Math.round(took_ms / 1000)} s`);
  return figures.violations.length === 0 ? 0 : 1;
}

/** Of one process: how many variants of all it has, in the order of the seed, and what was wrong. */
type Told = { all: number; done: number; violations: string[] };

async function runScenarios(): Promise<number> {
  print(`all variants of ${SCENARIOS.map(({ name }) => name).join(', ')} in the order of seed ${first}`);
  const sum: Told = { all: 0, done: 0, violations: [] };
  const broken = await startParts(({ all, done, violations }: Told) => {
    sum.all += all;
    sum.done += done;
    sum.violations.push(...violations);
    for (const violation of violations) print(violation);
    if (done > 0 && sum.done % PROGRESS_EVERY === 0) print(`${sum.done} variants`);
  });
  sum.violations.push(...broken);
  print(`${sum.done} of ${sum.all} variants, ${sum.violations.length} violations`);
  return sum.violations.length === 0 ? 0 : 1;
}

/** One process for each job; gives what is wrong with the processes themselves. */
async function startParts<T>(heard: (message: T) => void): Promise<string[]> {
  const jobs = Number(values.jobs);
  const ends = Array.from({ length: jobs }, async (_, part) => {
    const child = fork(import.meta.filename, [
      ...process.argv.slice(2),
      '--seed',
      first,
      '--part',
      `${part}`,
      '--of',
      `${jobs}`,
    ]);
    child.on('message', (message) => heard(JSON.parse(String(message))));
    const [code] = await once(child, 'exit');
    return code === 0 ? [] : [`a process of the simulation ended with ${code}`];
  });
  return (await Promise.all(ends)).flat();
}

async function work(part: number, of: number): Promise<void> {
  const orphaned = () => process.exit(1);
  process.once('disconnect', orphaned);
  const until = performance.now() + Number(values.minutes) * 60_000;
  await (values.exhaustive ? runVariants(part, of, until) : simulateSeeds(part, of, until));
  process.off('disconnect', orphaned);
  process.disconnect?.();
}

function send(message: Figures | Told): void {
  process.send?.(JSON.stringify(message));
}

/** Seeds are named `first`, `first+1`, …: each can be given as --seed. */
async function simulateSeeds(part: number, of: number, until: number): Promise<void> {
  let seed = first;
  const replay = () => `npm run sim -- --seed ${seed} --trace`;
  process.once('SIGTERM', () => {
    print(`ended in the midst of a seed; replay: ${replay()}`);
    process.exit(1);
  });
  for (let index = part; index < Number(values.seeds) && performance.now() < until; index += of) {
    seed = index === 0 ? first : `${first}+${index}`;
    const figures = figuresOf(await simulate(seed));
    if (figures.violations.length > 0) print(`replay: ${replay()}`);
    send(figures);
  }
}

async function runVariants(part: number, of: number, until: number): Promise<void> {
  const all: [Scenario, Variant][] = [];
  for (const scenario of SCENARIOS) {
    const { variants, violations } = await variantsOfScenario(scenario);
    send({ all: 0, done: 0, violations: part === 0 ? violations : [] });
    for (const variant of variants) all.push([scenario, variant]);
  }
  const own = shuffled(all, seededRandom(first)).filter((_, index) => index % of === part);
  send({ all: own.length, done: 0, violations: [] });
  for (const [scenario, variant] of own) {
    if (performance.now() > until) return;
    send({ all: 0, done: 1, violations: await violationsOfVariant(scenario, variant) });
  }
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
