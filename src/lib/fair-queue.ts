export type FairQueue = {
  /** Runs the task when its turn comes. @throws TooManyWaiting at once when the group has too many waiting. */
  run<T>(group: string, task: () => Promise<T>): Promise<T>;
};

/** The group's line is full. */
export class TooManyWaiting extends Error {}

/**
 * Runs at most `at_once` tasks at a time. The others wait in a line per group, and the groups take turns: however long
 * one group's line is, another's first task waits for one task of each.
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
    if (line.length > 0) lines.set(group, line); // to the end: the other groups are next
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
        next(); // hands its place on
      }
    },
  };
}
