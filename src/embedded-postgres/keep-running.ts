/** Starts the server of a running service again when it ends by itself, a few times. */
import type { Clock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';

const WATCH_MS = 1_000;
/** The pauses before the restarts of a series. A server that ends after the last one is given up. */
const PAUSES_MS = [0, 1_000, 5_000, 10_000];
/** A server that has run for this long begins a new series. */
const STEADY_MS = 10 * 60_000;

type Server = {
  isRunning(): Promise<boolean>;
  /** Resolves when the server accepts connections again. */
  restart(): Promise<void>;
  log_path: string;
  log: Log;
  clock: Clock;
};

export type Kept = {
  /** Resolves with the reason when the server is given up. */
  lost: Promise<OperatorError>;
  /** Resolves when no restart is under way; none begins after it. */
  stop(): Promise<void>;
};

/** Watches a server that runs, and starts it again when it ends, until it is given up or `stop` is called. */
export function keepRunning({ isRunning, restart, log_path, log, clock }: Server): Kept {
  const { promise: lost, resolve: giveUp } = Promise.withResolvers<OperatorError>();
  const stopping = new AbortController();
  const { signal } = stopping;

  async function untilEnded(): Promise<void> {
    do await clock.sleep(WATCH_MS, signal);
    while (!signal.aborted && (await isRunning().catch(() => true))); // without a file descriptor nobody can tell
  }

  async function run(): Promise<void> {
    let restarts = 0;
    let failure: Error | null = null;
    for (;;) {
      const began = clock.now().getTime();
      await untilEnded();
      if (signal.aborted) return;
      if (clock.now().getTime() - began >= STEADY_MS) restarts = 0;
      const pause_ms = PAUSES_MS[restarts++];
      if (pause_ms === undefined) return giveUp(givenUp(failure, log_path));
      log.error({ pause_ms, log_path }, 'PostgreSQL has ended unexpectedly; it is started again');
      await clock.sleep(pause_ms, signal);
      if (signal.aborted) return;
      failure = await restart().then(
        () => null,
        (error) => error,
      );
      if (failure) log.error({ err: failure }, 'PostgreSQL did not start again');
      else log.info('PostgreSQL started again');
    }
  }

  const finished = run();
  return {
    lost,
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}

function givenUp(failure: Error | null, log_path: string): OperatorError {
  const reason = failure
    ? `does not start again (${failure.message.replace(/\.$/, '')})`
    : 'ends again after every restart';
  return new OperatorError(`The embedded PostgreSQL has ended and ${reason}. Its log is ${log_path}.`);
}
