import { setTimeout } from 'node:timers/promises';
import type { Act, Blow, Kind } from './schedule.ts';

/** Something that runs, and that everything is done to. Each of these resolves when it is done. */
export type Victim = {
  kind: Kind;
  /** Until it answers; tries again when it ends before. Nothing when it runs. */
  start(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** As an operator ends it, with the grace that it takes. */
  stop(): Promise<void>;
  /** Begins a start and leaves it at that. */
  begin(): void;
  /** It stands still, and neither it nor anybody else is told. */
  freeze(): void;
  thaw(): void;
  /** Of no use to anybody any more; may be called at any time, and when the process exits. */
  end(): void;
};

/** What happened to the victims of a kind. */
export type Tally = {
  blows: Record<Act, number>;
  /** From spawn to the first answer. */
  ready_ms: number[];
  /** Ended by themselves before they were ready: what they need was down. */
  failed_starts: number;
  longest_stop_ms: number;
};

/** Ends of whole runs, in words: nothing but us may end a process that runs. */
export type Journal = { tallies: Record<Kind, Tally>; blackouts: number; trouble: string[] };

export function newJournal(): Journal {
  const tally = (): Tally => ({
    blows: { kill: 0, stop: 0, freeze: 0, stillborn: 0 },
    ready_ms: [],
    failed_starts: 0,
    longest_stop_ms: 0,
  });
  return { tallies: { service: tally(), sandbox: tally(), database: tally() }, blackouts: 0, trouble: [] };
}

export type Striking = { until: number; journal: Journal; signal: AbortSignal };

/** One blow after the other, each some time after the last is overcome, and none when the time is over. Then it runs. */
export async function strike(
  victim: Victim,
  blows: Blow[],
  { until, journal, signal }: Striking,
): Promise<void> {
  const { blows: count } = journal.tallies[victim.kind];
  const pause = (ms: number) => setTimeout(ms, undefined, { signal });
  for (const { after_ms, act, for_ms } of blows) {
    await pause(after_ms);
    if (performance.now() > until) break;
    if (act === 'freeze') {
      victim.freeze();
      await pause(for_ms);
      victim.thaw();
    } else {
      await (act === 'stop' ? victim.stop() : victim.kill());
      if (act === 'stillborn') victim.begin();
      await pause(for_ms);
      if (act === 'stillborn') await victim.kill();
      await victim.start();
    }
    count[act]++;
  }
}

/** Everything is killed at once at each of these instants (ms from now), as by a power cut, and started again. */
export async function blackOut(
  victims: Victim[],
  instants: number[],
  { until, journal, signal }: Striking,
): Promise<void> {
  const began = performance.now();
  for (const instant of instants) {
    await setTimeout(Math.max(began + instant - performance.now(), 0), undefined, { signal });
    if (performance.now() > until) return;
    await Promise.all(victims.map((victim) => victim.kill()));
    await Promise.all(victims.map((victim) => victim.start()));
    journal.blackouts++;
  }
}
