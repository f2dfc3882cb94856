import { setTimeout } from 'node:timers/promises';
import type { Random } from '../support/random.ts';
import { type Act, type Blow, blackoutsOf, blowsFor, type Kind } from './schedule.ts';

/** Something that runs, and that everything is done to. Each of these resolves when it is done. */
export type ChaosTarget = {
  kind: Kind;
  /** Starts the process and waits until it answers; starts it again when it ends before. Does nothing while it runs. */
  start(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** Stops the process as an operator does, and waits until it has ended. */
  stop(): Promise<void>;
  /** Waits until the process, which is about to end, has ended by itself. Resolves with its exit code. */
  endsByItself(): Promise<number | null>;
  /** Begins a start and leaves it at that. */
  begin(): void;
  /** Stops the process without a word to it or to others. */
  freeze(): void;
  thaw(): void;
  /** Kills the process for good: nothing starts it again. May be called at any time, also while the own process exits. */
  end(): void;
};

/** What happened to the targets of a kind. */
export type Tally = {
  blows: Record<Act, number>;
  /** From spawn to the first answer. */
  ready_ms: number[];
  /** Ended by themselves before they were ready: what they need was down. */
  failed_starts: number;
  longest_stop_ms: number;
};

/** Ends of whole runs, in words: nothing but us may end a process that runs. */
export type Journal = { tallies: Record<Kind, Tally>; blackouts: number; problem: string[] };

export function newJournal(): Journal {
  const tally = (): Tally => ({
    blows: { kill: 0, stop: 0, freeze: 0, killed_at_start: 0 },
    ready_ms: [],
    failed_starts: 0,
    longest_stop_ms: 0,
  });
  const tallies = { service: tally(), deliverer: tally(), sandbox: tally(), database: tally() };
  return { tallies, blackouts: 0, problem: [] };
}

/** What happened to those kinds that there were. */
export function reportOf({ tallies, blackouts }: Journal): string[] {
  const there = Object.entries(tallies).filter(([, { ready_ms }]) => ready_ms.length > 0);
  return [
    ...there.map(([kind, tally]) => `${kind}: ${tallyText(tally)}`),
    `everything killed at once: ${blackouts}`,
  ];
}

function tallyText({ blows, ready_ms, failed_starts, longest_stop_ms }: Tally): string {
  const { kill, stop, freeze, killed_at_start } = blows;
  const starts = ready_ms.toSorted((a, b) => a - b);
  return [
    `killed ${kill}, killed while starting ${killed_at_start}, stopped ${stop} (longest ${longest_stop_ms} ms), frozen ${freeze}`,
    `${starts.length} starts (ready after ms: median ${starts[starts.length >> 1]}, longest ${starts.at(-1)})`,
    `${failed_starts} starts in vain`,
  ].join('; ');
}

/** Blows fall on each of them and on all at once, for so long; then all of them run. */
export async function strikeAll(
  cluster: { targets: ChaosTarget[]; start(): Promise<void> },
  journal: Journal,
  random: Random,
  length_ms: number,
): Promise<void> {
  const { targets } = cluster;
  const failing = new AbortController();
  const until = performance.now() + length_ms;
  const striking = { until, journal, signal: failing.signal };
  const strikes = [
    ...targets.map((target, i) =>
      strike(target, blowsFor(target.kind, random.fork(`target ${i}`), length_ms), striking),
    ),
    blackOut(targets, blackoutsOf(random.fork('blackouts'), length_ms), striking),
  ];
  try {
    await Promise.all(strikes);
    await cluster.start(); // whoever two of them hit at once
    await setTimeout(Math.max(until - performance.now(), 0));
  } finally {
    failing.abort();
    await Promise.allSettled(strikes); // who is just starting cannot be ended
  }
}

type Striking = { until: number; journal: Journal; signal: AbortSignal };

/** One blow after the other, each some time after the last is overcome, and none when the time is over. Then it runs. */
async function strike(
  target: ChaosTarget,
  blows: Blow[],
  { until, journal, signal }: Striking,
): Promise<void> {
  const { blows: count } = journal.tallies[target.kind];
  const pause = (ms: number) => setTimeout(ms, undefined, { signal });
  for (const { after_ms, act, for_ms } of blows) {
    if (performance.now() + after_ms > until) break;
    await pause(after_ms);
    if (act === 'freeze') {
      target.freeze();
      await pause(for_ms);
      target.thaw();
    } else {
      await (act === 'stop' ? target.stop() : target.kill());
      if (act === 'killed_at_start') target.begin();
      await pause(for_ms);
      if (act === 'killed_at_start') await target.kill();
      await target.start();
    }
    count[act]++;
  }
}

/** Everything is killed at once at each of these instants (ms from now), as by a power cut, and started again. */
async function blackOut(
  targets: ChaosTarget[],
  instants: number[],
  { until, journal, signal }: Striking,
): Promise<void> {
  const began = performance.now();
  for (const instant of instants) {
    await setTimeout(Math.max(began + instant - performance.now(), 0), undefined, { signal });
    if (performance.now() > until) return;
    await Promise.all(targets.map((target) => target.kill()));
    await Promise.all(targets.map((target) => target.start()));
    journal.blackouts++;
  }
}
