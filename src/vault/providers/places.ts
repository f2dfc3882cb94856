/**
 * A fixed number of places, each with locked memory of its own that is used again: memory that is locked for each call
 * would be freed by the garbage collector only, and the system allows a process little of it.
 */
import { secureBytes, wipe } from '../master-keys/secure-bytes.ts';
import { createTurns } from './turns.ts';

export type Places = {
  /** Waits for a place, calls `use` with its memory, and wipes it. */
  within<T>(use: (bytes: Buffer) => Promise<T>): Promise<T>;
};

export function createPlaces(count: number, bytes_each: number): Places {
  const inTurn = createTurns(count);
  const free: Buffer[] = [];

  return {
    within: (use) =>
      inTurn(async () => {
        const bytes = free.pop() ?? secureBytes(bytes_each);
        try {
          return await use(bytes);
        } finally {
          wipe(bytes);
          free.push(bytes);
        }
      }),
  };
}
