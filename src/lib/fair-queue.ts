export type FairQueue = {
  /** Runs the task in its turn and gives its result. @throws TooManyWaiting at once when the group's line is full. */
  run<T>(group: string, task: () => Promise<T>): Promise<T>;
};

/** Too many tasks of the group are waiting. */
export class TooManyWaiting extends Error {}

/**
 * Runs at most `at_once` tasks at a time. The other tasks wait in one line per group, at most `waiting_per_group` in each,
 * and the groups take turns: the first task of a group waits for one task of each other group, however long their lines.
 */
export function createFairQueue(options: { at_once: number; waiting_per_group: number }): FairQueue {
  const lines = new Map<string, (() => void)[]>();
  let running = 0;

  /** Passes the place of a task that has ended to the next one. */
  function startNext(): void {
    const [group, line] = lines.entries().next().value ?? [];
    if (group === undefined || line === undefined) {
      running--;
      return;
    }
    const start = line.shift();
    lines.delete(group);
    if (line.length > 0) lines.set(group, line); // at the end: the other groups are next
    start?.();
  }

  async function waitInLine(group: string): Promise<void> {
    const line = lines.get(group) ?? [];
    if (line.length >= options.waiting_per_group) throw new TooManyWaiting(group);
    lines.set(group, line);
    await new Promise<void>((start) => line.push(start));
  }

  return {
    async run(group, task) {
      if (running < options.at_once) running++;
      else await waitInLine(group);
      try {
        return await task();
      } finally {
        startNext();
      }
    },
  };
}
