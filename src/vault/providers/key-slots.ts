/** Places of 32 bytes for keys, together in one locked memory: a page for each key would be more than the system allows. */
import { secureBytes, wipe } from '../master-keys/secure-bytes.ts';

const KEY_BYTES = 32;

export type KeySlots = {
  /** Takes a place of 32 bytes. Returns null when there is no place left. */
  take(): Buffer | null;
  /** Wipes the key. */
  giveBack(slot: Buffer): void;
};

export function createKeySlots(count: number): KeySlots {
  let free: Buffer[] | null = null;
  return {
    take() {
      free ??= slotsOf(secureBytes(count * KEY_BYTES)); // who has no provider needs none
      return free.pop() ?? null;
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
