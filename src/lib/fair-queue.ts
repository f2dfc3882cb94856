import type { Clock } from './clock.ts';

export type FairQueue = {
  /** Runs the task in its turn and gives its result. @throws TooManyWaiting at once when there is no room to wait. */
  run<T>(group: string, task: () => Promise<T>): Promise<T>;
};

/** Too many tasks are waiting: of the group, or in all. */
export class TooManyWaiting extends Error {}

type Waiting = { start: () => void; refuse: (reason: TooManyWaiting) => void };

/**
 * While another group has come within `ms`, a group with more than `waiting` tasks in its line runs one at a time, and rests after each
 * for as long as the task took.
 */
type BesideOthers = { clock: Clock; ms: number; waiting: number };

/**
 * Runs at most `at_once` tasks at a time. The other tasks wait in one line per group, at most `waiting_per_group` in each,
 * and the groups take turns: the first task of a group waits for one task of each other group, however long their lines.
 * With `waiting_in_all` tasks waiting, the last one of the longest line makes room for a task of a group with a shorter one.
 *
 * `beside_others`: for tasks that also need what has no turns, like the processor. A long line leaves half of it to other groups.
 */
export function createFairQueue(options: {
  at_once: number;
  waiting_per_group: number;
  waiting_in_all?: number;
  beside_others?: BesideOthers;
}): FairQueue {
  const { at_once, waiting_per_group, waiting_in_all = Number.POSITIVE_INFINITY } = options;
  const rests = options.beside_others && createRests(options.beside_others);
  const lines = new Map<string, Waiting[]>();
  const running = new Map<string, number>();
  let running_in_all = 0;
  let waiting = 0;

  const lengthOf = (group: string) => lines.get(group)?.length ?? 0;

  function mayBegin(group: string): boolean {
    if (running_in_all >= at_once || rests?.has(group)) return false;
    return !running.has(group) || !rests?.isDue(group, lengthOf(group));
  }

  function count(group: string, difference: 1 | -1): void {
    running_in_all += difference;
    const left = (running.get(group) ?? 0) + difference;
    if (left > 0) running.set(group, left);
    else running.delete(group);
  }

  /** Starts the tasks for which there is a place. */
  function startWaiting(): void {
    for (;;) {
      const group = lines.keys().find(mayBegin);
      const line = group !== undefined && lines.get(group);
      if (!line) return;
      const next = line.shift();
      waiting--;
      lines.delete(group);
      if (line.length > 0) lines.set(group, line); // at the end: the other groups are next
      count(group, 1);
      next?.start();
    }
  }

  /** @throws TooManyWaiting when no line is longer than that of the group would be. */
  function makeRoom(group: string, length: number): void {
    if (waiting < waiting_in_all) return;
    const longest = [...lines.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (longest.length <= length + 1) throw new TooManyWaiting(group);
    longest.pop()?.refuse(new TooManyWaiting('another group'));
    waiting--;
  }

  async function waitInLine(group: string): Promise<void> {
    const line = lines.get(group) ?? [];
    if (line.length >= waiting_per_group) throw new TooManyWaiting(group);
    makeRoom(group, line.length);
    lines.set(group, line);
    waiting++;
    await new Promise<void>((start, refuse) => line.push({ start, refuse }));
  }

  return {
    async run(group, task) {
      rests?.note(group);
      if (!lines.has(group) && mayBegin(group)) count(group, 1);
      else await waitInLine(group);
      const began_ms = rests?.now() ?? 0;
      try {
        return await task();
      } finally {
        count(group, -1);
        if (rests?.isDue(group, lengthOf(group))) rests.begin(group, rests.now() - began_ms, startWaiting);
        startWaiting();
      }
    },
  };
}

/** Keeps the rests of groups with long lines. The group that came last, and the last other one before it, say whether others are there. */
function createRests({ clock, ms, waiting }: BesideOthers) {
  type Came = { group: string | null; at_ms: number };
  const resting = new Set<string>();
  let last: Came = { group: null, at_ms: Number.NEGATIVE_INFINITY };
  let last_of_another = last;
  const now = () => clock.now().getTime();
  return {
    now,
    note(group: string): void {
      if (last.group !== group) last_of_another = last;
      last = { group, at_ms: now() };
    },
    has: (group: string) => resting.has(group),
    isDue(group: string, length: number): boolean {
      const other = last.group === group ? last_of_another : last;
      return length > waiting && Math.abs(now() - other.at_ms) < ms;
    },
    begin(group: string, rest_ms: number, ended: () => void): void {
      resting.add(group);
      void clock.sleep(Math.max(0, rest_ms)).then(() => {
        resting.delete(group);
        ended();
      });
    },
  };
}
