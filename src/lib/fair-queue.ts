export type FairQueue = {
  /** Runs the task when its turn comes. @throws TooManyWaiting at once when the group has too many waiting. */
  run<T>(group: string, task: () => Promise<T>): Promise<T>;
};

/** Too many tasks of the group are waiting. */
export class TooManyWaiting extends Error {}

/**
 * Runs at most `at_once` tasks at a time. The others wait in one line per group, and the groups take turns: the first task
 * of a group waits for one task of each other group, however long their lines are.
 */
export function createFairQueue(options: { at_once: number; waiting_per_group: number }): FairQueue {
  const lines = new Map<string, (() => void)[]>();
  let running = 0;

  function next(): void {
    const [group, line] = lines.entries().next().value ?? [];
    if (group === undefined || line === undefined) {
      running--;
      return;
    }
    const start = line.shift();
    lines.delete(group);
    if (line.length > 0) lines.set(group, line); // to the end, because the other groups are next
    start?.();
  }

  async function wait(group: string): Promise<void> {
    const line = lines.get(group) ?? [];
    if (line.length >= options.waiting_per_group) throw new TooManyWaiting(group);
    lines.set(group, line);
    await new Promise<void>((start) => line.push(start));
  }

  return {
    async run(group, task) {
      if (running < options.at_once) running++;
      else await wait(group);
      try {
        return await task();
      } finally {
        next(); // the next task takes this place
      }
    },
  };
}
