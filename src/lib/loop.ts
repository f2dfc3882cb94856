import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { createRepeats } from './repeats.ts';

export type Loop = { wake(): void; stop(): Promise<void> };

/** One unit of work. True: call it again at once. False: nothing to do until `idle_ms` have passed or it is woken. */
export type Step = (signal: AbortSignal) => Promise<boolean>;

const FAILURE_PAUSE_MS = 1_000;

/**
 * Runs `step` until stopped: again at once while it finds work, otherwise after `idle_ms` or a `wake()`.
 * A step that throws is repeated after a second: its row or cursor has not changed. A failure that lasts is one line a minute.
 */
export function startLoop(options: {
  name: string;
  step: Step;
  idle_ms: number | (() => number);
  clock: Clock;
  log: Log;
  metrics: Metrics;
}): Loop {
  const stopping = new AbortController();
  let pause = new AbortController();
  let woken = false;
  const repeats = createRepeats(options.clock);

  options.metrics.loop_failures.inc({ loop: options.name }, 0); // before the first failure, so that alerts see it

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      woken = false;
      pause = new AbortController();
      const wait_ms = await runStep();
      if (wait_ms === 0 || woken) continue;
      await options.clock.sleep(wait_ms, AbortSignal.any([pause.signal, stopping.signal]));
    }
  }

  async function runStep(): Promise<number> {
    const { name: loop, clock, log, metrics } = options;
    try {
      const more = await options.step(stopping.signal);
      metrics.loop_success_timestamp_seconds.set({ loop }, clock.now().getTime() / 1000);
      return more ? 0 : idleMs();
    } catch (error) {
      if (!stopping.signal.aborted) {
        metrics.loop_failures.inc({ loop });
        const { message, is_told } = error as Error & { is_told?: boolean };
        const times = is_told ? 0 : repeats(message);
        if (times > 0) log.error({ err: error, loop, times }, 'step failed');
      }
      return FAILURE_PAUSE_MS;
    }
  }

  function idleMs(): number {
    return typeof options.idle_ms === 'number' ? options.idle_ms : options.idle_ms();
  }

  const finished = run();
  return {
    wake() {
      woken = true;
      pause.abort('woken'); // without a reason, abort() builds an error with its stack
    },
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}
