/** The one way in which black-box tests wait: for something that becomes true, with a deadline. Pages have the same one. */
import { setTimeout } from 'node:timers/promises';

/** Much longer than anything takes on a loaded machine: only what never comes waits so long. */
export const PATIENCE_MS = 180_000;
const PAUSE_MS = 20;

/** The first truthy result of `probe`; fails with `what` was awaited if there is none in time. */
export async function eventually<T>(
  what: string,
  probe: () => T | Promise<T>,
  patience_ms = PATIENCE_MS,
): Promise<Exclude<T, undefined | null | false | 0 | ''>> {
  const deadline = performance.now() + patience_ms;
  for (;;) {
    const result = await probe();
    if (result) return result as Exclude<T, undefined | null | false | 0 | ''>;
    if (performance.now() > deadline) throw new Error(`waited ${patience_ms} ms for: ${what}`);
    await setTimeout(PAUSE_MS);
  }
}
