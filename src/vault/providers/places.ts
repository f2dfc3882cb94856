/**
 * A fixed number of places, each with locked memory of its own that is used again: memory that is locked for each call
 * would be freed by the garbage collector only, and the system allows a process little of it.
 */
import { secureBytes, wipe } from '../secure-bytes.ts';

export type Places = {
  /** Waits for a place, calls `use` with its memory, and wipes it. */
  within<T>(use: (bytes: Buffer) => Promise<T>): Promise<T>;
};

export function createPlaces(count: number, bytes_each: number): Places {
  const free: Buffer[] = [];
  const waiting: ((bytes: Buffer) => void)[] = [];
  let made = 0;

  function take(): Buffer | Promise<Buffer> {
    const bytes = free.pop();
    if (bytes) return bytes;
    if (made < count) {
      made++;
      return secureBytes(bytes_each);
    }
    return new Promise((resolve) => waiting.push(resolve));
  }

  return {
    async within(use) {
      const bytes = await take();
      try {
        return await use(bytes);
      } finally {
        wipe(bytes);
        const next = waiting.shift();
        if (next) next(bytes);
        else free.push(bytes);
      }
    },
  };
}
