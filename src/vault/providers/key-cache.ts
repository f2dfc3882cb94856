/**
 * Keys that outlive a signature (KEY_CACHE_SECONDS), in locked memory. Each is wiped when its time is over, also when nobody
 * asks for it again, and when there are too many.
 */
import { strict as assert } from 'node:assert';
import type { Clock } from '../../lib/clock.ts';
import { createKeySlots } from './key-slots.ts';

export type KeyCache = {
  /** Copies the key into `into`. Returns false when it is not there. */
  read(name: string, into: Buffer): boolean;
  /** Keeps a copy. */
  keep(name: string, key: Buffer): void;
  size(): number;
  close(): void;
};

/** 32 KiB of locked memory. */
const KEYS_MAX = 1_024;

/** Makes a cache that keeps each key for `seconds`, and at most `count` keys. Returns null when `seconds` is 0: nothing is kept. */
export function createKeyCache(seconds: number, clock: Clock, count: number = KEYS_MAX): KeyCache | null {
  if (seconds === 0) return null;
  const slots = createKeySlots(count);
  /** The oldest one first. */
  const kept = new Map<string, { slot: Buffer; until_ms: number }>();
  const closing = new AbortController();
  let sweeping = false;
  const nowMs = () => clock.now().getTime();

  function forget(name: string, { slot }: { slot: Buffer }): void {
    kept.delete(name);
    slots.giveBack(slot);
  }

  async function sweep(): Promise<void> {
    sweeping = true;
    for (;;) {
      const oldest = kept.values().next().value;
      if (!oldest || closing.signal.aborted) break;
      await clock.sleep(Math.max(1, oldest.until_ms - nowMs()), closing.signal);
      for (const [name, entry] of kept) {
        if (entry.until_ms > nowMs()) break;
        forget(name, entry);
      }
    }
    sweeping = false;
  }

  return {
    read(name, into) {
      const found = kept.get(name);
      if (!found || found.until_ms <= nowMs()) return false;
      found.slot.copy(into);
      return true;
    },
    keep(name, key) {
      if (closing.signal.aborted) return;
      const before = kept.get(name);
      if (before) forget(name, before);
      const [oldest] = kept;
      if (oldest && kept.size >= count) forget(...oldest);
      const slot = slots.take();
      assert(slot, 'the oldest key has made room');
      key.copy(slot);
      kept.set(name, { slot, until_ms: nowMs() + seconds * 1000 });
      if (!sweeping) void sweep();
    },
    size: () => kept.size,
    close() {
      closing.abort();
      for (const [name, entry] of [...kept]) forget(name, entry);
    },
  };
}
