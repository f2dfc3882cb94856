import type { Clock } from './clock.ts';

const EVERY_MS = 60_000;
/** More kinds of text than that are one kind. */
const MOST_KINDS = 100;

/**
 * Returns a function that counts what is said again and again, so that a fault that lasts is one line of the log a minute. It
 * gives how often a text was said since its last line, this time included; 0 while a minute has not passed. Texts that differ
 * in digits only are one.
 */
export function createRepeats(clock: Pick<Clock, 'now'>): (text: string) => number {
  const kinds = new Map<string, { told_ms: number; untold: number }>();
  return (text) => {
    const now_ms = clock.now().getTime();
    const kind = text.replaceAll(/\d+/g, '…');
    const key = kinds.has(kind) || kinds.size < MOST_KINDS ? kind : '';
    const known = kinds.get(key);
    if (known && Math.abs(now_ms - known.told_ms) < EVERY_MS) {
      known.untold++;
      return 0;
    }
    kinds.set(key, { told_ms: now_ms, untold: 0 });
    return (known?.untold ?? 0) + 1;
  };
}
