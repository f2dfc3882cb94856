/** A copy of the checkout in which a module has a fault, and what its tests say. The checkout itself is never edited. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMutation, type Mutation } from './mutation.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** A fault can keep a loop or a wait from ending. */
const PATIENCE_MS = 30 * 60_000;

export type Fault = { module: string; mutation: Mutation };
export type Ran = { passed: boolean; failures: string[] };

export type Copy = {
  /** Runs these test files with a fault in `module`, or without any. */
  run(files: string[], fault: Fault | null): Promise<Ran>;
  /** Aborted by the signals that end a program: the running tests end, and `run` throws. */
  stopped: AbortSignal;
  remove(): void;
};

/** Copies HEAD, with what npm and the build of the dashboard brought here. */
export function copyCheckout(): Copy {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  const folder = mkdtempSync(join(tmpdir(), 'mutations-'));
  const copy = join(folder, 'checkout');
  git('worktree', 'add', '--quiet', '--detach', copy, 'HEAD');
  // Hard links where they can be; symbolic links within stay, so that workspaces lead into the copy.
  execFileSync('sh', [
    '-c',
    'cp -al "$1" "$2" 2>/dev/null || cp -a "$1" "$2"',
    'sh',
    join(ROOT, 'node_modules'),
    copy,
  ]);
  // Newer than the lock file of the copy. Otherwise the first command that starts would install what users need, without the tools
  // of the tests.
  utimesSync(join(copy, 'node_modules', '.package-lock.json'), new Date(), new Date());
  // Without the times: a dashboard that is older than its sources would be built again.
  cpSync(join(ROOT, 'dashboard', 'dist'), join(copy, 'dashboard', 'dist'), { recursive: true });
  return {
    run: (files, fault) => run(copy, files, fault, stop.signal),
    stopped: stop.signal,
    remove: () => {
      git('worktree', 'remove', '--force', copy);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function run(copy: string, files: string[], fault: Fault | null, stopped: AbortSignal): Promise<Ran> {
  const path = fault && join(copy, fault.module);
  const text = path && readFileSync(path, 'utf8');
  if (path && text) writeFileSync(path, applyMutation(text, fault.mutation));
  const child = spawn(process.execPath, ['test/run.ts', ...files], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: PATIENCE_MS,
  });
  const end = () => void child.kill();
  stopped.addEventListener('abort', end);
  try {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
    const [code] = (await once(child, 'close')) as [number | null];
    stopped.throwIfAborted();
    const failures = failuresIn(output);
    // A run that cannot begin says nothing about the fault.
    if (code !== 0 && failures.length === 0) throw new Error(`The tests could not run:\n${output}`);
    return { passed: code === 0, failures };
  } finally {
    stopped.removeEventListener('abort', end);
    if (path && text) writeFileSync(path, text);
  }
}

/** The names of the tests that failed, each once. */
function failuresIn(output: string): string[] {
  return [...new Set([...output.matchAll(/^\s*✖ (.+) \([\d.]+ms\)$/gm)].map(([, name = '']) => name))];
}

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}
