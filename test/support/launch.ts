/** The one place where tests start programs of this checkout in processes of their own, as a user does. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

export type Launched = {
  child: ChildProcess;
  /** Everything that it has printed so far, both streams; '' where `stdio` leads elsewhere. */
  output(): string;
  /** Resolves with the exit code when the process has ended; null: a signal has ended it. What it started may still print. */
  exited: Promise<number | null>;
  /** The same, when all its output is here. */
  ended: Promise<number | null>;
  /** Sends the signal, and resolves as `exited`. */
  end(signal: NodeJS.Signals): Promise<number | null>;
};

type Options = { root?: string; stdio?: StdioOptions };

process.setMaxListeners(0); // each process that is launched listens for our end

/** Starts `teller` with these arguments. `env`: beside the environment of the tests. `root`: of another checkout or package. */
export function launchTeller(
  args: string[],
  env: Record<string, string> = {},
  options: Options = {},
): Launched {
  return launch(['bin/teller.js', ...args], env, options);
}

/** Starts Node with the file and its arguments. `env`: as above. */
export function launch(
  args: string[],
  env: Record<string, string> = {},
  { root = ROOT, stdio = ['ignore', 'pipe', 'pipe'] }: Options = {},
): Launched {
  const child = spawn(process.execPath, args, { cwd: root, stdio, env: { ...process.env, ...env } });
  const endWithUs = () => child.kill();
  process.once('exit', endWithUs); // whatever becomes of the tests
  child.once('exit', () => process.off('exit', endWithUs));
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk));
  const codeAt = async (event: 'exit' | 'close') => ((await once(child, event)) as [number | null])[0];
  const [exited, ended] = [codeAt('exit'), codeAt('close')];
  return {
    child,
    output: () => Buffer.concat(chunks).toString(),
    exited,
    ended,
    end(signal) {
      child.kill(signal);
      return exited;
    },
  };
}

/**
 * Resolves with what the pattern's group has found in the output of the process.
 * @throws Error with the output, when the process ends before, or takes more than `patience_ms`
 */
export async function printed(
  { child, output }: Launched,
  pattern: RegExp,
  patience_ms = 180_000,
): Promise<string> {
  const deadline = AbortSignal.timeout(patience_ms);
  const exited = once(child, 'exit');
  for (;;) {
    const found = pattern.exec(output())?.[1];
    if (found) return found;
    const more = once(child.stdout as NodeJS.EventEmitter, 'data', { signal: deadline });
    const went = await Promise.race([more.then(() => 'on'), exited.then(() => 'out')]).catch(() => 'late');
    if (went !== 'on') throw new Error(`the process did not print ${pattern} (${went}):\n${output()}`);
  }
}
