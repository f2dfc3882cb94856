export type FairQueue = {
  /** Runs the task in its turn and gives its result. @throws TooManyWaiting at once when there is no room to wait. */
  run<T>(group: string, task: () => Promise<T>): Promise<T>;
};

/** Too many tasks are waiting: of the group, or in all. */
export class TooManyWaiting extends Error {}

type Waiting = { start: () => void; refuse: (reason: TooManyWaiting) => void };

/**
 * Runs at most `at_once` tasks at a time. The other tasks wait in one line per group, at most `waiting_per_group` in each,
 * and the groups take turns: the first task of a group waits for one task of each other group, however long their lines.
 * With `waiting_in_all` tasks waiting, the last one of the longest line makes room for a task of a group with a shorter one.
 */
export function createFairQueue(options: {
  at_once: number;
  waiting_per_group: number;
  waiting_in_all?: number;
}): FairQueue {
  const { at_once, waiting_per_group, waiting_in_all = Number.POSITIVE_INFINITY } = options;
  const lines = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;

  /** Passes the place of a task that has ended to the next one. */
  function startNext(): void {
    const [group, line] = lines.entries().next().value ?? [];
    if (group === undefined || line === undefined) {
      running--;
      return;
    }
    const next = line.shift();
    waiting--;
    lines.delete(group);
    if (line.length > 0) lines.set(group, line); // at the end: the other groups are next
    next?.start();
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
      if (running < at_once) running++;
      else await waitInLine(group);
      try {
        return await task();
      } finally {
        startNext();
      }
    },
  };
}
