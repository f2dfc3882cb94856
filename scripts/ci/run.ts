/**
 * `npm run ci [-- --everything] [--plan]`: runs what a change must pass, as plan.ts says, or everything, before a release.
 * `--plan` says what would run, and runs nothing. A command that fails fails the run, and the commands after it still run. The
 * end of its output and the errors of the tests that failed are repeated at the end of all. The commands run one after the other:
 * side by side they take as long, and a test may then wait for minutes. The long forms run last, as far as there is time for them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { allTestFiles, OTHER_COMMANDS, rotatingOf, testFiles } from '../../test/files.ts';
import { partsOf, SHARES, type Share } from '../../test/long/parts.ts';
import { countEnded } from '../../test/support/cost.ts';
import { describeSelection } from '../affected/describe.ts';
import { commitOf, engineChangeSince, selectSince } from '../affected/select-since.ts';
import { lineOf, type PassedRun, readPassedRuns, readProven } from './passed-runs.ts';
import { type Plan, planRun, sharesInTime } from './plan.ts';

const ROOT = dirname(dirname(import.meta.dirname));
/** Most commands say last why they fail. */
const REPEATED_LINES = 100;
/** Node's runner names the failing tests and their errors after this line. Other lines follow. */
const FAILURES_BEGIN = /failing tests:$/;
const FAILURE_LINES = 60;

type Command = { name: string; args: string[] };
/** `failures`: what Node's runner said of the tests that failed. */
type Result = { name: string; ok: boolean; took: string; tail: string[]; failures: string[] };

/** A signal ends the commands that run. Otherwise they would go on after the run, for an hour. */
const running = new Set<ChildProcess>();
const interrupted: { by?: NodeJS.Signals } = {};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    interrupted.by = signal;
    for (const child of running) child.kill(signal);
  });

const { values } = parseArgs({ options: { everything: { type: 'boolean' }, plan: { type: 'boolean' } } });
const parts = partsOf(''); // their names and files, which no seed changes
const commit = commitOf('HEAD');
const plan = values.everything ? planOfEverything() : await planOfCommit();
printShares(plan);
const planned = [...plan.shares.keys()];
const cpuOfEnded = countEnded();
if (values.plan) {
  const commands = [...shortCommands(plan), ...longCommands(planned, [])];
  for (const { name } of commands) console.log(`== ${name}`);
} else {
  const { results, shares } = await runInTime();
  report(results, shares);
}

function planOfEverything(): Plan {
  const reason = { why: 'everything was asked for', until_minutes: Number.POSITIVE_INFINITY };
  const shares = new Map(SHARES.map((share) => [share, reason] as const));
  return { everything: 'Everything was asked for.', files: [], shares };
}

/** Plans by what has changed since the last run of all short forms, and says what that is. */
async function planOfCommit(): Promise<Plan> {
  const base = readProven();
  const selected = await selectSince(base);
  const planned = planRun(commit ?? 'not in git', selected, readPassedRuns(), engineChangeSince);
  const described = describeSelection(
    base,
    { ...selected, everything: planned.everything },
    allTestFiles(),
    false,
  );
  for (const line of described) console.log(line);
  return planned;
}

function printShares({ shares }: Plan): void {
  for (const share of SHARES) {
    const names = parts.flatMap((part) => (part.share === share ? [part.name] : []));
    const reason = shares.get(share);
    console.log(`Share ${share} (${names.join(', ')}) ${reason ? `runs: ${reason.why}` : 'does not run'}.`);
  }
}

/** Runs the short forms, and then the shares for which the run is young enough. Gives these too. */
async function runInTime(): Promise<{ results: Result[]; shares: Share[] }> {
  const short = await runAll(shortCommands(plan));
  const minutes = Math.round(performance.now() / 60_000);
  const { begun, left } = sharesInTime(plan, minutes);
  for (const share of left)
    console.log(`Share ${share} does not run: the short forms took ${minutes} minutes. The next run has it.`);
  return { results: [...short, ...(await runAll(longCommands(begun, left)))], shares: begun };
}

/** The short form of a file does not run where its long form is planned. */
function shortCommands(plan: Plan): Command[] {
  const inLongForm = filesOf(planned);
  const files = shortForms(plan).filter((file) => !inLongForm.has(file));
  return [
    { name: 'npm run check', args: ['scripts/check.ts'] },
    ...browserCommands(plan), // installs Chromium, which tests of the clients use too
    ...testCommands(files),
  ];
}

/** `left`: of these shares the short forms run, except those that `npm test` leaves out too. */
function longCommands(begun: Share[], left: Share[]): Command[] {
  const args = begun.flatMap((share) => ['--share', `${share}`]);
  const [long, instead] = [filesOf(begun), filesOf(left)];
  const files = shortForms(plan).filter((file) => instead.has(file) && !long.has(file) && !rotatingOf(file));
  return [
    ...testCommands(files),
    ...(args.length > 0
      ? [{ name: `npm run test:long -- ${args.join(' ')}`, args: ['test/long/run.ts', ...args] }]
      : []),
  ];
}

function testCommands(files: string[]): Command[] {
  if (files.length === 0) return [];
  return [{ name: `npm test (${files.length} files)`, args: ['test/run.ts', ...files] }];
}

function browserCommands({ everything, files }: Plan): Command[] {
  const isNeeded =
    everything !== null || files.some((file) => OTHER_COMMANDS['npm run test:browser'].test(file));
  return isNeeded ? [{ name: 'npm run test:browser', args: ['test/browser/run.ts'] }] : [];
}

function shortForms({ everything, files }: Plan): string[] {
  return testFiles({ rotating: true }).filter((file) => everything || files.includes(file));
}

/** The test files whose long form is in these shares. */
function filesOf(shares: Share[]): Set<string> {
  return new Set(parts.flatMap(({ share, files = [] }) => (shares.includes(share) ? files : [])));
}

/** Runs one command after the other. After a signal nothing more is begun. */
async function runAll(all: Command[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const command of all) if (!interrupted.by) results.push(await run(command));
  return results;
}

async function run({ name, args }: Command): Promise<Result> {
  console.log(`== ${name}`);
  const began = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: 'true' },
  });
  running.add(child);
  const tail: string[] = [];
  const failures: string[] = [];
  let following = 0;
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => {
      console.log(line);
      tail.push(line);
      if (tail.length > REPEATED_LINES) tail.shift();
      if (FAILURES_BEGIN.test(line)) following = FAILURE_LINES;
      if (following > 0) {
        failures.push(line);
        following--;
      }
    });
  const [code] = (await once(child, 'close')) as [number | null];
  running.delete(child);
  const took = `${Math.round((performance.now() - began) / 1000)} s${cpuOfEnded()}`;
  return { name, ok: code === 0, took, tail, failures };
}

/** `shares`: those that ran. */
function report(all: Result[], shares: Share[]): void {
  for (const { name, ok, tail } of all) if (!ok) console.log([`== the end of: ${name}`, ...tail].join('\n'));
  for (const { name, ok, took } of all) console.log(`== ${ok ? 'ok' : 'FAIL'} ${name} (${took})`);
  // Last of all: of a long output often only the end is kept.
  for (const { name, failures } of all)
    if (failures.length > 0) console.log([`== the tests that failed in: ${name}`, ...failures].join('\n'));
  const passed = !interrupted.by && all.every(({ ok }) => ok);
  if (passed && commit) {
    const short = plan.everything ? 'all' : 'selected';
    const ran: PassedRun = { commit, shares, short };
    console.log(`== Record this run with the next change: npm run ci:record -- ${lineOf(ran)}`);
  }
  process.exitCode = passed ? 0 : 1;
}
