/**
 * How long a turn of the event loop keeps other work waiting, in CPU of this thread: on a busy machine a turn lasts longer, but
 * takes no more CPU.
 */
import { setImmediate } from 'node:timers/promises';

/** Microseconds of CPU that the longest turn takes while `work` runs. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let done = false;
  let longest = 0;
  const watch = (async () => {
    for (let before = threadMicroseconds(); !done; ) {
      await setImmediate();
      const now = threadMicroseconds();
      longest = Math.max(longest, now - before);
      before = now;
    }
  })();
  try {
    await work();
  } finally {
    done = true;
    await watch;
  }
  return longest;
}

/**
 * Microseconds of CPU for what takes 100 ms on an idle machine as of 2026: text, numbers and objects, as bodies are. Caches that others
 * use make it slower in the same way.
 */
export function hundredMilliseconds(): number {
  const text = JSON.stringify(
    Array.from({ length: 1_000 }, (_, id) => ({ id, name: `name ${id}`, at: id / 7 })),
  );
  const before = threadMicroseconds();
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const items = JSON.parse(text) as { id: number; name: string }[];
    const by_name = new Map(items.map((item) => [`${item.name} of ${round}`, item]));
    for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 0x22) found++;
    found += by_name.size;
  }
  if (found === 0) throw new Error('nothing was done');
  return threadMicroseconds() - before;
}

const ROUNDS = 200;

function threadMicroseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
