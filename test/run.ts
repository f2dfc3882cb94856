/**
 * `npm test [-- FILE | PART-OF-A-FILE-NAME | --test-OPTION …]`: all test files on one database server, with Node's
 * own runner; `--quick` leaves the slow folders out, and LONG_TESTS=1 runs all variants (support/form.ts). At the end it says
 * which files were the slowest, and what the run cost. Processes and temporary files that the tests leave go away with the run.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, constants, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { allTestFiles, testFiles } from './files.ts';
import { writePlan } from './plan.ts';
import { bundlePackages } from './support/bundle.ts';
import { type Cpu, cpuSoFar, readLines, report } from './support/cost.ts';
import { isLong } from './support/form.ts';
import { endLeftovers } from './support/leftovers.ts';
import { serverEnvironment, startTestServer } from './support/postgres.ts';
import { withoutSettings } from './support/test-environment.ts';

const ROOT = dirname(import.meta.dirname);
/** From here on bundles and shared processes save more time than their making takes. */
const MANY_FILES = 5;

/** A signal ends Node's runner (which reports what it has); whatever was started here is stopped after it. */
const interrupted: { by?: NodeJS.Signals; pass?: (signal: NodeJS.Signals) => void } = {};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted.by = signal;
    interrupted.pass?.(signal);
  });
}

process.exitCode = await run(process.argv.slice(2));

async function run(args: string[]): Promise<number> {
  const quick = args.includes('--quick');
  const options = args.filter((arg) => arg.startsWith('-') && arg !== '--quick');
  const files = findFiles(
    args.filter((arg) => !arg.startsWith('-')),
    quick,
  );
  if (files.length === 0) {
    process.stderr.write(`No test file matches ${args.join(' ')}.\n`);
    return 1;
  }
  // Once: each service that starts would build it for itself, all of them into the same folder.
  spawnSync(process.execPath, ['bin/dashboard.js'], { cwd: ROOT, stdio: 'inherit' });
  const directory = makeTemporaryDirectory();
  const costs = { TEST_COSTS: join(directory, 'costs') };
  try {
    const many = files.length >= MANY_FILES;
    const loading = many ? await bundlePackages(join(directory, 'bundles'), { services: !quick }) : {};
    const plan = many ? writePlan(files, join(directory, 'plan')) : new Map<string, string[]>();
    const chosen = many ? [...plan.keys()] : files;
    const { code, database } = await onServer((environment) =>
      runNode([...options, ...chosen], { ...loading, ...environment, ...costs }),
    );
    const cpu = cpuSoFar();
    const total = cpu && database !== null ? { all: cpu.own + cpu.started, database } : null;
    process.stdout.write(`\n${report(readLines(costs.TEST_COSTS), plan, total)}\n`);
    return code;
  } catch (error) {
    if (interrupted.by) return exitCodeOf(interrupted.by); // Ctrl-C reaches initdb too, which then fails
    throw error;
  } finally {
    for (const command of await endLeftovers(directory))
      process.stderr.write(`Ended what a test had left: ${command}\n`);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Files as they are; anything else is part of a test file's path. Without any: all but those of other commands. */
function findFiles(wanted: string[], quick: boolean): string[] {
  if (wanted.length === 0) return testFiles({ long: isLong, quick });
  const allowed = quick ? testFiles({ long: true, quick }) : allTestFiles();
  const chosen = wanted.flatMap((part) =>
    existsSync(part) && part.endsWith('.ts')
      ? [relative(ROOT, part)]
      : allowed.filter((file) => file.includes(part)),
  );
  return [...new Set(chosen)];
}

/** Ours and our children's, who run as other users too. Its name is short, because socket paths must be. */
function makeTemporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'teller-'));
  chmodSync(directory, 0o1777);
  process.env.TMPDIR = directory;
  return directory;
}

/** `database`: the CPU of the server, in seconds. Only what has ended is counted, and the server ends last. */
async function onServer(
  work: (environment: Record<string, string>) => Promise<number>,
): Promise<{ code: number; database: number | null }> {
  const server = await startTestServer();
  let code: number;
  let before: Cpu | null;
  try {
    code = await work(serverEnvironment(server));
  } finally {
    before = cpuSoFar();
    await server.stop();
  }
  const after = cpuSoFar();
  return { code, database: before && after && after.started - before.started };
}

async function runNode(args: string[], environment: Record<string, string>): Promise<number> {
  if (interrupted.by) return exitCodeOf(interrupted.by);
  // One more than there are cores: half of the tests wait for ledgers, leases and processes.
  const counting = `--import=${pathToFileURL(join(ROOT, 'test/support/count-cost.ts')).href}`;
  const runner = [counting, '--test', `--test-concurrency=${availableParallelism() + 1}`];
  const child = spawn(process.execPath, [...process.execArgv, ...runner, ...args], {
    cwd: ROOT,
    env: { ...withoutSettings(process.env), ...environment },
    stdio: 'inherit',
  });
  interrupted.pass = (signal) => child.kill(signal);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? (signal ? exitCodeOf(signal) : 1);
}

function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
