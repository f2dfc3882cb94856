/** Places of 32 bytes for keys, together in one locked memory: a page for each key would be more than the system allows. */
import { secureBytes, wipe } from '../secure-bytes.ts';

const KEY_BYTES = 32;
const FULL = 'there is no place for another key in locked memory';

export type KeySlots = {
  /** @throws Error when there is no place left */
  take(): Buffer;
  /** Wipes the key. */
  giveBack(slot: Buffer): void;
};

export function createKeySlots(count: number): KeySlots {
  let free: Buffer[] | null = null;
  return {
    take() {
      free ??= slotsOf(secureBytes(count * KEY_BYTES)); // who has no provider needs none
      const slot = free.pop();
      if (!slot) throw new Error(FULL);
      return slot;
    },
    giveBack(slot) {
      wipe(slot);
      free?.push(slot);
    },
  };
}

function slotsOf(memory: Buffer): Buffer[] {
  const starts = Array.from({ length: memory.length / KEY_BYTES }, (_, index) => index * KEY_BYTES);
  return starts.map((start) => memory.subarray(start, start + KEY_BYTES));
}
