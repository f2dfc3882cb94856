/** Work in parts. A generator yields where other work of the event loop may run; each part takes a few milliseconds at most. */
import { setImmediate } from 'node:timers/promises';

export type InParts<T> = Generator<void, T, void>;

/** Runs the parts, each in a turn of the event loop of its own. */
export async function inTurns<T>(work: InParts<T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await setImmediate();
  }
}

/** Runs all parts now: for what is known to be small. */
export function atOnce<T>(work: InParts<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** A few milliseconds for what is done with a row of a payout. */
const ITEMS_PER_PART = 500;

/** Calls `act` with each item. Few items are one part. */
export function* eachInParts<T>(items: readonly T[], act: (item: T, index: number) => void): InParts<void> {
  for (const [index, item] of items.entries()) {
    act(item, index);
    if ((index + 1) % ITEMS_PER_PART === 0) yield;
  }
}

/** Returns the result of `map` for each item. */
export function* mapInParts<T, U>(items: readonly T[], map: (item: T, index: number) => U): InParts<U[]> {
  const mapped: U[] = [];
  yield* eachInParts(items, (item, index) => mapped.push(map(item, index)));
  return mapped;
}
