import { createFairQueue, type FairQueue } from '../lib/fair-queue.ts';
import type { Db } from './database.ts';

/** Changes of one team end one after the other, by a lock; while one waits for the disk, the next may begin. */
const AT_ONCE = 2;

/** `used`: how many changes wait or run. */
type Line = { queue: FairQueue; used: number };

const linesOf = new WeakMap<Db, Map<string, Line>>();

/**
 * Runs at most two changes of a group at a time in this process; the others wait without a connection. Otherwise those of
 * one team, which wait for each other, would hold every connection of the pool, and the money of all teams would wait.
 */
export async function changeInTurn<T>(db: Db, group: string, change: () => Promise<T>): Promise<T> {
  const lines = linesOf.get(db) ?? new Map<string, Line>();
  linesOf.set(db, lines);
  const line = lines.get(group) ?? { queue: newQueue(), used: 0 };
  lines.set(group, line);
  line.used++;
  try {
    return await line.queue.run(group, change);
  } finally {
    line.used--;
    if (line.used === 0) lines.delete(group);
  }
}

function newQueue(): FairQueue {
  return createFairQueue({ at_once: AT_ONCE, waiting_per_group: Number.POSITIVE_INFINITY });
}
