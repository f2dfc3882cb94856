/** A `teller` process with fixed arguments, started over and over; everything that it says goes to one file. */
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { launchTeller, ROOT } from '../support/launch.ts';
import type { ChaosTarget, Journal } from './chaos-target.ts';
import type { Kind } from './schedule.ts';

export type Program = {
  kind: Kind;
  name: string;
  args: string[];
  /** Where the version of the next start lies. This one, unless given. */
  root?(): string;
  /** Returns the environment of the next start. */
  env(): Record<string, string>;
  log_file: string;
  /** Whether it answers. A rejection is a no. */
  answers(): Promise<boolean>;
};

const POLL_MS = 25;
/** A supervisor pauses too: the database or the network may be down just now. */
const RESTART_PAUSE_MS = 250;
/** With everything that it waits for down and up again in between. */
const START_WITHIN_MS = 240_000;
/** Ten seconds of grace (src/cli/serve.ts), and statements of up to thirty under way. */
const STOP_WITHIN_MS = 45_000;

type Run = { child: ChildProcess; exited: Promise<unknown>; ready: boolean; toBeEnded: boolean };

export function createProgram(program: Program, journal: Journal): ChaosTarget {
  const { kind, name } = program;
  const tally = journal.tallies[kind];
  let run: Run | null = null;
  let over = false;

  function begin(): Run {
    const output = openSync(program.log_file, 'a');
    const { child, exited } = launchTeller(program.args, program.env(), {
      root: program.root?.() ?? ROOT,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    const begun: Run = { child, exited, ready: false, toBeEnded: false };
    child.once('exit', (code, signal) => {
      if (run === begun) run = null;
      if (begun.toBeEnded) return;
      if (begun.ready) journal.problem.push(`${name} ended by itself (${signal ?? `code ${code}`})`);
      else tally.failed_starts++;
    });
    run = begun;
    return begun;
  }

  /** False: it ended before. */
  async function becomesReady(begun: Run): Promise<boolean> {
    const began = performance.now();
    while (run === begun) {
      const answers = await program.answers().catch(() => false);
      if (begun.ready) return true;
      if (answers && run === begun) {
        begun.ready = true;
        tally.ready_ms.push(Math.round(performance.now() - began));
        return true;
      }
      await setTimeout(POLL_MS);
    }
    return false;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!run) return;
    const { child, exited } = run;
    run.toBeEnded = true;
    child.kill(signal);
    await exited;
  }

  return {
    kind,
    async start() {
      const deadline = performance.now() + START_WITHIN_MS;
      while (!run?.ready && !over) {
        if (await becomesReady(run ?? begin())) return;
        if (performance.now() > deadline) throw new Error(`${name} does not start; see ${program.log_file}`);
        await setTimeout(RESTART_PAUSE_MS);
      }
    },
    kill: () => end('SIGKILL'),
    async stop() {
      if (!run) return;
      const { child, ready } = run;
      const began = performance.now();
      const late = new AbortController();
      void setTimeout(STOP_WITHIN_MS, undefined, { signal: late.signal }).then(
        () => {
          journal.problem.push(`${name} did not stop within ${STOP_WITHIN_MS} ms`);
          child.kill('SIGKILL');
        },
        () => undefined,
      );
      await end('SIGTERM');
      late.abort();
      tally.longest_stop_ms = Math.max(tally.longest_stop_ms, Math.round(performance.now() - began));
      // A start that is stopped may have failed by then, because what it needs was down.
      if (ready && child.exitCode !== 0 && child.signalCode === null)
        journal.problem.push(`${name} was stopped and ended with code ${child.exitCode}`);
    },
    async endsByItself() {
      if (!run) return null;
      const { child, exited } = run;
      run.toBeEnded = true;
      await exited;
      return child.exitCode;
    },
    begin: () => void (run ?? begin()),
    freeze: () => void run?.child.kill('SIGSTOP'),
    thaw: () => void run?.child.kill('SIGCONT'),
    end() {
      over = true;
      if (run) run.toBeEnded = true;
      run?.child.kill('SIGKILL');
    },
  };
}
